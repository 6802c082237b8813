// Errors for unknown option and field names, with a suggestion. Parts of the package that are built apart import it
// too.

import { SubAgentError } from './error-class.js';
import { nearestOf } from './nearest.js';

/** `unknown` if a list of names has every key of a type, else `never`. */
export type Complete<T, Names extends readonly string[]> = [Exclude<keyof T, Names[number]>] extends [never] ? unknown : never;

/**
 * Refuses options that are no object, and options that are not in `known`. The compiler checks that `known` has every key of
 * the type.
 */
export function checkOptions<T extends object, const Names extends readonly (keyof T & string)[]>(
  call: string,
  options: T,
  known: Names & Complete<T, Names>,
): T {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new SubAgentError('invalid_argument', `the options of ${call} must be an object`, { argument: 'options', expected: 'an object' });
  const unknownName = Object.keys(options).find((name) => !(known as readonly string[]).includes(name));
  if (unknownName !== undefined) throw unknownOption(call, unknownName, known);
  return options;
}

/** Refuses the options that are left after all known ones are taken out. */
export function noOtherOptions(what: string, rest: object, known: Iterable<string>): void {
  const [unknownName] = Object.keys(rest);
  if (unknownName !== undefined) throw unknownOption(what, unknownName, known);
}

/** The error for an unknown option. */
export function unknownOption(what: string, name: string, known: Iterable<string>): SubAgentError {
  return unknownPart(`${what} has no option \`${name}\``, name, known, { argument: name });
}

/** Maximum number of names in an error. */
const LISTED = 15;

/** Lists the known names; of many, the first. */
function itHas(known: readonly string[]): string {
  if (known.length === 0) return '; it has none';
  return `; it has ${known.slice(0, LISTED).join(', ')}${known.length > LISTED ? ', …' : ''}`;
}

/** Like `noOtherOptions`, for an option that is an object; `known` lists its fields. */
export function noOtherFields(name: string, rest: object, known: readonly string[]): void {
  const [unknownName] = Object.keys(rest);
  if (unknownName === undefined) return;
  const argument = `${name}.${unknownName}`;
  throw unknownPart(`\`${name}\` has no \`${unknownName}\``, unknownName, known, { argument });
}

/** The error for a field that nothing reads: its value would be lost silently. */
export function unknownField(what: string, name: string, known: readonly string[]): SubAgentError {
  return unknownPart(`${what} has no \`${name}\``, name, known, { argument: name });
}

/** Suggests the known name that was probably meant, or else lists the known names. */
export function unknownPart(message: string, name: string, known: Iterable<string>, details: { argument: string }): SubAgentError {
  const names = [...known];
  const suggestion = nearestOf(name, names);
  if (suggestion === undefined) return new SubAgentError('invalid_argument', message + itHas(names), details);
  return new SubAgentError('invalid_argument', `${message}; did you mean \`${fieldOf(name, suggestion)}\`?`, { ...details, suggestion });
}

/** The field of the budget that was probably meant, if the given name shows it. */
function fieldOf(name: string, suggestion: string): string {
  const [said] = suggestion === 'budget' ? (/cost|usd|token/i.exec(name) ?? []) : [];
  return said === undefined ? suggestion : `budget: { ${/token/i.test(said) ? 'tokens' : 'costUsd'} }`;
}
