// The parameters of the model's tools, by meaning. Owns their bounds and texts. The core's tables have their names in
// each preset.

import { TASK_STATUSES } from '../generated/names.js';
import type { SubAgentParamsType } from '../options/generated/spawn.js';
import type { FieldSchema } from './fields.js';

/** The meaning of a parameter. */
export type Meaning = keyof typeof SCHEMAS | keyof SubAgentParamsType | 'agent';

/** The longest wait of one call, in milliseconds. */
const MAX_WAIT_MS = 600_000;
/** The largest page of a result or of a list: characters, sub-agents. */
export const MAX_PAGE = { characters: 16_000, agents: 100 } as const;

/** Each parameter's schema in every tool; the others are described as in the `SubAgent` tool. */
export const SCHEMAS = /* @__PURE__ */ schemas({
  instructions: {
    type: 'string',
    minLength: 1,
    description:
      'The whole task, complete in itself: the goal, the material or where to find it, and what is known. Add the limits and the form of the answer. The sub-agent knows nothing else.',
  },
  label: { type: 'string', description: 'Three to five words for display.' },
  nickname: {
    type: 'string',
    minLength: 1,
    description: 'A short name of your choice, by which you can address it later in place of its id.',
  },
  continues: {
    type: 'string',
    minLength: 1,
    description: 'The id of an earlier sub-agent that continues, with what it knows, in place of a new one.',
  },
  target: { type: 'string', minLength: 1, description: 'The id of the sub-agent, as it was given when it started.' },
  targets: {
    type: 'array',
    items: { type: 'string' },
    description: 'Ids of sub-agents. Leave it out for all of yours that are running, or whose results you have not had yet.',
  },
  message: { type: 'string', minLength: 1, description: 'The message, complete in itself.' },
  mode: { type: 'string', description: '' },
  block: { type: 'boolean', description: 'Whether to wait for its end. Default: true.' },
  timeoutMs: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_WAIT_MS,
    description: 'How long to wait, in milliseconds. That the time runs out stops no sub-agent.',
  },
  status: { type: 'array', items: { type: 'string' }, description: '' },
  offset: { type: 'integer', minimum: 0, description: 'How many to skip. Default: 0.' },
  limit: { type: 'integer', minimum: 1, description: '' },
});

/** A parameter's schema in one tool alone, by operation and meaning. */
export const IN_ONE_TOOL: Readonly<Partial<Record<`${string} ${Meaning}`, Partial<FieldSchema>>>> = {
  'wait mode': { enum: ['all', 'any'], description: 'Whether to wait for all of them, or for the first end. Default: all.' },
  'send mode': {
    enum: ['queue', 'steer', 'interrupt'],
    description:
      'When it reads the message: queue, after its current run (default); steer, at its next turn; interrupt, at once, its current run is stopped.',
  },
  'list status': /* @__PURE__ */ amongStatuses(),
  'list limit': /* @__PURE__ */ pageOf('agents'),
  'read limit': /* @__PURE__ */ pageOf('characters'),
  'read offset': { description: 'At which character the page begins. Default: 0.' },
};

function amongStatuses(): Partial<FieldSchema> {
  return { description: `Only those that are: ${TASK_STATUSES.join(', ')}.` };
}

function pageOf(what: keyof typeof MAX_PAGE): Partial<FieldSchema> {
  const maximum = MAX_PAGE[what];
  return { maximum, description: `How many at most. Default: ${maximum}.` };
}

/** The rows unchanged, with their names as a type. */
function schemas<Means extends string>(rows: Readonly<Record<Means, FieldSchema>>): Readonly<Record<Means, FieldSchema>> {
  return rows;
}
