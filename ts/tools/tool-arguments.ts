// The arguments that a model gives to the `SubAgent` tool. Owns which object the host gets: the model's own, or a copy
// if parameters in it count as left out.

import type { SubAgentParamsType } from '../options/generated/spawn.js';
import { checkFields, type Field } from './fields.js';

/** The arguments if all are right, else the mistakes, a sentence each. */
export type CheckedArguments =
  | {
      /** The very object, for the host; if arguments in it count as left out, a copy without those. */
      params: SubAgentParamsType;
      /** The checked arguments without those. */
      checked: SubAgentParamsType & { agent?: string };
    }
  | { mistakes: string[] };

/** Checks arguments; never throws, whatever they are. `fields`: the parameters, whose names are their meanings. */
export function checkArguments(args: unknown, fields: readonly Field[]): CheckedArguments {
  const checked = checkFields(fields, args);
  if ('mistakes' in checked) return checked;
  const { given, params, leftOut } = checked;
  return {
    params: (leftOut.length === 0 ? given : without(given, leftOut)) as SubAgentParamsType,
    checked: params as unknown as SubAgentParamsType & { agent?: string },
  };
}

/** A copy without some fields: a host's types don't know a model's placeholders. Runs none of the object's getters. */
function without(args: object, names: readonly string[]): object {
  const fields = Object.getOwnPropertyDescriptors(args) as PropertyDescriptorMap;
  for (const name of names) delete fields[name];
  return Object.create(Object.getPrototypeOf(args) as object | null, fields) as object;
}
