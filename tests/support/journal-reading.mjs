// What a journal comes to that was damaged on purpose: read as it stands, or why it is refused. For tests in this process
// and, where a store needs another Node, for a program of its own.

import { SubAgentManager } from '../../dist/index.js';
import { readJournal } from '../../dist/journal.js';

/** Writes a small journal: a snapshot, and records behind it. */
export async function writeJournal(store) {
  const manager = await SubAgentManager.open({
    store,
    spawnSubAgent: async ({ instructions }) => ({ output: `${instructions} is done`, usage: { tokens: 7 } }),
  });
  const work = async (instructions) => {
    await manager.spawn({ instructions, background: true }).wait();
    await manager.flush();
  };
  await work('one');
  await manager.compact();
  for (const instructions of ['two', 'three']) await work(instructions);
  manager.inbox.lease({ max: 1 });
  await manager[Symbol.asyncDispose]();
}

/** Has a manager carry out sub-agents, by their texts with commas between them; `compact` has the store compacted. */
export async function work(store, texts) {
  const manager = await SubAgentManager.open({ store, spawnSubAgent: async ({ instructions }) => ({ output: `${instructions} is done` }) });
  for (const instructions of texts.split(',')) {
    if (instructions === 'compact') await manager.compact();
    else await manager.spawn({ instructions, label: instructions }).wait();
    await manager.flush();
  }
  await manager[Symbol.asyncDispose]();
}

/** All that a journal says, as a text; where it is refused, the error's code, message and place. */
export async function readThrough(store) {
  let journal;
  try {
    journal = await readJournal(store);
    let events = journal.snapshotSeq;
    for await (const { seq } of journal) events = seq;
    const { view, cut } = journal;
    return { said: JSON.stringify({ events, tasks: view.list().items, notices: view.inbox.peek(), cut }) };
  } catch (error) {
    return { code: error.code ?? error.name, message: error.message, details: error.details };
  } finally {
    await journal?.[Symbol.asyncDispose]();
  }
}
