// Facts that were stored are read in the form that they were stored in, for ever. `tests/core/forms.rs` writes the fixtures,
// one fact of each kind with all of its fields, and reads them in Rust.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FactBytes } from '../../../ts/base/fact-bytes.js';
import { FACT_READERS } from '../../../ts/generated/fact-readers.js';
import type { SubAgentEvent } from '../../../ts/generated/facts.js';

/** The facts of a fixture. */
function readFixture(form: number): SubAgentEvent[] {
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, `../../fixtures/facts-v${form}.bin`)));
  const from = new FactBytes(bytes, undefined, form);
  const events: SubAgentEvent[] = [];
  while (!from.isOver) {
    const at = from.number();
    const read = FACT_READERS[from.byte()];
    if (read === undefined) throw new Error(`fact ${events.length} is of no known kind`);
    events.push(read(from, events.length, at));
  }
  return events;
}

test('J1 facts of form 6 are read, without what came later', () => {
  const events = readFixture(6);
  expect(events.map(({ at }) => at)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  expect(new Set(events.map(({ type }) => type)).size).toBe(60);
  expect(events.find(({ type }) => type === 'task_admitted')).toMatchObject({
    parentRun: 29,
    background: true,
    manual: true,
    byModel: true,
    cap: { tokens: 33, costUsd: 3.3e-8, turns: 33 },
    text: 'text 34',
    spec: {
      label: 'text 38',
      nickname: 'text 40',
      contextHint: 'text 42',
      tools: ['text 45', 'text 46'],
      systemPrompt: 'text 48',
      profile: 'text 50',
      modelId: 'text 52',
      sourceAgentId: 'text 54',
      maxTurns: 56,
      timeoutMs: 58,
      idleTimeoutMs: 60,
      turnEstimate: 62,
      priority: -64,
      rateLimitKey: 'text 66',
      disallowedTools: ['text 69', 'text 70'],
      originChannel: 'text 72',
      originChatId: 'text 74',
      json: true,
      onParentEnd: 'cancel',
      metadata: { n: 77 },
      retry: { max: 80, backoffMs: 81, on: ['never_reported', 'never_reported'] },
      turnEstimateUsd: 8.6e-8,
    },
    barred: true,
    first: { rank: -90, round: 91, waitingFor: 'definition' },
    once: { key: 'text 96', digest: 97, until: 98 },
  });
});

test('J1 facts of form 7 say what a delayed turn waits for', () => {
  const delayed = (form: number): SubAgentEvent | undefined => readFixture(form).find(({ type }) => type === 'turn_delayed');
  expect(delayed(6)).toMatchObject({ estimateUsd: expect.any(Number), hold: { turns: expect.any(Number) }, waitingFor: null });
  expect(delayed(7)).toMatchObject({ estimateUsd: expect.any(Number), hold: { turns: expect.any(Number) }, waitingFor: 'definition' });
  expect(readFixture(7)).toHaveLength(60);
});

test('J1 facts of form 8 say themselves what a run is parked for from then on', () => {
  const parks = (form: number): unknown[] => readFixture(form).flatMap((event) => ('parks' in event ? [[event.type, event.parks]] : []));
  const saying = ['turn_delayed', 'run_unparked', 'question_closed'];
  expect(parks(7)).toEqual(saying.map((type) => [type, null]));
  expect(parks(8)).toEqual(saying.map((type) => [type, 'reentry']));
});

test('J1 facts of form 9 say the salt of an opening, and how long the process stood still', () => {
  const [reopened] = readFixture(9).filter(({ type }) => type === 'reopened');
  expect(reopened).toMatchObject({ salt: expect.any(Number) });
  expect(readFixture(8).find(({ type }) => type === 'reopened')).not.toMatchObject({ salt: (reopened as { salt?: number }).salt });
  expect(readFixture(9).map(({ type }) => type)).toContain('stood_still');
  expect(readFixture(8).map(({ type }) => type)).not.toContain('stood_still');
});

test('J1 what came with a later form is left out of what is of an earlier one', () => {
  const reading = (form: number): FactBytes => new FactBytes(Uint8Array.of(1, 0), undefined, form);
  expect([8, 9, 10].map((form) => reading(form).hasSince(9))).toEqual([false, true, true]);
});
