// Checks of JSON values, for the keywords of a schema. Owns how values are compared, and the path of a field. Knows no
// keyword.

import { isObject } from '../../base/json.js';

/** Returns the mistake in a value with its place, or nothing. */
export type Check = (value: unknown, at: string) => string | undefined;

/** Checks of numbers, of texts, of lists and of objects. Values of other types pass. */
export const ofNumbers =
  (holds: (value: number) => boolean, says: string): Check =>
  (value, at) =>
    typeof value === 'number' && !holds(value) ? `${at} must be ${says}` : undefined;
export const ofTexts =
  (holds: (value: string) => boolean, says: string): Check =>
  (value, at) =>
    typeof value === 'string' && !holds(value) ? `${at} must have ${says}` : undefined;
export const ofLists =
  (holds: (value: unknown[]) => boolean, says: string): Check =>
  (value, at) =>
    Array.isArray(value) && !holds(value) ? `${at} must have ${says}` : undefined;
export const ofObjects =
  (holds: (value: Readonly<Record<string, unknown>>) => boolean, says: string): Check =>
  (value, at) =>
    isObject(value) && !holds(value) ? `${at} must have ${says}` : undefined;

/** Checks each field of an object by its name and value. */
export const eachField =
  (check: (name: string, value: unknown, at: string) => string | undefined): Check =>
  (value, at) => {
    if (!isObject(value)) return undefined;
    for (const name of Object.keys(value)) {
      const wrong = check(name, value[name], at);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };

/** Part of another keyword: alone it means nothing. */
export const checksNothing: Check = () => undefined;

/** Names the first of these fields that an object lacks. */
export const lacking = (names: readonly string[], value: Readonly<Record<string, unknown>>, at: string): string | undefined => {
  const missing = names.find((name) => !Object.hasOwn(value, name));
  return missing === undefined ? undefined : `${field(at, missing)} is missing`;
};

/** Whether two JSON values are the same; the order of fields doesn't count. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other) || one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => same(entry, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return names.length === others.length && names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]));
}

/** A text that is equal for equal JSON values: a model may send very many of them to compare. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}

export const points = (text: string): number => [...text].length;
export const field = (at: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${at}.${name}` : `${at}[${JSON.stringify(name)}]`;
