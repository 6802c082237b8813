// `npm run bench:frameworks`: installs, builds, and compares ways of delegating; see bench/frameworks/run.mjs.

import { frameworksOptions } from '../bench/options.mjs';
import { install, node, root } from './run.mjs';

// Before anything is installed.
frameworksOptions();
install();
node('building the package', [`${root}scripts/build.mjs`]);
node('bench of the frameworks', [`${root}bench/frameworks/run.mjs`, ...process.argv.slice(2)]);
