// The journals of `subagents mcp`: one for each client and folder, and one for each further window. Owns where they
// are and which one a server takes.

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isSubAgentError } from 'subagents';
import { Misused, messageOf } from '../inspector/node/unreadable.js';

/** Maximum number of windows of one client in one folder. */
const MOST_WINDOWS = 100;
/**
 * A server touches its lock every five seconds; a killed server leaves it behind. As `STALE_MS` in `ts/stores/file/lock.ts`.
 */
const LOCK_IS_OLD_MS = 30_000;

/** One journal, for lists. */
export interface KnownJournal {
  readonly path: string;
  readonly client: string;
  readonly folder: string;
  readonly changedAt: Date;
  readonly inUse: boolean;
}

/** The folder of all journals of the user. */
export function journalsFolder(given?: string): string {
  return given ?? join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'subagents', 'mcp');
}

/** Opens the first journal of a client and a folder that no other server has open. */
export async function openJournal<T>(
  { state, client, cwd }: { state: string | undefined; client: string; cwd: string },
  open: (path: string) => Promise<T>,
  say: (text: string) => void,
): Promise<{ opened: T; path: string }> {
  const name = client.replaceAll(/[^a-z0-9]+/giu, '-').slice(0, 40) || 'client';
  const folder = join(journalsFolder(state), `${name}-${createHash('sha256').update(`${client}\0${cwd}`).digest('hex').slice(0, 12)}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeFileSync(join(folder, 'about.json'), JSON.stringify({ client, folder: cwd }), { mode: 0o600 });
  } catch (error) {
    throw new Misused(`no journal can be written to ${folder}: ${messageOf(error)}; \`state\` of --config names another folder`);
  }
  for (let window = 1; window <= MOST_WINDOWS; window += 1) {
    const path = join(folder, `${window}.journal`);
    try {
      return { opened: await open(path), path };
    } catch (error) {
      const code = isSubAgentError(error) ? error.code : undefined;
      if (code === 'store_locked') continue;
      if (code !== 'store_damaged' && code !== 'store_version') throw error;
      say(`${path} is left as it is: ${messageOf(error)}; \`npx subagents inspect ${path}\` shows it`);
    }
  }
  throw new Misused(`${MOST_WINDOWS} journals of ${folder} are in use or can't be read: end a client, or move them away`);
}

/** All journals, the newest first. */
export function knownJournals(state?: string): KnownJournal[] {
  const root = journalsFolder(state);
  const known: KnownJournal[] = [];
  for (const folder of existsSync(root) ? readdirSync(root) : []) {
    try {
      const about = JSON.parse(readFileSync(join(root, folder, 'about.json'), 'utf8')) as { client: string; folder: string };
      for (const name of readdirSync(join(root, folder))) {
        if (!name.endsWith('.journal')) continue;
        const path = join(root, folder, name);
        known.push({ ...about, path, changedAt: statSync(path).mtime, inUse: isTouched(`${path}.lock`) });
      }
    } catch {
      // Not one of ours, or already removed.
    }
  }
  return known.sort((one, other) => other.changedAt.getTime() - one.changedAt.getTime());
}

function isTouched(lock: string): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < LOCK_IS_OLD_MS;
}
