// `npm start`: installs, builds, and runs the example: a lead agent that answers a question over a folder
// of documents by delegating one sub-agent a document. Needs Node alone; pkg/ is committed.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { install, node, root, run } from './run.mjs';

const example = `${root}examples/ask`;
install();
node('building the package', [`${root}scripts/build.mjs`]);
install(example);
run('building the example', 'npm', ['run', '--silent', 'build'], { cwd: example, quiet: true });
process.stderr.write('\n');

// The user's own folder, so that relative paths mean what they say.
const cwd = process.env.INIT_CWD ?? process.cwd();
const child = spawn(process.execPath, [`${example}/dist/main.js`, ...process.argv.slice(2)], { cwd, stdio: 'inherit' });
// Ctrl-C and SIGTERM go to the example, which cancels its tree and says what was done.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
