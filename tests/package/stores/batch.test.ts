// The cookbook's batch: killed twice, started again with the same keys, first with too little budget. Nothing is done twice.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isPosix } from '../../support/system.js';

const COUNT = 5_000;
const folder = mkdtempSync(join(tmpdir(), 'batch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the batch until it is over, or is killed once so many documents are done; gives what it logged. */
async function run(tokens: number, killAfter = 0): Promise<string[][]> {
  const log = join(folder, `${tokens}-${killAfter}.log`);
  const numbers = [COUNT, tokens, killAfter].map(String);
  const args = [join(import.meta.dirname, '../../support/batch-child.mjs'), join(folder, 'batch.journal'), log, ...numbers];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const signal = await new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
  expect(signal).toBe(killAfter > 0 && isPosix ? 'SIGKILL' : null);
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(' '));
}

const said = (lines: string[][], word: string): string[] => lines.filter(([first]) => first === word).map(([, second = '']) => second);
const doneIn = (lines: string[][]): string[] =>
  said(
    lines.filter(([, , how]) => how === 'done'),
    'end',
  );

test('D7 a batch of 5,000 that is killed twice, and whose cap is raised, does nothing twice', { timeout: 240_000 }, async () => {
  const runs = [await run(2_000_000, 1_000), await run(2_000_000, 2_500), await run(1_000_000), await run(3_000_000)];
  const [, , short, last] = runs as [string[][], string[][], string[][], string[][]];
  // The third had too little for all, and came to its end.
  expect(said(short, 'over')).toHaveLength(1);
  expect(doneIn(short).length).toBeLessThan(COUNT);
  expect(new Set(doneIn(last)).size).toBe(COUNT);
  // What one process said was done, no later one called the model for.
  const over = new Set<string>();
  for (const lines of runs) {
    expect(said(lines, 'call').filter((doc) => over.has(doc))).toEqual([]);
    for (const doc of doneIn(lines)) over.add(doc);
  }
  // What was at work when it was killed is done again, under the same key: the service that has it does it once.
  const acts = runs.flatMap((lines) => said(lines, 'act'));
  expect(new Set(acts).size).toBe(COUNT);
  expect(acts.length).toBeLessThanOrEqual(COUNT + 2 * 200);
});
