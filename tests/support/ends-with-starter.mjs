// Runs a program that ends with the process that started this one, however that one ends, by SIGKILL as well: this one's
// standard input closes then. Closing it is also how the program is ended on purpose.
//
//   node ends-with-starter.mjs PROGRAM [ARGUMENT…]

import { spawn } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
process.stdin.on('close', () => child.kill('SIGKILL')).resume();
// What a terminal sends reaches the program by itself; this process outlives it, so that none is left over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGKILL'));
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));
