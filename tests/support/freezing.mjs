// What leads of tests share that freeze themselves by SIGSTOP: what they got from their test, the log in which they say so,
// and a connection to Redis that outlasts the pause.

import { openSync, writeSync } from 'node:fs';
import { Redis } from 'ioredis';

export const told = JSON.parse(process.argv[2]);
export const connection = { host: '127.0.0.1', port: told.port };
export const client = new Redis({ ...connection, maxRetriesPerRequest: null });
client.on('error', () => undefined);
// The test that started it is gone.
process.once('disconnect', () => process.exit());

const file = openSync(told.log, 'a');

export function say(line) {
  writeSync(file, `${line}\n`);
}

export function freeze() {
  say('freezes');
  process.kill(process.pid, 'SIGSTOP');
  say('is awake');
}
