// What is saved and opened: all events of a view as a file of JSON lines, and such a file. Owns its form, and that neither
// a long view nor a long file keeps the page from answering.

import type { InspectorBatch, InspectorSource, SubAgentEvent, View } from 'subagents/view';

/** `Infinity`, which JSON has not, is read back from this. */
const INFINITE = '\u221e';
/** So many events are written, or given to the page, at once. */
const STEP = 4_096;
/** So much of the end of a file is read first, for the number of its last event. */
const TAIL = 1 << 20;

export async function saved(view: View): Promise<Blob> {
  const parts: Blob[] = [];
  for (let from = view.first; from > 0 && from <= view.last; from += STEP) {
    const lines = view
      .events(from, from + STEP - 1)
      .map((event) => `${JSON.stringify(event, (_name, value: unknown) => (value === Number.POSITIVE_INFINITY ? INFINITE : value))}\n`);
    parts.push(new Blob(lines));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return new Blob(parts, { type: 'application/x-ndjson' });
}

/**
 * The events of a file of JSON lines, or of a JSON array. Rejects with the line of its beginning that can't be read; what
 * can't be read further on is told as damage.
 */
export async function fileSource(title: string, file: Blob): Promise<InspectorSource> {
  const first = await firstBatch(file);
  if (first.length === 0) throw new Error('there is no event in it');
  const last = Math.max(await lastIn(file), first.at(-1)?.seq ?? 0);
  return {
    info: async () => ({ title, live: false, commands: [], first: first[0]?.seq ?? 1, last }),
    async *events(from): AsyncIterable<InspectorBatch> {
      try {
        for await (const events of batches(file)) yield { events: events.filter(({ seq }) => seq >= from) };
      } catch (error) {
        yield { events: [], damage: { message: error instanceof Error ? error.message : String(error) } };
      }
    },
    command: async () => ({ ok: false, code: 'read_only', message: 'these events are over: there is no manager to ask' }),
  };
}

async function firstBatch(file: Blob): Promise<readonly SubAgentEvent[]> {
  for await (const events of batches(file)) if (events.length > 0) return events;
  return [];
}

/** The number of the last event, where the last line can be read. */
async function lastIn(file: Blob): Promise<number> {
  const text = await file.slice(Math.max(0, file.size - TAIL)).text();
  try {
    const { seq } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { seq?: unknown };
    return typeof seq === 'number' ? seq : 0;
  } catch {
    return 0;
  }
}

/** The events of a file, as many at once as a part of it has. */
async function* batches(file: Blob): AsyncGenerator<SubAgentEvent[]> {
  if ((await file.slice(0, 1_024).text()).trimStart().startsWith('[')) {
    yield (parsed(await file.text()) as unknown[]).map((value, at) => eventOf(value, at + 1));
    return;
  }
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  const read = (lines: readonly string[]): SubAgentEvent[] =>
    lines.flatMap((line) => {
      number += 1;
      if (line.trim() === '') return [];
      try {
        return [eventOf(parsed(line), number)];
      } catch (error) {
        throw new Error(`line ${number} is no event: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
  try {
    for (let isOver = false; !isOver; ) {
      const { done, value } = await reader.read();
      isOver = done;
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = isOver ? '' : (lines.pop() ?? '');
      yield read(lines);
    }
  } finally {
    await reader.cancel();
  }
}

/** Most events have no such number, and reading them without a second look at each value is several times as fast. */
function parsed(json: string): unknown {
  if (!json.includes(INFINITE)) return JSON.parse(json);
  return JSON.parse(json, (_name, value: unknown) => (value === INFINITE ? Number.POSITIVE_INFINITY : value));
}

function eventOf(value: unknown, line: number): SubAgentEvent {
  const { seq, at, type } = (value ?? {}) as { seq?: unknown; at?: unknown; type?: unknown };
  if (typeof seq !== 'number' || typeof at !== 'number' || typeof type !== 'string')
    throw new Error(`number ${line} has no seq, at and type`);
  return value as SubAgentEvent;
}
