// The entry `subagents/store/redis`: a store in Redis, for a manager that moves between machines, over the program's
// client. Owns the keys, which stay readable for ever, and the scripts, which fence: only the process that opened the
// store last can write.

import { LONGEST_TIMER } from '../base/clock.js';
import { SubAgentError } from '../base/error-class.js';
import { counted } from '../base/text.js';
import { checkOptions } from '../base/unknown.js';
import { compactedMeanwhile, damaged, failed, Loss, tooNew, wrong } from './failures.js';
import { Lease } from './lease.js';
import { type Alone, type Medium, QueuedStore, toBeRead } from './queued.js';
import { joinRecords, splitRecords } from './record.js';
import { type Commands, commandsOf, type RedisClient, type Reply } from './redis/client.js';
import type { Store, StoreContents, StoreLease } from './store.js';

export type { IoRedisClient, NodeRedisClient, RedisClient } from './redis/client.js';
export type { Store, StoreContents, StoreLease } from './store.js';

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /** The prefix of the keys; `subagents` by default. */
  readonly key?: string | undefined;
  /**
   * How long the store stays locked when its process has died, in milliseconds. Default: 15,000.
   *
   * A process that was frozen for longer can write nothing once another has opened the store.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Takes the store from a process that still has it.
   *
   * The next append of that process is refused with `store_locked`, and its manager ends with `store_failed`.
   */
  readonly takeOver?: boolean | undefined;
  /**
   * How long a command is sent again while Redis can't be reached, in milliseconds. Default: 30,000.
   *
   * The store waits as long for an answer, but for 5,000 at least.
   */
  readonly retryMs?: number | undefined;
  /**
   * Only reads, though a manager may have the store; for `readJournal`.
   *
   * `open` takes no lease and makes no keys, and appends are refused. @default false
   */
  readonly readOnly?: boolean | undefined;
}

/** The version of the keys that is written; this one and those before it are read. */
const VERSION = 1;
const PAGE_ENTRIES = 64;
/** The most bytes of a value in Redis: by default, and at its lowest setting. */
const VALUE_BYTES = 512 << 20;
const LEAST_VALUE_BYTES = 1 << 20;

/** Takes the lease, and becomes the only one that may write; or returns when another's lease ends. */
const OPEN = `
local epoch, lease = ARGV[1], ARGV[2]
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= epoch and ARGV[3] ~= '1' then return {'locked', redis.call('PTTL', KEYS[2])} end
local version = redis.call('HGET', KEYS[1], 'version')
if version and tonumber(version) > tonumber(ARGV[4]) then return {'newer', version} end
redis.call('SET', KEYS[2], epoch, 'PX', lease)
redis.call('HSET', KEYS[1], 'version', ARGV[4], 'epoch', epoch)
redis.call('HSETNX', KEYS[1], 'count', 0)
redis.call('HSETNX', KEYS[1], 'through', 0)
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
return {'open', redis.call('HGET', KEYS[1], 'count'), redis.call('HGET', KEYS[1], 'through'), last and last[1] or '', redis.call('GET', KEYS[4])}
`;

/** Refuses a process that may no longer write. Reads the count, too, which shows whether records were lost. */
const FENCE = `
local state = redis.call('HMGET', KEYS[1], 'epoch', 'count')
if state[1] and state[1] ~= ARGV[1] then return 'taken' end
`;

/** An entry's id is the number of its last record, so that Redis itself refuses a number that it had. */
const APPEND = `${FENCE}
if state[2] == ARGV[3] then return 'done' end
if state[2] ~= ARGV[2] then return 'lost' end
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'first', ARGV[4], 'lengths', ARGV[5], 'bytes', ARGV[6])
redis.call('HSET', KEYS[1], 'count', ARGV[3])
return 'done'
`;

/** A compaction that arrives late, after its caller gave up, must not undo a later one. */
const COMPACT = `${FENCE}
if state[2] ~= ARGV[2] then return 'lost' end
if tonumber(redis.call('HGET', KEYS[1], 'through') or 0) > tonumber(ARGV[3]) then return 'older' end
redis.call('SET', KEYS[3], ARGV[4])
redis.call('HSET', KEYS[1], 'through', ARGV[3])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[5] .. '-0')
return 'done'
`;

/** All but the records, for a reader that takes nothing. */
const LOOK = `
local state = redis.call('HMGET', KEYS[1], 'version', 'count', 'through')
return {state[1], state[2], state[3], redis.call('GET', KEYS[2])}
`;

/** Some records, and the numbers of all and of compacted ones at that moment. */
const READ = `
local state = redis.call('HMGET', KEYS[1], 'count', 'through')
return {state[1], state[2], redis.call('XRANGE', KEYS[2], ARGV[1], '+', 'COUNT', ARGV[2])}
`;

/**
 * Takes an ended lease again, but only for the process that opened the store last. A process that was frozen while another had
 * the store could write nothing itself, and would keep all others out. A lease that still holds is only extended, which Redis
 * does even if its memory is full.
 */
const RENEW = `${FENCE}
if not state[1] then return 'lost' end
local holder = redis.call('GET', KEYS[2])
if holder == ARGV[1] then redis.call('PEXPIRE', KEYS[2], ARGV[2])
elseif not holder then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2]) end
return 'done'
`;

/** Releases the store. Later renewals and writes of this process are refused. */
const RELEASE = `
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
if redis.call('HGET', KEYS[1], 'epoch') == ARGV[1] then redis.pcall('HSET', KEYS[1], 'epoch', '') end
`;

/** Makes a store in Redis. The client stays the program's: closing the store doesn't close it. */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const names = ['key', 'leaseMs', 'takeOver', 'retryMs', 'readOnly'] as const;
  const given = checkOptions('redisStore', options, names);
  const { key = 'subagents', leaseMs = 15_000, takeOver = false, retryMs = 30_000, readOnly = false } = given;
  if (typeof key !== 'string' || key === '' || /[{}]/.test(key)) throw wrong('key', 'a text without braces');
  if (!Number.isSafeInteger(leaseMs) || leaseMs < 1_000) throw wrong('leaseMs', 'whole milliseconds from 1,000 on');
  if (typeof retryMs !== 'number' || !(retryMs >= 0)) throw wrong('retryMs', 'milliseconds from 0 on');
  if (typeof readOnly !== 'boolean') throw wrong('readOnly', 'true or false');
  const commands = commandsOf(client, retryMs);
  const name = `the store ${key} in Redis`;
  return new QueuedStore(name, async () => {
    const stream = new Stream(name, key, commands, leaseMs);
    if (readOnly) {
      stream.stop();
      return stream.toRead();
    }
    try {
      await stream.take(takeOver === true);
    } catch (error) {
      stream.stop();
      throw error;
    }
    return stream;
  });
}

class Stream implements Medium {
  contents: StoreContents = { through: 0, records: [] };
  count = 0;
  readonly #name: string;
  readonly #run: Commands['run'];
  readonly #ask: Commands['ask'];
  readonly #leaseMs: number;
  /** Random: identifies this opening of the store. */
  readonly #epoch = crypto.randomUUID();
  /** In braces, so that a cluster has all keys of a store in one place. */
  readonly #keys: { readonly records: string; readonly state: string; readonly snapshot: string; readonly lock: string };
  readonly #loss = new Loss();
  readonly #lease: Lease;
  #heart: ReturnType<typeof setInterval> | undefined;

  constructor(name: string, key: string, { run, ask }: Commands, leaseMs: number) {
    this.#name = name;
    this.#run = run;
    this.#ask = ask;
    this.#leaseMs = leaseMs;
    this.#lease = new Lease(leaseMs);
    const of = (what: string): string => `{${key}}:${what}`;
    this.#keys = { records: of('records'), state: of('state'), snapshot: of('snapshot'), lock: of('lock') };
  }

  async take(takeOver: boolean): Promise<void> {
    const { records, state, snapshot, lock } = this.#keys;
    const args = [this.#epoch, String(this.#leaseMs), takeOver ? '1' : '0', String(VERSION)];
    const [said, ...rest] = (await this.#run(OPEN, [state, lock, records, snapshot], args)) as Reply[];
    if (text(said) === 'locked') {
      const message = `another process has ${this.#name}; if it has died, its lease ends in ${text(rest[0])} ms, and \`takeOver: true\` takes the store at once`;
      throw new SubAgentError('store_locked', message, { store: this.#name, leaseEndsInMs: Number(text(rest[0])) });
    }
    if (text(said) === 'newer') throw tooNew(this.#name, Number(text(rest[0])), VERSION);
    const [count, through, last, found] = rest;
    const { from, bytes, isState } = this.#stateOf(count, through, found);
    // The last entry is named after the last record. If the snapshot has all records, no entry is left.
    const id = text(last) === '' ? from : Number(text(last).split('-')[0]);
    if (!isState || id !== this.count) {
      await this.#run(RELEASE, [state, lock], [this.#epoch]);
      if (isState && id < this.count) throw damaged(this.#name, { record: this.count }, `record ${this.count}`, 'it is missing');
      throw damaged(this.#name, {}, state, 'what it says can not be');
    }
    this.#heart = setInterval(() => void this.#beat(), Math.min(this.#leaseMs / 3, LONGEST_TIMER));
    (this.#heart as { unref?(): unknown }).unref?.();
    const { reason: lost } = this.#loss;
    const lease: StoreLease = { isHeld: () => this.#lease.isHeld(), renew: () => this.#renew() };
    this.contents = { through: from, records: this.#recordsAfter(from, this.count), lost, lease, ...(bytes && { snapshot: bytes }) };
  }

  /** Reads the keys as they are, though a manager may have them. */
  async toRead(): Promise<Medium> {
    const { state, snapshot } = this.#keys;
    const [version, count, through, found] = (await this.#run(LOOK, [state, snapshot], [])) as Reply[];
    if (version === null) throw new Error(`Redis has no key ${state}`);
    if (Number(text(version)) > VERSION) throw tooNew(this.#name, Number(text(version)), VERSION);
    const { from, bytes, isState } = this.#stateOf(count, through, found);
    if (!isState) throw damaged(this.#name, {}, state, 'what it says can not be');
    const later = (record: number): AsyncIterable<Uint8Array> => this.#recordsAfter(record);
    return toBeRead(this.#name, { through: from, records: later(from), later, ...(bytes && { snapshot: bytes }) });
  }

  /** The contents of the keys besides the records, and whether they are valid. */
  #stateOf(count: Reply | undefined, through: Reply | undefined, snapshot: Reply | undefined) {
    this.count = Number(text(count));
    const from = Number(text(through));
    const bytes = snapshot === null || snapshot === undefined ? undefined : bytesOf(snapshot);
    const areNumbers = [from, this.count].every((number) => Number.isSafeInteger(number) && number >= 0);
    return { from, bytes, isState: areNumbers && (from === 0 || bytes !== undefined) };
  }

  #renew(): Promise<void> {
    const { state, lock } = this.#keys;
    return this.#lease.renew(async () => {
      this.#expectDone(await this.#run(RENEW, [state, lock], [this.#epoch, String(this.#leaseMs)]));
    });
  }

  async #beat(): Promise<void> {
    try {
      await this.#renew();
    } catch (error) {
      // Redis may only be away: if another process takes the store, the fence refuses this one's writes.
      if (!(error instanceof SubAgentError) || this.#heart === undefined) return;
      this.stop();
      this.#loss.report(error);
    }
  }

  async write(records: Uint8Array[], number: number): Promise<void> {
    const { lengths, bytes } = joinRecords(records);
    const last = number + records.length - 1;
    const args = [this.#epoch, String(number - 1), String(last), String(number), new Uint8Array(lengths.buffer), bytes];
    this.#expectDone(await this.#run(APPEND, [this.#keys.state, this.#keys.records], args));
    this.count = last;
  }

  async replace(snapshot: Uint8Array, through: number, alone: Alone): Promise<void> {
    const { state, records, snapshot: key } = this.#keys;
    await this.#expectRoomFor(snapshot.length);
    let problem: unknown;
    await alone(async () => {
      const args = [this.#epoch, String(this.count), String(through), snapshot, String(through + 1)];
      const reply = await this.#run(COMPACT, [state, records, key], args, false).catch((error: unknown) => {
        // Redis did all of it or nothing. Its contents mean the same in both cases, and the store continues.
        problem = error;
      });
      if (reply === undefined) return;
      if (text(reply) === 'older') problem = new Error('it already has a later snapshot');
      else this.#expectDone(reply);
    });
    if (problem !== undefined) throw problem;
  }

  /**
   * Refuses a snapshot that is too large for a value of Redis: Redis would close the connection, which the program may use for
   * other things.
   */
  async #expectRoomFor(bytes: number): Promise<void> {
    if (bytes <= LEAST_VALUE_BYTES) return;
    // Not every client may ask; then the default counts.
    const said = await this.#ask('CONFIG', 'GET', 'proto-max-bulk-len').catch(() => null);
    const limit = Number(text(Object.values(said ?? {}).at(-1))) || VALUE_BYTES;
    if (bytes > limit)
      throw new Error(`a snapshot of ${bytes} bytes, and this Redis takes no value above ${limit} (\`proto-max-bulk-len\`)`);
  }

  async close(): Promise<void> {
    this.stop();
    await this.#run(RELEASE, [this.#keys.state, this.#keys.lock], [this.#epoch]);
  }

  /** Stops renewing the lease. */
  stop(): void {
    clearInterval(this.#heart);
    this.#heart = undefined;
    this.#lease.end();
  }

  #expectDone(reply: Reply): void {
    const said = text(reply);
    if (said === 'taken') throw new SubAgentError('store_locked', `another process now has ${this.#name}`, { store: this.#name });
    if (said !== 'done') throw failed(this.#name, 'Redis has lost records that it had acknowledged');
  }

  /** The records after a number, up to another or to the end. */
  async *#recordsAfter(before: number, last = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
    const { state, records: key } = this.#keys;
    let number = before;
    while (number < last) {
      // Begins at the first entry with a record after this number.
      const reply = await this.#run(READ, [state, key], [`${number + 1}-0`, String(PAGE_ENTRIES)]);
      const [count, through, entries] = reply as [Reply, Reply, [Reply, Reply[]][]];
      const begun = number;
      for (const [, [, first, , lengths, , bytes]] of entries) {
        const start = Number(text(first));
        const records = recordsOf(lengths, bytes);
        if (!(start <= number + 1) || records === undefined) break;
        for (const [place, record] of records.entries()) {
          if (start + place <= number || start + place > last) continue;
          number += 1;
          yield record;
        }
      }
      if (number > begun) continue;
      if (last === Number.POSITIVE_INFINITY && Number(text(count)) <= number) {
        if (Number(text(count)) === number) return;
        throw failed(
          this.#name,
          `Redis has ${counted(Number(text(count)), 'record')}, and had ${number}: it has lost some, or the store was made anew`,
        );
      }
      if (Number(text(through)) > number) throw compactedMeanwhile(this.#name, number + 1, Number(text(through)));
      throw damaged(this.#name, { record: number + 1 }, `record ${number + 1}`, 'it is missing, or its entry is damaged');
    }
  }
}

/** The records of an entry; `undefined` if its lengths don't fit its bytes. */
function recordsOf(lengths: Reply | undefined, bytes: Reply | undefined): Uint8Array[] | undefined {
  if (!(lengths instanceof Uint8Array && bytes instanceof Uint8Array) || lengths.length % 4 !== 0) return undefined;
  const each = lengthsOf(bytesOf(lengths));
  const sum = each.reduce((sum, length) => sum + length, 0);
  return sum === bytes.length ? splitRecords(each, bytesOf(bytes)) : undefined;
}

/** A client's reply as a text. */
function text(reply: Reply | undefined): string {
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : String(reply ?? '');
}

function bytesOf(reply: Reply | undefined): Uint8Array {
  if (!(reply instanceof Uint8Array)) throw new Error('the client gave no bytes');
  return new Uint8Array(reply);
}

function lengthsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}
