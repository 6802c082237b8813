// The parameters of the tools for a model: what each may mean, and what it is to the model. Owns their bounds, and
// their words where these are the same in every tool; what depends on the tool or on the host's limits is set in
// `tool-set.ts`. What a parameter is called in each preset stands in the tables of the core.

import type { FieldSchema } from './fields.js';

/** What a parameter may mean. */
export type Meaning = keyof typeof SCHEMAS;

/** The longest that a model may wait in one call, in milliseconds. */
const MAX_WAIT_MS = 600_000;
/** The most that one page of a result or of a list may have: characters, sub-agents. */
export const MAX_PAGE = { characters: 16_000, agents: 100 } as const;

/** What each parameter is to the model. */
export const SCHEMAS = /* @__PURE__ */ schemas({
  instructions: {
    type: 'string',
    minLength: 1,
    description:
      'The whole task, complete in itself: the goal, the material or where to find it, what is known already, the limits, and the form of the answer. The sub-agent knows nothing else.',
  },
  label: { type: 'string', description: 'Three to five words for display.' },
  nickname: {
    type: 'string',
    minLength: 1,
    description: 'A short name of your choice, by which you can address it later in place of its id.',
  },
  contextHint: { type: 'string', description: 'What it should know beside the task.' },
  tools: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the tools it may use. Leave it out for all that you may hand on.',
  },
  systemPrompt: { type: 'string', description: 'A system prompt of its own, in place of the usual one.' },
  maxTurns: { type: 'integer', minimum: 1, description: 'How many times its model may be called.' },
  maxCost: { type: 'number', exclusiveMinimum: 0, description: 'What it may cost, in US dollars.' },
  background: { type: 'boolean', description: 'Start it and go on; its result comes later.' },
  agent: { type: 'string', description: 'What kind of sub-agent.' },
  continues: {
    type: 'string',
    minLength: 1,
    description: 'The id of an earlier sub-agent that is to go on, with what it knows, in place of a new one.',
  },
  target: { type: 'string', minLength: 1, description: 'The id of the sub-agent, as it was given when it started.' },
  targets: {
    type: 'array',
    items: { type: 'string' },
    description: 'Ids of sub-agents. Leave it out for all of yours that are running, or whose results you have not had yet.',
  },
  message: { type: 'string', minLength: 1, description: 'The message, complete in itself.' },
  mode: { type: 'string', description: '' },
  interrupt: { type: 'boolean', description: 'Stop its current run, and have it work on this message next. Default: false.' },
  profile: { type: 'string', description: '' },
  block: { type: 'boolean', description: 'Whether to wait for its end. Default: true.' },
  timeoutMs: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_WAIT_MS,
    description: 'How long to wait, in milliseconds. That the time runs out stops no sub-agent. Default: 30000.',
  },
  status: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only those that are: pending, running, idle, completed, failed, timed_out, cancelled, interrupted, closed.',
  },
  offset: { type: 'integer', minimum: 0, description: 'How many to skip. Default: 0.' },
  limit: { type: 'integer', minimum: 1, description: '' },
});

/** The rows as they are, with the list of their names as a type. */
function schemas<Means extends string>(rows: Readonly<Record<Means, FieldSchema>>): Readonly<Record<Means, FieldSchema>> {
  return rows;
}
