// The forms of the stores are read for ever: a fixture of each version of each store is read, and gone on with. The file
// store's is in `store-file.test.ts`, that of the snapshots of a manager in `compaction.test.ts`, IndexedDB's among the
// pages of `npm run test:runtimes`.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { redisStore } from '../../../dist/stores/redis.js';
import { nodeFor } from '../../crash/stores.mjs';
import { readThrough, writeJournal } from '../../support/journal-reading.mjs';
import { hasRedis, startRedis } from '../../support/redis.js';
import { isShare } from '../../support/share.js';
import { FIXTURE, loadRedis, readContents } from '../../support/store-fixture.mjs';

// In memory where there is such a folder: SQLite waits for the disk thousands of times.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'subagents-forms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixtures = join(import.meta.dirname, '../../fixtures');
const later = { ...FIXTURE, records: [...FIXTURE.records, 'one more'] };

const { node } = nodeFor('sqlite') as { node?: string };
const sqlite = (...args: string[]): unknown =>
  JSON.parse(
    execFileSync(node as string, [join(import.meta.dirname, '../../support/sqlite-child.mjs'), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
    }),
  );

describe.skipIf(node === undefined)('SQLite', () => {
  test('J1 tables of version 1 are read, and gone on with', () => {
    const path = join(folder, 'v1.db');
    copyFileSync(join(fixtures, 'sqlite-v1.db'), path);
    expect(sqlite('read', path)).toEqual({ before: FIXTURE, after: later });
  });

  test('J1 a bit flipped in any byte of the database is reported, or makes no difference', () => {
    const { bytes, outcomes, wrong } = sqlite('flip', folder, isShare ? '41' : '1') as {
      bytes: number;
      outcomes: Record<string, number>;
      wrong: object[];
    };
    expect(wrong).toEqual([]);
    expect(Object.keys(outcomes)).toContain('store_damaged');
    console.log(`${bytes} bytes: ${JSON.stringify(outcomes)}`);
  }, 600_000);
});

describe.skipIf(!hasRedis)('Redis that is away', () => {
  test.each(['gone', 'frozen'])('%s for good: the append is refused, though the client would wait for ever', async (how) => {
    const redis = await startRedis();
    const client = new Redis(redis.port, '127.0.0.1', { maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    try {
      const store = redisStore(client, { key: how, retryMs: 100, leaseMs: 1_000 });
      await store.open();
      await store.append(new TextEncoder().encode('kept'));
      if (how === 'gone') await redis.kill();
      else redis.freeze();
      const refused = { code: 'store_failed', message: expect.stringContaining('has not answered in time') };
      await expect(store.append(new TextEncoder().encode('lost'))).rejects.toMatchObject(refused);
      await store.close().catch(() => undefined);
    } finally {
      client.disconnect();
      await redis.stop();
    }
  });
});

describe.skipIf(!hasRedis)('Redis', () => {
  test('J1 keys of version 1 are read, and gone on with', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.port, '127.0.0.1');
    try {
      await loadRedis(client, 'v1', JSON.parse(readFileSync(join(fixtures, 'redis-v1.json'), 'utf8')));
      const open = () => redisStore(client, { key: 'v1' });
      expect(await readContents(open())).toEqual(FIXTURE);
      const store = open();
      await store.open();
      await store.append(new TextEncoder().encode('one more'));
      await store.close();
      expect(await readContents(open())).toEqual(later);
    } finally {
      client.disconnect();
      await redis.stop();
    }
  });

  test('J1 a bit flipped in any byte of any value is reported, or makes no difference', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.port, '127.0.0.1');
    const outcomes: Record<string, number> = {};
    try {
      await writeJournal(redisStore(client, { key: 'whole' }));
      const { said } = await readThrough(redisStore(client, { key: 'whole' }));
      expect(said).toBeDefined();
      const key = (what: string): string => `{whole}:${what}`;
      const state = await client.hgetallBuffer(key('state'));
      const snapshot = (await client.getBuffer(key('snapshot'))) as Buffer;
      const records = await client.xrangeBuffer(key('records'), '-', '+');
      let at = 0;
      const tried = async (where: string, value: Buffer, put: (flipped: Buffer) => Promise<unknown>): Promise<void> => {
        for (let byte = 0; byte < value.length; byte += 1) {
          at += 1;
          if (isShare && at % 11 !== 0) continue;
          const flipped = Buffer.from(value);
          flipped[byte] = (flipped[byte] as number) ^ (1 << (at % 8));
          await put(flipped);
          const outcome = await readThrough(redisStore(client, { key: 'whole' }));
          const kind = outcome.said === said ? 'no difference' : (outcome.code ?? 'another journal');
          outcomes[kind] = (outcomes[kind] ?? 0) + 1;
          expect(
            ['no difference', 'store_damaged', 'store_version', 'store_failed'],
            `${where}, byte ${byte}: ${outcome.message}`,
          ).toContain(kind);
          // The epoch is another one at each opening, and means nothing.
          if (where !== 'epoch') expect(kind, `${where}, byte ${byte}`).not.toBe('no difference');
        }
        await put(value);
      };
      for (const [name, value] of Object.entries(state)) await tried(name, value, (flipped) => client.hset(key('state'), name, flipped));
      await tried('snapshot', snapshot, (flipped) => client.set(key('snapshot'), flipped));
      for (const [index, [id, fields]] of records.entries()) {
        for (const field of [1, 3, 5]) {
          await tried(`field ${field} of ${id}`, fields[field] as Buffer, async (flipped) => {
            await client.del(key('records'));
            for (const [other, [itsId, itsFields]] of records.entries())
              await client.xadd(key('records'), itsId, ...(other === index ? itsFields.with(field, flipped) : itsFields));
          });
        }
      }
      expect(await readThrough(redisStore(client, { key: 'whole' }))).toEqual({ said });
      console.log(JSON.stringify(outcomes));
    } finally {
      client.disconnect();
      await redis.stop();
    }
  }, 600_000);
});
