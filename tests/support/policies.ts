// Managers, runs and main agents for the tests of policies.

import { afterEach } from 'vitest';
import {
  type HostResult,
  type Policy,
  type PolicyPoint,
  type Run,
  type SpawnOptions,
  SubAgentManager,
  type SubAgentManagerOptions,
} from '../../dist/index.js';
import { type Deferred, deferred, done } from './hosts.js';
import { flush } from './virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

export function manager(options: SubAgentManagerOptions = {}): SubAgentManager {
  const made = new SubAgentManager({ spawnSubAgent: () => done(), ...options });
  opened.push(made);
  return made;
}

export interface OpenRun {
  manager: SubAgentManager;
  handle: ReturnType<SubAgentManager['spawn']>;
  run: Run;
  end: Deferred<HostResult>;
}

/** A sub-agent whose run the test goes through, and ends. */
export async function openRun(options: SubAgentManagerOptions = {}, spawn: SpawnOptions = { instructions: 'work' }): Promise<OpenRun> {
  const [end, got] = [deferred<HostResult>(), deferred<Run>()];
  const made = manager({
    ...options,
    spawnSubAgent: (_, run) => {
      got.resolve(run);
      return end.promise;
    },
  });
  const handle = made.spawn(spawn);
  return { manager: made, handle, run: await got.promise, end };
}

export const METHODS = {
  before_spawn: 'beforeSpawn',
  before_start: 'beforeStart',
  before_turn: 'beforeTurn',
  before_tool: 'beforeTool',
  after_tool: 'afterTool',
  before_end: 'beforeEnd',
  on_timeout: 'onTimeout',
} as const satisfies Record<PolicyPoint, keyof Policy>;

/** A policy that does the same thing at one point. */
export function at(point: PolicyPoint, body: (context: never) => unknown, name = 'p'): Policy {
  return { name, [METHODS[point]]: body } as Policy;
}

/** What happened when an agent came to a point. */
export interface Passed {
  /** Whether it could go on as if nobody had been asked. */
  free: boolean;
  /** What the model was shown, or why it could not go on. */
  text: string | undefined;
}

/** Brings a sub-agent to a point, under these policies, and says what came of it. */
export async function pass(point: PolicyPoint, policies: readonly Policy[], onError?: (error: unknown) => void): Promise<Passed> {
  const options: SubAgentManagerOptions = { policies: { subAgents: policies }, maxDepth: 2, ...(onError && { onError }) };
  if (point === 'before_start') {
    let called = 0;
    const made = manager({
      ...options,
      spawnSubAgent: async (_, run) => {
        called += 1;
        const permit = await run.beforeTurn();
        return done(permit.go ? (permit.inject?.join('|') ?? '') : permit.reason);
      },
    });
    const result = await made.spawn({ instructions: 'start' }).wait();
    const free = called === 1 && result.output === '';
    return { free, text: called === 1 ? result.output || undefined : (result.error ?? result.output) };
  }
  const timeouts = point === 'on_timeout' ? { timeoutMs: 100, graceMs: 1_000 } : {};
  const { run, handle, end } = await openRun({ ...options, ...timeouts });
  switch (point) {
    case 'before_spawn':
      try {
        const child = run.spawn({ instructions: 'a child' });
        const hint = run.get(child).contextHint;
        return { free: hint === '', text: hint || undefined };
      } catch (error) {
        return { free: false, text: (error as Error).message };
      }
    case 'before_turn': {
      const permit = await run.beforeTurn();
      if (permit.go) return { free: permit.inject === undefined, text: permit.inject?.join('|') };
      return { free: false, text: permit.message ?? permit.report };
    }
    case 'before_tool': {
      const permit = await run.beforeTool('read', { path: 'a' });
      return { free: permit.allowed && permit.inject === undefined, text: permit.allowed ? permit.inject?.join('|') : permit.reason };
    }
    case 'after_tool': {
      const verdict = await run.afterTool('read', 'the text');
      const finished = !verdict.withheld && verdict.finished === true;
      const text = verdict.withheld ? verdict.reason : verdict.inject?.join('|');
      return { free: !verdict.withheld && !finished && text === undefined, text: finished ? 'finished' : text };
    }
    case 'before_end': {
      const permit = await run.beforeEnd('the output');
      if (!permit.end) return { free: false, text: permit.inject.join('|') };
      return { free: permit.output === 'the output', text: permit.reason ?? (permit.output === 'the output' ? undefined : permit.output) };
    }
    case 'on_timeout': {
      const { pass: passTime } = await import('./virtual-time.js');
      await passTime(150);
      await flush();
      const permit = await run.beforeTurn();
      const inject = permit.go ? permit.inject?.join('|') : undefined;
      end.resolve(done(''));
      const { output } = await handle.wait();
      return { free: inject === undefined && output === '', text: inject ?? (output || undefined) };
    }
  }
}
