// `npm run bench`: installs, builds, and runs the bench; see bench/run.mjs for its options. `npm run bench:journal`: what a
// journal costs; see bench/journal/run.mjs.

import { install, node, root } from './run.mjs';

install();
node('building the package', [`${root}scripts/build.mjs`]);
install(`${root}bench`);
const [, , which] = process.argv;
if (which === 'journal') node('bench of the journal', [`${root}bench/journal/run.mjs`, ...process.argv.slice(3)]);
else node('bench', [`${root}bench/run.mjs`, ...process.argv.slice(2)]);
