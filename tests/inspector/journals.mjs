// The same work in journals of each kind, as Node's stores leave them on the disk.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

/** Has a lead with two sub-agents, and a third sub-agent of a session, work over a store. */
async function work(store, { compacts = false } = {}) {
  const { SubAgentManager } = await import(`${root}dist/node.js`);
  const manager = await SubAgentManager.open({
    store,
    maxDepth: 2,
    budget: { tokens: 100_000 },
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'lead')
        await Promise.all(['one', 'two'].map((label) => run.spawn({ instructions: 'child', label: `child ${label}` }).wait()));
      return { output: `${run.label}: done \u202e<b>`, usage: { tokens: 150, costUsd: 0.25 } };
    },
  });
  await manager.spawn({ instructions: 'lead' }).wait();
  if (compacts) await manager.compact();
  await manager.spawn({ instructions: 'after' }).wait();
  await manager[Symbol.asyncDispose]();
}

export async function journals() {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-journals-'));
  const { fileStore } = await import(`${root}dist/stores/file.js`);
  const files = {
    file: join(folder, 'agents.journal'),
    events: join(folder, 'events.jsonl'),
    compacted: join(folder, 'compacted.journal'),
  };
  await work(fileStore(files.file));
  writeFileSync(files.events, execFileSync(process.execPath, [`${root}dist/cli.js`, 'inspect', files.file, '--events', '--json']));
  await work(fileStore(files.compacted), { compacts: true });
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (sqlite !== undefined) {
    const { sqliteStore } = await import(`${root}dist/stores/sqlite.js`);
    files.sqlite = join(folder, 'agents.db');
    const database = new sqlite.DatabaseSync(files.sqlite);
    await work(sqliteStore(database));
    database.close();
  }
  return { folder, files, drop: () => rmSync(folder, { recursive: true, force: true }) };
}
