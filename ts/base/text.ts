// Texts as strings. Owns how a text is made well formed, and cut at a length in bytes. Knows no sub-agent.

interface WellFormed {
  isWellFormed?(): boolean;
  toWellFormed?(): string;
}

/**
 * Replaces half a surrogate pair, which has no UTF-8, by U+FFFD. The core stores that too, so waiting callers get the same
 * (R8).
 */
export function wellFormed(text: string): string {
  const checked = text as WellFormed;
  const isFine = checked.isWellFormed?.() ?? !/[\ud800-\udfff]/u.test(text);
  return isFine ? text : (checked.toWellFormed?.() ?? text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/** Makes the texts in JSON well formed. `JSON.stringify` escapes half a pair, and nothing else that begins like it. */
export function wellFormedJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (part) => (part.length > 2 ? '\ufffd' : part));
}

/** Maximum depth, and number of values, in which texts are replaced. */
const DEEPEST = 32;
const MOST = 100_000;

/**
 * A value with well-formed texts: the value itself if they are, else a copy. Runs no getter; looks into plain objects and
 * lists.
 */
export function wellFormedIn<T>(value: T): T {
  try {
    return replacedIn(value, 0, { left: MOST }) as T;
  } catch {
    // A proxy threw: its next reader reports it.
    return value;
  }
}

function replacedIn(value: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isList = Array.isArray(value);
  if (!isList && prototype !== Object.prototype && prototype !== null) return value;
  const fields = Object.entries<PropertyDescriptor>(Object.getOwnPropertyDescriptors(value));
  let isChanged = false;
  for (const entry of fields) {
    budget.left -= 1;
    if (budget.left < 0) return value;
    const [name, field] = entry;
    entry[0] = wellFormed(name);
    const part: unknown = 'value' in field ? replacedIn(field.value, depth + 1, budget) : undefined;
    isChanged ||= entry[0] !== name || part !== field.value;
    if ('value' in field) field.value = part;
  }
  // There, a name such as `__proto__` is like any other.
  return isChanged ? Object.defineProperties(isList ? [] : Object.create(prototype as object | null), Object.fromEntries(fields)) : value;
}

/** The longest beginning of a text with at most this many UTF-8 bytes. Never cuts a character. */
export function headOf(text: string, bytes: number): string {
  let used = 0;
  for (let index = 0; index < text.length; ) {
    const point = text.codePointAt(index) as number;
    used += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (used > bytes) return text.slice(0, index);
    index += point > 0xffff ? 2 : 1;
  }
  return text;
}

/** Whether a text is blank. A first character of printable ASCII, as most texts have, settles it. */
export function isBlankText(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && text.trim() === '';
}

/** `1 turn`, `2 turns`. `many`: the plural, if it isn't made with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
