// How a run ends by how its model's last turn ended: what must be true for each finish reason of a framework (L3). Owns the
// check; each framework brings the table of its reasons, and its real package.

import assert from 'node:assert/strict';
import { type SpawnSubAgent, SubAgentManager } from 'subagents';
import type { HostOptions, Said, Think } from './framework.js';

/** How a run ends whose model's last turn is this one. */
export interface Finish {
  said: Said | Think;
  /** It completed: with this output, and with this `hostStatus` where the word is not known. */
  completed?: { output: string; hostStatus?: string };
  /** It failed: with this `hostStatus`, or because the framework threw, and with an error like this one. */
  failed?: { as: 'length' | 'content_filter' | 'refusal' | 'incomplete' | 'thrown'; error: RegExp };
}

const EARLIER = 'I READ a.md';

/**
 * Runs each of these as the only turn, and, unless a host function reports no turn of its own, behind one that says something
 * and calls a tool.
 */
export async function checkFinishes(
  host: (options: HostOptions) => SpawnSubAgent,
  table: Record<string, Finish>,
  { keepsEarlier = true } = {},
): Promise<void> {
  for (const [name, finish] of Object.entries(table)) {
    for (const isSecond of keepsEarlier ? [false, true] : [false])
      await checkFinish(host, `${name}${isSecond ? ', behind another turn' : ''}`, finish, isSecond);
  }
}

async function checkFinish(
  host: (options: HostOptions) => SpawnSubAgent,
  name: string,
  { said, completed, failed }: Finish,
  isSecond: boolean,
): Promise<void> {
  const first: Said = { text: EARLIER, calls: [{ name: 'read', args: { path: 'a.md' } }], tokens: 5 };
  const steps = isSecond ? [first, said] : [said];
  const think: Think = (request) => {
    const step = steps.length > 1 ? (steps.shift() ?? {}) : said;
    return typeof step === 'function' ? step(request) : step;
  };
  const read = { name: 'read', description: 'reads a file', run: async () => 'CONTENT' };
  const errors: unknown[] = [];
  const manager = new SubAgentManager({
    maxTurns: 6,
    onError: (error) => errors.push(error),
    spawnSubAgent: host({ think: () => think, tools: [read], delegates: false }),
  });
  const handle = manager.spawn({ instructions: 'write' });
  const result = await handle.wait();
  const text = typeof said === 'function' ? '' : (said.text ?? '').trim();
  const { status, stopReason, success, partial, hostStatus, output, error } = result;
  if (completed !== undefined) {
    assert.deepEqual(
      { status, stopReason, success, partial, hostStatus, output, error },
      { status: 'completed', stopReason: 'finished', success: true, partial: false, error: undefined, hostStatus: undefined, ...completed },
      name,
    );
    assert.equal(errors.length, completed.hostStatus === undefined ? 0 : 1, `${name}: a word that is not known is reported`);
  } else {
    const left = text === '' && isSecond ? EARLIER : text;
    const thrown = failed?.as === 'thrown' && left === '';
    const as = failed?.as === 'thrown' ? 'incomplete' : failed?.as;
    assert.deepEqual(
      { status, stopReason, success, partial, hostStatus, output },
      {
        status: 'failed',
        stopReason: thrown ? 'host_threw' : 'host_failed',
        success: false,
        partial: !thrown,
        hostStatus: thrown ? undefined : as,
        output: left,
      },
      `${name}: ${error}`,
    );
    assert.match(error ?? '', failed?.error ?? /^$/, name);
    assert.deepEqual(errors, [], name);
    // What a model reads of it says that it failed, and why.
    assert.match(handle.resultText(), / failed/, name);
  }
  assert.equal(manager.getConcurrencyInfo().active, 0, name);
  manager.dispose();
}
