// A network for agents that has loopback alone, where the user may make one: what an agent fetches elsewhere leads nowhere. Owns how a
// command gets into it, and how the scripted model is reached there: by a socket that lies in a file.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);

/**
 * Makes it; resolves to undefined where the user may not. It ends with this process.
 *
 * @param socket the file of the socket of the model
 * @returns the port of the model there, and what stands before a command that is to run there
 */
export async function networkApart(socket) {
  const script = 'ip link set lo up && exec "$@"';
  const child = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', process.execPath, self, socket], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const said = await new Promise((resolve) => {
    child.on('error', () => resolve(''));
    child.on('close', () => resolve(''));
    child.stdout.setEncoding('utf8').once('data', resolve);
  });
  if (said === '') {
    process.stderr.write('NOT TRIED: a network of their own for agents, which takes root and util-linux; a proxy leads nowhere instead\n');
    return undefined;
  }
  const end = () => {
    child.kill('SIGKILL');
    rmSync(socket, { force: true });
  };
  process.on('exit', end);
  return { port: Number(said), within: ['nsenter', `--net=/proc/${child.pid}/ns/net`, '--'], end };
}

if (process.argv[1] === self) {
  const names = Object.keys(networkInterfaces());
  if (names.join() !== 'lo') throw new Error(`this network has ${names.join()}`);
  const server = createServer((from) => {
    const to = connect(process.argv[2]);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
  process.stdin.on('end', () => process.exit()).resume();
}
