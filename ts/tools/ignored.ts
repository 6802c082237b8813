// Arguments of a tool that its schema doesn't know. They are ignored (D6); owns that the model is told so, since it may have meant
// a limit by one, and what of them it is told.

import { nearestOf } from '../base/nearest.js';
import { jsonForModel, quoted } from '../base/quoting.js';
import { parsed } from './fields.js';

/** How many are named: more are no slip. */
const MOST = 5;

/** The arguments that are ignored, as a list in a sentence, each with what was probably meant; empty where there are none. */
export function ignoredOf(args: unknown, known: readonly string[]): string {
  try {
    const given = parsed(args);
    if (typeof given !== 'object' || Array.isArray(given) || Object.keys(given).every((name) => known.includes(name))) return '';
    // What is null was left out. No getter is run: what was checked was read once.
    const names = Object.entries(Object.getOwnPropertyDescriptors(given)).flatMap(([name, { enumerable, value }]) =>
      enumerable === true && value !== undefined && value !== null ? [name] : [],
    );
    const unknown = names.filter((name) => !known.includes(name));
    const open = known.filter((name) => !names.includes(name));
    const told = unknown.slice(0, MOST).map((name) => {
      const meant = nearestOf(name, open);
      return `\`${quoted(name)}\`${meant === undefined ? '' : ` (did you mean \`${meant}\`?)`}`;
    });
    return `${told.join(', ')}${unknown.length > MOST ? ` and ${unknown.length - MOST} more` : ''}`;
  } catch {
    // What can't be read is a mistake, which is told as that.
    return '';
  }
}

/** An answer that says what was ignored: in a line, or, where it is JSON, which has to stay that, as a field. A list has none. */
export function withIgnored(text: string, ignored: string): string {
  const json = jsonIn(text);
  if (json === undefined) return `${text}\nIgnored: ${ignored}.`;
  return Array.isArray(json) ? text : jsonForModel({ ...json, ignored });
}

/** The object or the list that a text is. */
function jsonIn(text: string): object | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
