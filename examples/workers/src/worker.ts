// A worker: three lines, and the function that stands for a model. It takes a turn for each page, and tells how far it is, so
// that another worker goes on where it has to leave.
import { work } from 'subagents/bullmq';

const [name = 'worker', queue = 'diaries', connection = ''] = process.argv.slice(2);
const PAGES = 8;
const PAGE_MS = 150;

const worker = work({
  connection,
  queue,
  concurrency: 2,
  lostAfterMs: 2_000,
  drainMs: 500,
  async spawnSubAgent({ instructions }, run) {
    const before = (run.checkpointed as { pages: number; by: string[] } | undefined) ?? { pages: 0, by: [] };
    const by = [...new Set([...before.by, name])];
    for (let page = before.pages + 1; page <= PAGES; page += 1) {
      const permit = await run.beforeTurn();
      if (!permit.go) return { output: `${instructions}: stopped at page ${page}`, status: 'failed' };
      await new Promise((resolve) => setTimeout(resolve, PAGE_MS));
      run.report({ tokens: 120, message: `page ${page}` });
      await run.checkpoint({ pages: page, by });
      if (page === PAGES / 2) process.send?.('reading');
    }
    return { output: `${instructions}: ${PAGES} pages, read by ${by.join(' and ')}` };
  },
});
await worker.ready();
process.send?.('ready');
// If the process that started this one is gone, nothing waits for it, and its Redis goes as well.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
