// The recorded journal, as events.

import { readFileSync } from 'node:fs';

export function eventsOf() {
  const text = readFileSync(new URL('journal.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, (_name, value) => (value === '\u221e' ? Number.POSITIVE_INFINITY : value)));
}
