// Facts that were stored are read in the form that they were stored in, for ever. `tests/core/forms.rs` writes the fixtures,
// one fact of each kind with all of its fields, and reads them in Rust.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FactBytes } from '../../../ts/base/fact-bytes.js';
import { FACT_READERS } from '../../../ts/generated/fact-readers.js';
import type { SubAgentEvent } from '../../../ts/generated/facts.js';
import { FACT_KINDS } from '../../generated/fact-kinds.js';

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

/** What the fixture counts up, value by value. */
const number = expect.any(Number);
const text = expect.stringMatching(/^text \d+$/);

const KINDS = Object.keys(FACT_KINDS);

test('J1 facts of form 1 are read', () => {
  const events = readFixture(1);
  expect(events.map(({ at }) => at)).toEqual(KINDS.map((_, at) => at + 1));
  expect(events.map(({ type }) => type).sort()).toEqual(KINDS.sort());
  expect(events.find(({ type }) => type === 'task_admitted')).toMatchObject({
    parentRun: number,
    background: true,
    byModel: true,
    cap: { tokens: number, costUsd: number, turns: number },
    text,
    spec: {
      label: text,
      nickname: text,
      contextHint: text,
      tools: [text, text],
      systemPrompt: text,
      profile: text,
      modelId: text,
      agent: text,
      maxTurns: number,
      timeoutMs: number,
      idleTimeoutMs: number,
      turnEstimate: number,
      priority: number,
      rateLimitKey: text,
      disallowedTools: [text, text],
      originChannel: text,
      originChatId: text,
      json: true,
      onParentEnd: 'adopt',
      metadata: { n: number },
      retry: { max: number, backoffMs: number, on: ['finished', 'finished'] },
      turnEstimateUsd: number,
      effort: text,
      mustHave: expect.anything(),
      maxSpawns: number,
    },
    unanswerable: true,
    first: { rank: number, round: number, waitingFor: 'abandoned' },
    once: { key: text, digest: number, until: number },
  });
  expect(events.find(({ type }) => type === 'turn_started')).toMatchObject({ whole: true });
  expect(events.find(({ type }) => type === 'tokens_used')).toMatchObject({ kinds: { inputTokens: number, estimated: true } });
  expect(events.find(({ type }) => type === 'data_saved')).toMatchObject({ run: number, data: expect.anything() });
  expect(events.find(({ type }) => type === 'resource_acquired')).toMatchObject({ data: expect.anything() });
  expect(events.find(({ type }) => type === 'resource_released')).toMatchObject({ serial: number, owner: text });
});

test('J1 what came with a later form is left out of what is of an earlier one', () => {
  const reading = (form: number): FactBytes => new FactBytes(Uint8Array.of(1, 0), undefined, form);
  expect([8, 9, 10].map((form) => reading(form).hasSince(9))).toEqual([false, true, true]);
});
