// The contents of a journal, whatever stored it. Owns the types, the error for damage, and the source that shows it to
// a page.

import type { Refusal } from 'subagents';
import type { InspectorBatch, InspectorSource, SubAgentEvent, ViewBase } from 'subagents/view';

/** The place where a journal stops being trustworthy: events before it can be trusted. */
export interface Damage {
  readonly message: string;
  /** The error's code. */
  readonly code: string;
  /** The byte of the file, the record, or the line, if that is known. */
  readonly byte?: number;
  readonly record?: number;
  readonly line?: number;
  /** The last event that can be trusted; 0 if none can. */
  readonly lastSeq: number;
}

/** The damage that an error reports; undefined if it reports none. @param lastSeq the last event that was read before it */
export function damageOf(error: unknown, lastSeq: number): Damage | undefined {
  const { code, details, message } = error as {
    code?: unknown;
    details?: { byte?: unknown; record?: unknown };
    message: string;
  };
  if (code !== 'store_damaged') return undefined;
  const { byte, record } = details ?? {};
  return { message, code, ...(typeof byte === 'number' && { byte }), ...(typeof record === 'number' && { record }), lastSeq };
}

/** The contents of a journal. */
export interface JournalContents {
  readonly kind: 'file' | 'sqlite' | 'redis' | 'events' | 'server';
  /** The state of its snapshot; none if the journal has its beginning. */
  readonly base: ViewBase | undefined;
  readonly events: readonly SubAgentEvent[];
  /** Refused requests, if they were saved. */
  readonly refusals?: readonly Refusal[];
  /** Bytes of a torn tail, which a crash leaves: they are left out, and no damage. */
  readonly cut: number;
  readonly damage: Damage | undefined;
}

/** Maximum number of events in a batch; a page draws between two batches. */
const STEP = 20_000;

/** A source over a journal that was read, or over a list of events. */
export function listSource(title: string, given: Partial<JournalContents> & Pick<JournalContents, 'events'>): InspectorSource {
  const { base, events, refusals = [], damage } = given;
  const first = base?.seq ?? events[0]?.seq ?? 1;
  const last = events.at(-1)?.seq ?? base?.seq ?? 0;
  return {
    info: async () => ({ title, live: false, calls: [], first, last }),
    async *events(from): AsyncGenerator<InspectorBatch> {
      if (base !== undefined && from <= base.seq) yield { base, events: [] };
      const start = events.findIndex(({ seq }) => seq >= from);
      for (let at = start; at >= 0 && at < events.length; at += STEP) {
        yield { events: events.slice(at, at + STEP) };
        await new Promise((resolve) => setTimeout(resolve));
      }
      if (refusals.length > 0) yield { events: [], refusals };
      if (damage !== undefined) yield { events: [], damage: { message: damage.message } };
    },
    call: async () => ({ error: { code: 'read_only', message: 'this is over: there is no manager to ask' } }),
  };
}
