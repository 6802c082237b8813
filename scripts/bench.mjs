// `npm run bench`: installs, builds, and runs the bench; see bench/run.mjs for its options. `npm run bench:journal` measures
// the cost of a journal; see bench/journal/run.mjs. Mistakes in the options are reported before anything is installed.

import { benchOptions, journalOptions } from '../bench/options.mjs';
import { buildPackage, install, node, root } from './run.mjs';

const isJournal = process.argv[2] === 'journal';
const args = process.argv.slice(isJournal ? 3 : 2);
if (isJournal) journalOptions(args);
else benchOptions();
install();
buildPackage();
install(`${root}bench`);
if (isJournal) node('bench of the journal', [`${root}bench/journal/run.mjs`, ...args]);
else node('bench', [`${root}bench/run.mjs`, ...args]);
