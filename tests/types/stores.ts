// What the types of the stores' options allow: what a program leaves out at times may be undefined, as in the options of the
// manager; checked by `tsc -p tests`, never run.

import { storeConformance } from '../../dist/stores/conformance.js';
import { fileStore } from '../../dist/stores/file.js';
import { indexedDbStore } from '../../dist/stores/indexeddb.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { type RedisClient, redisStore } from '../../dist/stores/redis.js';
import { type SqliteHandle, sqliteStore } from '../../dist/stores/sqlite.js';

declare const redis: RedisClient;
declare const sqlite: SqliteHandle;

fileStore('x', { waitMs: undefined, readOnly: undefined });
indexedDbStore('x', { durability: undefined, waitMs: undefined });
redisStore(redis, { key: undefined, leaseMs: undefined, takeOver: undefined, retryMs: undefined, readOnly: undefined });
sqliteStore(sqlite, { table: undefined, readOnly: undefined });
storeConformance(() => memoryStore(), { secondOpen: undefined, largest: undefined });
// @ts-expect-error there is no such option
fileStore('x', { wait: 5 });
// @ts-expect-error milliseconds are a number
fileStore('x', { waitMs: '5' });
