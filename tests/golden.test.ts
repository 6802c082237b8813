// The golden transcripts, played against the built package: `golden/README.md` says how they are read, and
// `golden.rs` plays the same files against the core and writes them. What TypeScript can't see of a line
// stands in `support/golden-lines.ts`; anything else must be the same, and what is unknown is an error.

import './support/virtual-time.js';

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { fits, isUnseen, type Line, shown } from './support/golden-lines.js';
import { inTellingOrder } from './support/golden-log.js';
import { Stage } from './support/golden-stage.js';
import { blocksOf } from './support/golden-transcript.js';

/** Transcripts that can't be played in TypeScript at all, each with the reason. */
const NOT_PLAYED: Readonly<Record<string, string>> = {};
/** Transcripts where the package does something else than the core: the rule, and what is wrong. */
const DIFFERENT: Readonly<Record<string, string>> = {};

interface Counts {
  compared: number;
  unseen: number;
}

/** Plays a transcript; throws at the first line that is another. */
async function replay(transcript: string): Promise<Counts> {
  const counts: Counts = { compared: 0, unseen: 0 };
  const stage = new Stage();
  try {
    for (const { commands, results } of blocksOf(transcript)) {
      const lines: Line[] = [];
      let last = 0;
      for (const { text, number } of commands) {
        last = number;
        try {
          lines.push(...(await stage.perform(text)));
        } catch (error) {
          throw new Error(`line ${number}: \`${text}\` can't be played`, { cause: error });
        }
      }
      const expected = inTellingOrder(results, ({ text }) => text);
      const actual = inTellingOrder(lines, (line) => (typeof line === 'string' ? line : ''));
      for (let at = 0; at < Math.max(expected.length, actual.length); at += 1) {
        const [wanted, got] = [expected[at], actual[at]];
        last = wanted?.number ?? last;
        if (wanted === undefined || got === undefined || !fits(got, wanted.text)) {
          const said = got === undefined ? '(the end)' : shown(got);
          throw new Error(`line ${last}\n  expected: ${wanted?.text ?? '(the end)'}\n  got:      ${said}`);
        }
        counts[isUnseen(got) ? 'unseen' : 'compared'] += 1;
      }
    }
    return counts;
  } finally {
    stage.dispose();
  }
}

const folder = new URL('./golden/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
const told: string[] = [];

describe('the package comes to the same lines as the core', () => {
  for (const file of files) {
    if (file in NOT_PLAYED) continue;
    const run = file in DIFFERENT ? test.fails : test;
    run(file.replace('.txt', ''), async () => {
      const transcript = read(file);
      const { compared, unseen } = await replay(transcript);
      told.push(`${file}: ${compared} lines compared, ${unseen} by Rust only`);
      expect(compared).toBeGreaterThan(0);
      // Every result line of the file is either compared or of a kind that is listed.
      expect(compared + unseen).toBe(blocksOf(transcript).reduce((sum, { results }) => sum + results.length, 0));
    });
  }

  test('every transcript is played, and the lists name no others', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
    expect(files).toEqual(expect.arrayContaining([...Object.keys(NOT_PLAYED), ...Object.keys(DIFFERENT)]));
  });

  afterAll(() => console.info(told.join('\n')));
});

describe('a difference is noticed', () => {
  const [settings, story] = [
    'set maxConcurrent=1',
    ['spawn a "one"', 'settle a failed "half" tokens=5 error="broken"', 'look a', 'spawn b " "'],
  ];
  const results = [
    'task_admitted a parent=session cap={tokens:10000} text="one"',
    'run_queued a#1',
    'run_started a#1',
    'hold_changed a#1 hold={tokens:10000} whole',
    '> start a#1',
    'usage_booked a#1 amount={tokens:5}',
    'usage_doubted a#1 unknown=6 invalid=0',
    'hold_changed a#1 hold={}',
    'run_ended a#1 status=failed reason=host_failed output="half" error="broken"',
    'a failed output="half" spent={tokens:5} held={}',
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
