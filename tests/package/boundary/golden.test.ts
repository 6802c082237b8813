// The golden transcripts, played against the built package: `golden/README.md` says how they are read, and
// `golden.rs` plays the same files against the core and writes them. What TypeScript can't see of a line
// stands in `support/golden-lines.ts`; anything else must be the same, and what is unknown is an error.

import '../../support/virtual-time.js';

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { DIFFERENT, NOT_PLAYED } from '../../support/golden-apart.js';
import { replay } from '../../support/golden-replay.js';
import { blocksOf } from '../../support/golden-transcript.js';

const folder = new URL('../../golden/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
const reported: string[] = [];

describe('the package comes to the same lines as the core', () => {
  for (const file of files) {
    if (file in NOT_PLAYED) continue;
    const run = file in DIFFERENT ? test.fails : test;
    run(file.replace('.txt', ''), async () => {
      const transcript = read(file);
      const { compared, unseen } = await replay(transcript);
      reported.push(`${file}: ${compared} lines compared, ${unseen} by Rust only`);
      expect(compared).toBeGreaterThan(0);
      // Every result line of the file is either compared or of a kind that is listed.
      expect(compared + unseen).toBe(blocksOf(transcript).reduce((sum, { results }) => sum + results.length, 0));
    });
  }

  test('every transcript is played, and the lists name no others', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
    expect(files).toEqual(expect.arrayContaining([...Object.keys(NOT_PLAYED), ...Object.keys(DIFFERENT)]));
  });

  afterAll(() => console.info(reported.join('\n')));
});

describe('a difference is noticed', () => {
  const [settings, story] = [
    'set maxConcurrent=1',
    ['spawn a "one"', 'settle a failed "half" tokens=5 error="broken"', 'look a', 'spawn b " "'],
  ];
  const results = [
    'task_admitted a parent=session cap={} text="one" first',
    'run_started a#1 reserved={}',
    '> start a#1',
    'run_ended a#1 status=failed stopReason=host_failed usage={tokens:5} unknown=costUsd,turns output="half" error="broken"',
    'a failed output="half" spent={tokens:5} reserved={}',
    '! invalid_argument',
  ];
  const transcriptOf = (commands: string[], lines: string[]): string => [settings, ...commands, '----', ...lines, ''].join('\n');

  test('the story as it is', async () => {
    expect(await replay(transcriptOf(story, results))).toEqual({ compared: results.length, unseen: 0 });
  });

  test.each(results.map((line, at) => [line, at] as const))('in, before, after and instead of: %s', async (line, at) => {
    const [before, after] = [results.slice(0, at), results.slice(at + 1)];
    const others = [line.slice(0, -1), `${line} more`, line.replace(/\w/, 'x')];
    for (const other of others) await expect(replay(transcriptOf(story, [...before, other, ...after]))).rejects.toThrow('expected:');
    await expect(replay(transcriptOf(story, [...before, ...after]))).rejects.toThrow('expected:');
    await expect(replay(transcriptOf(story, [...before, line, line, ...after]))).rejects.toThrow('expected:');
  });

  test.each(['dance a', 'spawn a "x" colour=red', 'spawn a "x" loudly', 'settle a nicely', 'settle nobody ok', 'tick soon', 'spawn "'])(
    'a command that nobody knows: %s',
    async (command) => {
      await expect(replay(transcriptOf([...story, command], results))).rejects.toThrow("can't be played");
    },
  );
});
