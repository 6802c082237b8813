// The journal in the file of a store, read from its bytes, in a page or in Node: what can be trusted of it, and where it is
// damaged. It needs the core, which decodes records, so that a page loads it when such a file is opened.

import { type StoreContents, SubAgentManager } from 'subagents';
import { journal } from 'subagents/journal';
import { baseOf, type SubAgentEvent } from 'subagents/view';
import { FileBytes, type Readable } from '../../ts/stores/file/reading.js';
import { readWhole, recordsOf } from '../../ts/stores/file/whole.js';
import type { Damage, JournalContents } from './contents.js';

/** Reads the file of `fileStore`. Rejects where nothing in it can be read, as where a later version wrote it. */
export async function readStored(from: Readable, size: number, name: string): Promise<JournalContents> {
  const read = async (upTo: number): Promise<JournalContents> => {
    const file = new FileBytes(from, upTo);
    const whole = await readWhole(file, name);
    const { through, snapshot, cut } = whole;
    return replayed('file', { journal, through, records: recordsOf(file, whole, name), cut, ...(snapshot && { snapshot }) });
  };
  try {
    return await read(size);
  } catch (error) {
    const { code, details, message } = error as { code?: unknown; details?: { byte?: unknown }; message: string };
    const byte = details?.byte;
    if (code !== 'store_damaged' || typeof byte !== 'number') throw error;
    // What stands before that byte can be trusted.
    const before = byte === 0 ? undefined : await read(byte).catch(() => undefined);
    const lastSeq = before?.events.at(-1)?.seq ?? before?.base?.seq ?? 0;
    return { kind: 'file', base: before?.base, events: before?.events ?? [], cut: 0, damage: { message, code, byte, lastSeq } };
  }
}

/** The events of what a store holds, and what is wrong with a record. */
export async function replayed(
  kind: JournalContents['kind'],
  store: StoreContents | Parameters<typeof SubAgentManager.readJournal>[0],
): Promise<JournalContents> {
  const read = await SubAgentManager.readJournal(store);
  const events: SubAgentEvent[] = [];
  let damage: Damage | undefined;
  try {
    const base = read.snapshotSeq === 0 ? undefined : baseOf(read.view as never);
    try {
      for await (const { event } of read) events.push(event);
    } catch (error) {
      const { code, details, message } = error as { code?: unknown; details?: { record?: unknown; byte?: unknown }; message: string };
      if (code !== 'store_damaged' || details?.byte !== undefined) throw error;
      const record = details?.record;
      const lastSeq = events.at(-1)?.seq ?? base?.seq ?? 0;
      damage = { message, code, ...(typeof record === 'number' && { record }), lastSeq };
    }
    return { kind, base, events, cut: read.cut, damage };
  } finally {
    await read[Symbol.asyncDispose]();
  }
}
