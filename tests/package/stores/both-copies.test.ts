// The package is there twice where a program imports it and something else requires it. What one copy has, the other finds:
// who has a store, and why it is refused.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSubAgentError, type Store, SubAgentError, SubAgentManager } from '../../../dist/index.js';
import { fileStore } from '../../../dist/stores/file.js';
import { type SqliteDatabase, sqliteStore } from '../../../dist/stores/sqlite.js';

const required = createRequire(import.meta.url);
interface Sqlite {
  readonly DatabaseSync: new (path: string) => SqliteDatabase & { close(): void };
}
// Not every Node has it.
const name = 'node:sqlite';
const sqlite = (await import(name).catch(() => undefined)) as Sqlite | undefined;
const spawnSubAgent = async () => ({ output: 'done' });

test.each(sqlite === undefined ? ['file'] : ['file', 'sqlite'])(
  'J5 a store of the other copy of the package, a %s, is refused with `store_locked`',
  async (kind) => {
    const other = required(`../../../dist/stores/${kind}.cjs`) as { fileStore: typeof fileStore; sqliteStore: typeof sqliteStore };
    const folder = mkdtempSync(join(tmpdir(), 'subagents-copies-'));
    const database = sqlite && new sqlite.DatabaseSync(join(folder, 'agents.db'));
    const made = (from: typeof other): Store =>
      kind === 'file' || database === undefined ? from.fileStore(join(folder, 'journal')) : from.sqliteStore(database);
    const manager = await SubAgentManager.open({ store: made({ fileStore, sqliteStore }), spawnSubAgent });
    const refusal: unknown = await SubAgentManager.open({ store: made(other), spawnSubAgent }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SubAgentError);
    expect(isSubAgentError(refusal, 'store_locked')).toBe(true);
    expect((refusal as SubAgentError).details).toMatchObject(
      kind === 'file' ? { pid: process.pid } : { store: 'the store subagents in SQLite' },
    );

    expect((await manager.spawn({ instructions: 'one' }).wait()).status).toBe('completed');
    await manager[Symbol.asyncDispose]();
    const next = await SubAgentManager.open({ store: made(other), spawnSubAgent });
    expect(next.list().total).toBe(1);
    await next[Symbol.asyncDispose]();
    expect(existsSync(join(folder, 'journal.lock'))).toBe(false);
    database?.close();
    rmSync(folder, { recursive: true });
  },
);
