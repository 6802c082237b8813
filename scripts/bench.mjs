// `npm run bench`: installs, builds, and runs the bench; see bench/run.mjs for its options.

import { install, node, root } from './run.mjs';

install();
node('building the package', [`${root}scripts/build.mjs`]);
install(`${root}bench`);
node('bench', [`${root}bench/run.mjs`, ...process.argv.slice(2)]);
