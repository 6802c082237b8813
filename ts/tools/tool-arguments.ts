// The arguments that a model gives to the `SubAgent` tool. Owns their checking: they are never assumed
// to be what the schema asks for, and every mistake is named so that the model can correct it.

import { describe, messageOf } from '../base/errors.js';
import { quoted } from '../base/quoting.js';
import { ERROR_CHARS } from '../generated/quoting.js';
import { entriesOf, propertyOf } from '../options/arguments.js';
import type { SubAgentParamsType } from '../options/spawn.js';

/** The arguments where all is well, else the mistakes, a sentence each. */
export type CheckedArguments =
  | {
      /** The very object, for the host, unless arguments in it are null: then a copy without those. */
      params: SubAgentParamsType;
      /** What was read of it and checked, nulls left out. */
      checked: SubAgentParamsType & { agent?: string };
    }
  | { mistakes: string[] };

/** Checks arguments; never throws, whatever they are. `agents`: the names that `agent` may have, if there is such a parameter. */
export function checkArguments(args: unknown, agents: readonly string[] = []): CheckedArguments {
  try {
    return check(typeof args === 'string' ? JSON.parse(args) : args, agents);
  } catch (error) {
    return { mistakes: [`the arguments can't be read: ${quoted(messageOf(error), ERROR_CHARS)}`] };
  }
}

function check(args: unknown, agents: readonly string[]): CheckedArguments {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return { mistakes: [`the arguments must be an object with \`instructions\`, got ${describe(args)}`] };
  }
  const mistakes: string[] = [];
  const given = (name: string): unknown => propertyOf(args, name);
  // Read once: a getter may give something else the second time.
  const [instructions, systemPrompt] = [given('instructions'), given('systemPrompt')];
  const [maxTurns, maxCost, background] = [given('maxTurns'), given('maxCost'), given('background')];
  // Where no kind is defined it is no parameter, and ignored as any other that the schema doesn't know.
  const agent = agents.length > 0 ? given('agent') : undefined;
  const tools = listOf(given('tools'));
  const wrong = (name: string, expected: string, got: unknown): void => {
    mistakes.push(`\`${name}\` must be ${expected}, got ${describe(got)}`);
  };
  if (typeof instructions !== 'string' || instructions.trim() === '')
    wrong('instructions', 'a text that says the whole task', instructions);
  if (!absent(tools) && !(Array.isArray(tools) && tools.every((name) => typeof name === 'string')))
    wrong('tools', 'a list of tool names', tools);
  if (!absent(systemPrompt) && typeof systemPrompt !== 'string') wrong('systemPrompt', 'a text', systemPrompt);
  if (!absent(maxTurns) && !(Number.isInteger(maxTurns) && (maxTurns as number) >= 1))
    wrong('maxTurns', 'a whole number of at least 1', maxTurns);
  if (!absent(maxCost) && !(typeof maxCost === 'number' && maxCost > 0 && maxCost < Number.POSITIVE_INFINITY))
    wrong('maxCost', 'a number of US dollars above 0', maxCost);
  if (!absent(background) && typeof background !== 'boolean') wrong('background', 'true or false', background);
  if (!absent(agent) && !(typeof agent === 'string' && agents.includes(agent))) wrong('agent', `one of ${agents.join(', ')}`, agent);
  if (mistakes.length > 0) return { mistakes };
  const read = Object.entries({ instructions, tools, systemPrompt, maxTurns, maxCost, background, agent });
  const nulls = read.filter(([, value]) => value === null).map(([name]) => name);
  return {
    params: (nulls.length === 0 ? args : without(args, nulls)) as SubAgentParamsType,
    checked: Object.fromEntries(read.filter(([, value]) => !absent(value))) as unknown as SubAgentParamsType & { agent?: string },
  };
}

/** A copy without some fields: what a model left out, a host's types don't know as null. Runs none of the object's getters. */
function without(args: object, names: readonly string[]): object {
  const fields = Object.getOwnPropertyDescriptors(args) as PropertyDescriptorMap;
  for (const name of names) delete fields[name];
  return Object.create(Object.getPrototypeOf(args) as object | null, fields) as object;
}

function listOf(tools: unknown): unknown {
  return Array.isArray(tools) ? entriesOf('`tools`', tools) : tools;
}

/** Models often send null for what they leave out. */
function absent(value: unknown): boolean {
  return value === undefined || value === null;
}
