// What is saved and opened: all events of a view as a file of JSON lines, and such a file. Owns its form.

import type { SubAgentEvent, View } from 'subagents/view';

/** `Infinity`, which JSON has not, is read back from this. */
const INFINITE = '\u221e';

export function saved(view: View): Blob {
  const lines = view
    .events()
    .map((event) => `${JSON.stringify(event, (_name, value: unknown) => (value === Number.POSITIVE_INFINITY ? INFINITE : value))}\n`);
  return new Blob(lines, { type: 'application/x-ndjson' });
}

/** The events of a file of JSON lines, or of a JSON array. Throws with the line that can't be read. */
export function eventsOf(text: string): SubAgentEvent[] {
  const read = (json: string): unknown =>
    JSON.parse(json, (_name, value: unknown) => (value === INFINITE ? Number.POSITIVE_INFINITY : value));
  const trimmed = text.trimStart();
  if (trimmed.startsWith('[')) return (read(trimmed) as unknown[]).map((value, at) => eventOf(value, at + 1));
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      return [eventOf(read(line), at + 1)];
    } catch (error) {
      throw new Error(`line ${at + 1} is no event: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

function eventOf(value: unknown, line: number): SubAgentEvent {
  const { seq, at, type } = (value ?? {}) as { seq?: unknown; at?: unknown; type?: unknown };
  if (typeof seq !== 'number' || typeof at !== 'number' || typeof type !== 'string')
    throw new Error(`number ${line} has no seq, at and type`);
  return value as SubAgentEvent;
}
