// The lines in which the inspector's page saves events give back what was put in.

import { expect, test } from 'vitest';
import type { SubAgentEvent } from '../../../dist/index.js';
import { lineOf, readLines } from '../../../inspector/src/lines.js';

test('a number without end comes back, and so does a text of its sign', () => {
  const texts = ['\u221e', '\u221e\u221e', 'more \u221e', ''];
  const events = texts.map((label, at) => ({
    type: 'task_admitted',
    seq: at + 1,
    at: 1,
    taskId: 'sub_1',
    label,
    cap: { tokens: Infinity },
  }));
  const { events: read, damage } = readLines(events.map(lineOf).join(''));
  expect(damage).toBeUndefined();
  expect(read).toEqual(events as unknown as SubAgentEvent[]);
});
