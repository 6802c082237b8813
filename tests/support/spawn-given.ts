// A spawn that gives every option, and what a later run of it gets of them as `params`: one that answers a message, or that another
// process begins.

import { expect } from 'vitest';
import type { SpawnOptions } from '../../dist/index.js';

/** Each field that is JSON and the manager's own. */
export const OURS: SpawnOptions = {
  instructions: 'dig “deep” 🪏',
  label: 'a label',
  nickname: 'ann',
  contextHint: 'a hint',
  tools: ['Read', 'Grep'],
  systemPrompt: 'be brief',
  agent: 'digger',
  modelId: 'model-1',
  profile: 'minimal',
  maxTurns: 7,
  maxCost: 1.25,
  timeoutMs: 60_001,
  idleTimeoutMs: 60_002,
  turnEstimate: 123,
  priority: 3,
  rateLimitKey: 'key-a',
  onParentEnd: 'adopt',
  metadata: { row: 7, tags: ['a', null] },
  retry: { max: 2, backoffMs: 5 },
  background: true,
  budget: { tokens: 5_000, turns: 9 },
  idempotencyKey: 'once',
  format: 'json',
  origin: { channel: 'chat', chatId: '42' },
};

const { idempotencyKey: _, ...kept } = OURS;

/** What is kept of them: a key is the spawn's alone, the caps are those that hold, and of `retry` all that it means is there. */
export const KEPT: object = {
  ...kept,
  budget: { tokens: 5_000, turns: 9, costUsd: 1.25 },
  retry: expect.objectContaining(OURS.retry as object),
};
