// The journal in a store's file, read from its bytes in a page. Owns which part is trusted, and the place of damage. It
// needs the core to decode records, so a page loads it only for such a file.

import type { StoreContents } from 'subagents';
import { readJournal } from 'subagents/journal';
import type { SubAgentEvent } from 'subagents/view';
import { FileBytes, type Readable } from '../../ts/stores/file/reading.js';
import { readWhole, recordsOf } from '../../ts/stores/file/whole.js';
import { baseOfJournal } from './base-of-journal.js';
import { type Damage, damageOf, type JournalContents } from './contents.js';

/** Reads the file of `fileStore`. Rejects if nothing in it can be read, for example if a later version wrote it. */
export async function readStored(from: Readable, size: number, name: string): Promise<JournalContents> {
  const read = async (upTo: number): Promise<JournalContents> => {
    const file = new FileBytes(from, upTo);
    const whole = await readWhole(file, name);
    const { through, snapshot, cut } = whole;
    return replayed({ through, records: recordsOf(file, whole, name), cut, ...(snapshot && { snapshot }) });
  };
  try {
    return await read(size);
  } catch (error) {
    const damage = damageOf(error, 0);
    if (damage?.byte === undefined) throw error;
    // Everything before that byte can be trusted.
    const before = damage.byte === 0 ? undefined : await read(damage.byte).catch(() => undefined);
    const lastSeq = before?.events.at(-1)?.seq ?? before?.base?.seq ?? 0;
    return { kind: 'file', base: before?.base, events: before?.events ?? [], cut: 0, damage: { ...damage, lastSeq } };
  }
}

/** The events in a store, and the damage of a record. */
async function replayed(store: StoreContents): Promise<JournalContents> {
  const read = await readJournal(store);
  const events: SubAgentEvent[] = [];
  let damage: Damage | undefined;
  try {
    const base = read.snapshotSeq === 0 ? undefined : baseOfJournal(read.view);
    try {
      for await (const { event } of read) events.push(event);
    } catch (error) {
      damage = damageOf(error, events.at(-1)?.seq ?? base?.seq ?? 0);
      if (damage === undefined || damage.byte !== undefined) throw error;
    }
    return { kind: 'file', base, events, cut: read.cut, damage };
  } finally {
    await read[Symbol.asyncDispose]();
  }
}
