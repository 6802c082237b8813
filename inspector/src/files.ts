// Files that a person opens, drops on the page, or saves. Owns how the kind of a journal is recognised, and the advice
// if a file is none. A long view or file never blocks the page; a dropped folder is searched.

import type { InspectorBatch, InspectorSource, View, ViewBase } from 'subagents/view';
import { listSource } from './contents.js';
import { isListed, LineReader, lineOf } from './lines.js';

const SQLITE = 'SQLite format 3\0';
/** The first characters of a store's file; see `ts/stores/file/layout.ts`. */
const STORE = '\u0089SUB';
const HEAD_BYTES = 64;
/** Events that are written at once. */
const STEP = 4_096;
/** The part of a file's end that is read first, for the number of its last event. */
const TAIL = 1 << 20;

/** All events of a view, as lines. @param base the view's base, if it lacks the beginning */
export async function saved(view: View, base: ViewBase | undefined): Promise<Blob> {
  const parts: Blob[] = base === undefined ? [] : [new Blob([lineOf({ base })])];
  for (let from = view.first; from > 0 && from <= view.last; from += STEP) {
    parts.push(new Blob(view.events(from, from + STEP - 1).map(lineOf)));
    await new Promise((resolve) => setTimeout(resolve));
  }
  parts.push(new Blob(view.refusals().map((refused) => lineOf({ refused }))));
  return new Blob(parts, { type: 'application/x-ndjson' });
}

/** Opens a journal. Rejects with advice if the file is no journal; later mistakes are reported as damage. */
export async function openJournal(file: Blob, name: string): Promise<InspectorSource> {
  const head = await headOf(file);
  if (head === '') throw new Error('it is empty');
  if (head.startsWith(SQLITE))
    throw new Error(`it is a SQLite database, which no page can read: run \`npx subagents inspect --web ${name}\``);
  if (!head.startsWith(STORE)) return linesSource(name, file);
  const { readStored } = await import('./stored.js').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`to read the file of a store, this page needs \`inspector-stored.js\` beside the inspector: ${why}`);
  });
  const contents = await readStored(bytesOf(file), file.size, name);
  if (contents.events.length === 0 && contents.base === undefined) throw nothingIn(contents.damage);
  return listSource(name, contents);
}

function nothingIn(damage: { readonly message: string } | undefined): Error {
  return new Error(damage?.message ?? 'there is no event in it');
}

/** A file of lines, which is read at the page's own speed. */
async function linesSource(title: string, file: Blob): Promise<InspectorSource> {
  let first: InspectorBatch | undefined;
  for await (const batch of batches(file)) {
    if (first === undefined || first.events.length === 0) first = { ...first, ...batch };
    if (first.events.length > 0) break;
  }
  if (first === undefined || (first.events.length === 0 && first.base === undefined)) throw nothingIn(first?.damage);
  const begins = first.base?.seq ?? first.events[0]?.seq ?? 1;
  const last = Math.max(await lastIn(file), first.events.at(-1)?.seq ?? begins);
  return {
    info: async () => ({ title, live: false, calls: [], first: begins, last }),
    async *events(from): AsyncIterable<InspectorBatch> {
      for await (const { base, events, ...batch } of batches(file)) {
        yield { ...batch, events: events.filter(({ seq }) => seq >= from), ...(base !== undefined && from <= base.seq && { base }) };
      }
    },
    call: async () => ({ error: { code: 'read_only', message: 'these events are over: there is no manager to ask' } }),
  };
}

/** The number of the last event, if its line can be read. */
async function lastIn(file: Blob): Promise<number> {
  const text = await file.slice(Math.max(0, file.size - TAIL)).text();
  const line = text
    .trimEnd()
    .split('\n')
    .findLast((each) => !each.startsWith('{"refused"'));
  try {
    const { seq } = JSON.parse(line ?? '') as { seq?: unknown };
    return typeof seq === 'number' ? seq : 0;
  } catch {
    return 0;
  }
}

/** The batches of a file of lines, one for each part of the file. Ends with the damage, if there is any. */
async function* batches(file: Blob): AsyncGenerator<InspectorBatch> {
  const lines = new LineReader();
  let isTold = false;
  const batch = (): InspectorBatch => {
    const { base, damage } = lines;
    const begins = base !== undefined && !isTold;
    isTold = true;
    return { ...lines.taken(), ...(begins && { base }), ...(damage !== undefined && { damage: { message: damage.message } }) };
  };
  if (isListed(await file.slice(0, 1_024).text())) {
    lines.list(await file.text());
    yield batch();
    return;
  }
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let isOver = false; !isOver; ) {
      const { done, value } = await reader.read();
      const whole = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = whole.pop() ?? '';
      const isWhole = whole.every((line) => lines.line(line)) && (!done || lines.line(rest, true));
      isOver = done || !isWhole;
      yield batch();
    }
  } finally {
    await reader.cancel();
  }
}

async function headOf(file: Blob): Promise<string> {
  return String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
}

/** A file of a page, with the reading methods of an open file. */
function bytesOf(file: Blob) {
  return {
    async read(into: Uint8Array, offset: number, length: number, at: number): Promise<{ bytesRead: number }> {
      const part = new Uint8Array(await file.slice(at, at + length).arrayBuffer());
      into.set(part, offset);
      return { bytesRead: part.length };
    },
  };
}

/**
 * The journal in a drop: the file, or the one file of a folder that is a journal. A store's lock, and the file that it is
 * compacted into, are none.
 */
export async function dropped(given: DataTransfer): Promise<File | undefined> {
  const entry = given.items[0]?.webkitGetAsEntry?.();
  const file = given.files[0];
  if (!entry?.isDirectory) return file;
  const found: File[] = [];
  for (const each of await filesIn(entry as FileSystemDirectoryEntry)) {
    if (/\.(?:lock|new)$/u.test(each.name)) continue;
    const head = await headOf(each);
    if (head.startsWith(STORE) || head.startsWith(SQLITE) || /^\s*\{"/u.test(head)) found.push(each);
  }
  if (found.length === 1) return found[0];
  const names = found.map(({ name }) => name).join(', ');
  throw new Error(
    found.length === 0 ? 'there is no journal in this folder' : `there are several journals in this folder: drop one of ${names}`,
  );
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const entry of entries.filter(({ isFile }) => isFile))
      files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
  }
}
