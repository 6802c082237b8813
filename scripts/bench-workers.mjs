// `npm run bench:workers`: installs, builds, and measures what a run in another process costs; see bench/workers/run.mjs.

import { workersOptions } from '../bench/options.mjs';
import { buildPackage, install, node, root } from './run.mjs';

// Before anything is installed.
workersOptions();
install();
buildPackage();
node('bench of the workers', [`${root}bench/workers/run.mjs`, ...process.argv.slice(2)]);
