// The lock of a store's file: a file beside it that names a process, because Node has no lock of the operating system.
// Owns that file, and the question whether its process still lives.
//
// If the process can be checked, that decides. On one machine, in one container, a busy, stopped or suspended process keeps its
// lock, and a killed one loses it at once. The same holds for a thread. A lock of another machine or container on one volume
// can't be checked: it counts while its file is touched.

import { type FileHandle, link, open, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { clearInterval, setInterval } from 'node:timers';
import { SubAgentError } from '../../base/error-class.js';
import { counted } from '../../base/text.js';
import { Loss } from '../failures.js';
import { Lease } from '../lease.js';
import { areStartsKnown, lifeOf, ownName, type ProcessName } from './process-name.js';

const HEARTBEAT_MS = 5_000;
/** If the file of a lock from elsewhere is untouched for this long, its process counts as gone. */
const STALE_MS = 30_000;
const POLL_MS = 100;

/** The locks that this thread holds by this copy of the code. */
const held = new Set<string>();

interface Holder extends ProcessName {
  /** Random: identifies this taking of the lock. */
  readonly nonce: string;
  readonly since: string;
}

/** An existing lock. */
interface ForeignLock {
  readonly said: string;
  /** Undefined if its text can't be read. */
  readonly holder: Holder | undefined;
  readonly state: 'alive' | 'dead' | 'unknown';
  readonly untouchedMs: number;
  /** Whether its process is gone: it was killed, or it is elsewhere and gave no sign for too long. */
  readonly isStale: boolean;
}

/** A lock that this process holds. */
export class FileLock {
  /** Whether its last holder was elsewhere, and may resume with the file still open. */
  readonly isFromElsewhere: boolean;
  readonly #path: string;
  /** The content of its file, which identifies it: systems reuse the number of a file. */
  readonly #text: string;
  readonly #nonce: string;
  readonly #file: FileHandle;
  readonly #heart: { unref(): void };
  readonly #lease = new Lease(STALE_MS);
  readonly #loss = new Loss();
  #isReleased = false;

  private constructor(path: string, { nonce }: Holder, text: string, isFromElsewhere: boolean, file: FileHandle) {
    this.#path = path;
    this.#text = text;
    this.isFromElsewhere = isFromElsewhere;
    this.#file = file;
    held.add(nonce);
    this.#nonce = nonce;
    this.#heart = setInterval(() => {
      this.renew().catch((error: unknown) => {
        // If the lock could not be touched or read, the next append finds out why.
        if (error instanceof SubAgentError && !this.#isReleased) this.#loss.report(error);
      });
    }, HEARTBEAT_MS);
    this.#heart.unref();
  }

  /** Whether this process certainly holds it, without reading the file. */
  isHeld(): boolean {
    return this.#lease.isHeld();
  }

  /** Touches the lock, so that it counts for longer. Rejects if another process has taken it. */
  renew(): Promise<void> {
    return this.#lease.renew(async () => {
      // It writes instead of setting a time: others judge staleness by the clock of the file system, which may differ from this
      // machine's. It uses the handle, because the path may already be another process's lock.
      await this.#touch();
      await this.check();
    });
  }

  async #touch(): Promise<void> {
    const bytes = new TextEncoder().encode(this.#text);
    await this.#file.write(bytes, 0, bytes.length, 0);
    await this.#file.datasync();
  }

  /** Takes the lock. While another process has it, waits at most this long, then rejects with `store_locked`. */
  static async take(path: string, waitMs: number): Promise<FileLock> {
    const nonce = crypto.randomUUID();
    const own = `${path}.${nonce}`;
    const end = performance.now() + waitMs;
    const me: Holder = { ...(await ownName()), nonce, since: new Date().toISOString() };
    const text = JSON.stringify(me);
    try {
      let isFromElsewhere = false;
      for (;;) {
        // Written each time: its time is the file system's present time.
        await writeFile(own, text, { flag: 'w', mode: 0o600 });
        const { mtimeMs } = await stat(own);
        const file = await open(own, 'r+');
        let isTaken = false;
        try {
          // A link appears with all of its content, or fails if there already is one.
          isTaken = await succeeds(link(own, path), 'EEXIST');
        } finally {
          if (!isTaken) await file.close();
        }
        if (isTaken) return new FileLock(path, me, text, isFromElsewhere, file);
        const found = await look(path, me, mtimeMs);
        if (found === undefined) continue;
        isFromElsewhere ||= found.isStale && found.state === 'unknown';
        const other = found.isStale ? await removeStale(path, own, found, me, mtimeMs) : found;
        if (other === undefined) continue;
        if (performance.now() >= end) throw locked(path, other, me);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } finally {
      await unlink(own).catch(unlessGone(undefined));
    }
  }

  /** Rejects if another process has taken the lock, or if it was removed. */
  async check(): Promise<void> {
    if (await this.#isMine()) return;
    throw new SubAgentError('store_locked', `${this.#path} is gone or another process's, which may now have the store`, {
      path: this.#path,
    });
  }

  /** Resolves with the error once the lock is found to be gone, or another process's. */
  get lost(): Promise<unknown> {
    return this.#loss.reason;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearInterval(this.#heart);
    this.#lease.end();
    held.delete(this.#nonce);
    await this.#file.close();
    if (await this.#isMine()) await unlink(this.#path).catch(unlessGone(undefined));
  }

  async #isMine(): Promise<boolean> {
    try {
      return (await readFile(this.#path, 'utf8')) === this.#text;
    } catch (error) {
      // A process with too many open files can't read it. Its open file still has a name, unless it was removed.
      if (['EMFILE', 'ENFILE'].includes(String(codeOf(error)))) return (await this.#file.stat()).nlink > 0;
      return unlessGone(false)(error);
    }
  }
}

/** The lock at this path; undefined if there is none. `nowMs` is the time of the file system. */
async function look(path: string, me: Holder, nowMs: number): Promise<ForeignLock | undefined> {
  const [said, file] = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(unlessGone(['', undefined] as const));
  if (file === undefined) return undefined;
  const holder = parse(said);
  let state = holder === undefined ? 'unknown' : await lifeOf(holder, me);
  // Another thread of this process has it, or had it at its end. If threads have no names, it counts while it is touched.
  if (state === 'alive' && holder?.pid === me.pid && holder.thread === undefined && !held.has(holder.nonce)) state = 'unknown';
  const untouchedMs = nowMs - file.mtimeMs;
  return { said, holder, state, untouchedMs, isStale: state === 'dead' || (state === 'unknown' && untouchedMs > STALE_MS) };
}

/**
 * Removes a lock if it still is the one that was found stale. Only the process with the claim, a link named after that lock,
 * may look again and remove it. Without the claim, a slow process would remove the lock of a faster one. Returns the claim of
 * another process, if one has it.
 */
async function removeStale(path: string, own: string, stale: ForeignLock, me: Holder, nowMs: number): Promise<ForeignLock | undefined> {
  const claim = `${path}.${nameOf(stale.holder)}`;
  if (!(await succeeds(link(own, claim), 'EEXIST'))) {
    const other = await look(claim, me, nowMs);
    // Its process was killed, so its claim is removed like a lock.
    return other?.isStale === true ? removeStale(claim, own, other, me, nowMs) : other;
  }
  try {
    if ((await readFile(path, 'utf8').catch(unlessGone(''))) === stale.said) await unlink(path).catch(unlessGone(undefined));
    return undefined;
  } finally {
    await unlink(claim).catch(unlessGone(undefined));
  }
}

/** A name of its own for a lock, as a part of a file's name. */
function nameOf(holder: Holder | undefined): string {
  const nonce: unknown = holder?.nonce;
  return typeof nonce === 'string' && /^[\w-]{1,64}$/.test(nonce) ? nonce : 'unreadable';
}

function locked(path: string, { holder, state, untouchedMs }: ForeignLock, me: Holder): SubAgentError {
  const who = holder === undefined ? "a process whose name can't be read" : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  const seconds = Math.max(0, Math.round(untouchedMs / 1000));
  let more = '; end it first, or give `waitMs`, for which `open` waits until it lets go';
  if (state === 'unknown') more = `; its lock ${path} is void once it has not been touched for ${STALE_MS / 1000} seconds`;
  else if (holder !== undefined && !areStartsKnown(holder, me))
    more =
      `, or another process has its number already: this system doesn't say when a process began. A process that has a store ` +
      `touches its lock every ${HEARTBEAT_MS / 1000} seconds, unless it is stopped; this one was touched ${counted(seconds, 'second')} ago. Where process ` +
      `${holder.pid} isn't one that has this store, as after the machine was started anew, remove ${path}`;
  if (state === 'alive' && holder?.pid === me.pid && areStartsKnown(holder, me))
    more =
      '; that is this very process: dispose its other manager with `await manager[Symbol.asyncDispose]()` first, or end the worker thread that has it';
  return new SubAgentError('store_locked', `${who} has this store${more}`, { path, ...holder, untouchedMs: 1000 * seconds });
}

function parse(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder | null;
    return typeof holder?.pid === 'number' && typeof holder.place === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

function unlessGone<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
}

/** Whether the work succeeded; false for an error of this code. Other errors are thrown. */
async function succeeds(work: Promise<void>, code: string): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (codeOf(error) === code) return false;
    throw error;
  }
}
