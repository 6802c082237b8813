// Arguments of a tool that its schema doesn't know. They are ignored (D6); owns that the model reads so, since it may have meant
// a limit by one, and what it reads of them.

import { nearestOf } from '../base/nearest.js';
import { jsonForModel, quoted } from '../base/quoting.js';
import { type Field, isBlank, parsedArguments, targetMeantBy, unknownIn } from './fields.js';

/** How many are named: more are no slip. */
const MOST = 5;

/** The arguments that are ignored, as a list in a sentence, each with what was probably meant; empty if there are none. */
export function ignoredOf(args: unknown, fields: readonly Field[]): string {
  try {
    const given = parsedArguments(args);
    if (typeof given !== 'object' || Array.isArray(given)) return '';
    // One that looks like a target is a mistake, which the answer names.
    const unknown = unknownIn(fields, given).filter((name) => targetMeantBy(fields, name) === undefined);
    const open = fields.map(({ name }) => name).filter((name) => isBlank(Object.getOwnPropertyDescriptor(given, name)?.value));
    const names = unknown.slice(0, MOST).map((name) => {
      const meant = nearestOf(name, open);
      return `\`${quoted(name)}\`${meant === undefined ? '' : ` (did you mean \`${meant}\`?)`}`;
    });
    return `${names.join(', ')}${unknown.length > MOST ? ` and ${unknown.length - MOST} more` : ''}`;
  } catch {
    // What can't be read is a mistake, which is shown as that.
    return '';
  }
}

/** An answer that says what was ignored: in a line, or, where it is JSON, which has to stay that, as a field. */
export function withIgnored(text: string, ignored: string): string {
  const json = jsonIn(text);
  if (json === undefined) return `${text}\nIgnored: ${ignored}.`;
  return jsonForModel({ ...json, ignored });
}

/** The object that a text is. */
function jsonIn(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
