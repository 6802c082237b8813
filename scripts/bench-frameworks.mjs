// `npm run bench:frameworks`: installs, builds, and compares ways of delegating; see bench/frameworks/run.mjs.

import { frameworksOptions } from '../bench/options.mjs';
import { buildPackage, install, node, root } from './run.mjs';

// Reads the options before anything is installed.
frameworksOptions();
install();
buildPackage();
node('bench of the frameworks', [`${root}bench/frameworks/run.mjs`, ...process.argv.slice(2)]);
