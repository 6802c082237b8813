// One measurement in a process of its own: one framework, one way, some timed rounds. `run.mjs` starts it with a
// JSON task as its argument; the answer is the last line on standard output.

import { readFileSync } from 'node:fs';
import type { Burst } from './delegation.js';
import { ways } from './ways.js';

interface Task {
  /** Which of the file's ways; without it, they are listed. */
  index?: number;
  variant: 'own' | 'ours' | 'alone';
  delegations: number;
  atOnce: number;
  warmup: number;
  rounds: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task;

function burstOf({ index = 0, variant }: Task): Burst {
  const { own, ours, alone } = ways[index] ?? fail(`there is no way ${index}`);
  if (variant === 'ours') return ours;
  if (variant === 'alone') return alone;
  return 'burst' in own ? own.burst : fail(own.none);
}

function fail(message: string): never {
  throw new Error(message);
}

/**
 * The processor time of this thread: what else the machine does is not in it, nor what V8 compiles beside it. Of the whole
 * process where the system doesn't tell.
 */
function cpuUs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
}

async function measure(): Promise<{ us: number[] }> {
  const { delegations, atOnce, warmup, rounds } = task;
  const burst = burstOf(task);
  const us: number[] = [];
  for (let round = 0; round < warmup + rounds; round += 1) {
    globalThis.gc?.();
    const from = cpuUs();
    for (let made = 0; made < delegations; made += atOnce) {
      const came = await burst(atOnce);
      if (came !== atOnce) fail(`Expected ${atOnce} results, got ${came}`);
    }
    if (round >= warmup) us.push((cpuUs() - from) / delegations);
  }
  return { us };
}

const list = () => ways.map(({ name, own }) => ('burst' in own ? { name, how: own.how } : { name, none: own.none }));
const answer = task.index === undefined ? list() : await measure();
// What a framework has started must not keep the process alive.
process.stdout.write(`\n${JSON.stringify(answer)}\n`, () => process.exit(0));
