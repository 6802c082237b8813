// A failing module. The kit's test build fails when it is asked to: at the n-th call inside the core from
// now on. A trap poisons its manager alone; a new one works.

import { SubAgentManager } from '../../../dist/index.js';
import { type Book, codeOf, deferred, sleep } from './book.js';

/** What a runtime hands to the suite. */
export interface Kit {
  /** The test build of `trap-build.mjs`, compiled. */
  readonly trapModule: object;
}

interface Fuse {
  /** The core fails at this call from now on; 0 for never. */
  value: number;
}

type Make = (options: ConstructorParameters<typeof SubAgentManager>[0]) => { manager: SubAgentManager; fuse: Fuse };

/** Managers of the test build, each with its fuse. */
export function trapping(kit: Pick<Kit, 'trapModule'>): Make {
  class Trapping extends SubAgentManager {
    static module(): object {
      return kit.trapModule;
    }
  }
  return (options) => {
    // The only place where an instance can be had: managers keep theirs to themselves.
    const { Instance } = WebAssembly;
    let fuse: Fuse | undefined;
    WebAssembly.Instance = class extends Instance {
      constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
        super(module, imports);
        fuse = this.exports.trapIn as unknown as Fuse;
      }
    } as typeof Instance;
    try {
      const manager = new Trapping(options);
      if (fuse === undefined) throw new Error('the test build has no fuse');
      return { manager, fuse };
    } finally {
      WebAssembly.Instance = Instance;
    }
  };
}

export async function traps(book: Book, kit: Kit): Promise<void> {
  const make = trapping(kit);
  const spawnSubAgent = async ({ instructions }: { instructions: string }) => ({ output: instructions });

  const { manager, fuse } = make({ maxConcurrent: 1, spawnSubAgent: () => new Promise(() => undefined) });
  const bystander = new SubAgentManager({ spawnSubAgent });
  const twin = make({ spawnSubAgent });
  const first = manager.spawn({ instructions: 'first' });
  const second = manager.spawn({ instructions: 'second' });
  const pending = [
    first.wait(),
    second.wait(),
    manager.wait([first, second], { timeoutMs: 60_000 }),
    manager.cancel(first, { graceMs: 60_000 }),
  ];
  const codes = Promise.all(pending.map((promise) => codeOf(() => promise)));
  fuse.value = 1;
  book.expect('the call that fails', await codeOf(() => manager.spawn({ instructions: 'third' })), 'internal');
  book.expect('what was pending', await codes, ['internal', 'internal', 'internal', 'internal']);
  const later: Readonly<Record<string, () => unknown>> = {
    spawn: () => manager.spawn({ instructions: 'late' }),
    wait: () => first.wait(),
    cancel: () => first.cancel(),
    send: () => first.send('late'),
    snapshot: () => first.snapshot(),
    get: () => manager.get(first),
    list: () => manager.list(),
    stats: () => manager.stats(),
    session: () => manager.session('late'),
    drain: () => manager.drain(),
    tool: () => manager.createSubAgentTool(),
  };
  for (const [name, body] of Object.entries(later)) book.expect(`${name} after it`, await codeOf(body), 'internal');
  manager.dispose();
  book.expect('disposing changes nothing', await codeOf(() => manager.stats()), 'internal');
  book.expect('another manager', (await bystander.spawn({ instructions: 'goes on' }).wait()).output, 'goes on');
  book.expect('another of the same build', (await twin.manager.spawn({ instructions: 'goes on' }).wait()).output, 'goes on');

  const draining = make({ spawnSubAgent: () => new Promise(() => undefined) });
  let asked = false;
  const turn = deferred<Promise<string> | string>();
  const waiting = make({
    maxConcurrent: 1,
    maxDepth: 2,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'child') return new Promise(() => undefined);
      await run.beforeTurn();
      // Its wait is over before its child has ended, and the child has the only slot.
      await run.wait([run.spawn({ instructions: 'child' })], { timeoutMs: 1 });
      turn.resolve(codeOf(() => run.beforeTurn()));
      asked = true;
      return new Promise(() => undefined);
    },
  });
  waiting.manager.spawn({ instructions: 'parent' });
  while (!asked) await sleep(1);
  waiting.fuse.value = 1;
  book.expect('while a turn waits', await codeOf(() => waiting.manager.stats()), 'internal');
  book.expect('the turn', await turn.promise, 'internal');
  draining.manager.spawn({ instructions: 'x' });
  const drained = codeOf(() => draining.manager.drain());
  draining.fuse.value = 1;
  book.expect('a drain', [await codeOf(() => draining.manager.stats()), await drained], ['internal', 'internal']);

  let failed = 0;
  for (let round = 1; round <= 100; round += 1) {
    const { manager, fuse } = make({ spawnSubAgent });
    fuse.value = 1 + ((round * 7) % 40);
    failed += (await codeOf(() => manager.spawn({ instructions: 'x' }).wait())) === 'internal' ? 1 : 0;
  }
  book.expect('a hundred failures in a row', failed, 100);
  book.expect('after them, another manager', (await bystander.spawn({ instructions: 'still' }).wait()).output, 'still');
  book.expect('another of the same build', (await twin.manager.spawn({ instructions: 'still' }).wait()).output, 'still');
  const fresh = make({ spawnSubAgent });
  book.expect('and a new one', (await fresh.manager.spawn({ instructions: 'fresh' }).wait()).output, 'fresh');
  for (const over of [bystander, twin.manager, fresh.manager]) over.dispose();
}
