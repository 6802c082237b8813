// `npm run bench:workers`: installs, builds, and measures the cost of a run in another process; see bench/workers/run.mjs.

import { workersOptions } from '../bench/options.mjs';
import { buildPackage, install, node, root } from './run.mjs';

// Reads the options before anything is installed.
workersOptions();
install();
buildPackage();
node('bench of the workers', [`${root}bench/workers/run.mjs`, ...process.argv.slice(2)]);
