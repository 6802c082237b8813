// A framework's part of the bench: its own way of delegating, ours in it, and its agents called directly. Owns the
// types and what all share: the models' texts, and the manager.

import { type AgentTools, type SpawnSubAgent, SubAgentManager } from 'subagents';
import type { Think } from './framework.js';

/** Has `width` sub-agents work at once and resolves to how many results came back. */
export type Burst = (width: number) => Promise<number>;

export interface Ways {
  name: string;
  /** The framework's own way of delegating, or why there is none. */
  own: { how: string; burst: Burst } | { none: string };
  /** The same through a manager: the framework's main agent with our tool, its agents as sub-agents. */
  ours: Burst;
  /** The same agents, called directly, without a delegation. */
  alone: Burst;
}

/** A sub-agent's model: one turn, one word, which says what part it was given last. */
export const noOp: Think = ({ seen }) => ({ text: `DONE<${Number.parseInt(seen.slice(seen.lastIndexOf('part ') + 5), 10)}>`, tokens: 10 });

/** A fake model of the AI SDK that does not keep what it was called with, as no real model does: the heap would grow with every call. */
export function forgetful<T extends object>(model: T): T {
  return Object.defineProperty(model, 'doGenerateCalls', { get: () => [] });
}

/** How many parts are done, by what came back; frameworks show a model a result more than once. */
export function doneIn(text: string): number {
  return new Set(text.match(/DONE<\d+>/g)).size;
}

/** A call of a tool, as a main agent's model makes it. */
export type Call = { name: string; args: Record<string, unknown> };

/** The call that delegates through ours. */
export const spawn = (part: number): Call => ({ name: 'spawn_agent', args: { instructions: task(part) } });

export const task = (part: number): string => `part ${part}`;

/**
 * A main agent, made anew: its model delegates all parts in one step, gets the results, and is done.
 * `run` runs the framework's main agent with that model.
 */
export function byModel(call: (part: number) => Call, run: (think: Think) => Promise<unknown>): Burst {
  return async (width) => {
    let came: number | undefined;
    let asked = false;
    await run(({ seen }) => {
      if (asked) {
        came = doneIn(seen);
        return { text: 'all is done', tokens: 10 };
      }
      asked = true;
      return { calls: Array.from({ length: width }, (_, part) => call(part)), tokens: 10 };
    });
    return came ?? 0;
  };
}

/** `run` once for each part, all at once. */
export function together(run: (part: number) => Promise<string>): Burst {
  return async (width) => {
    const texts = await Promise.all(Array.from({ length: width }, (_, part) => run(part)));
    return doneIn(texts.join(' '));
  };
}

/** A manager whose gates are all on, and none refuses. */
export function managerOf(spawnSubAgent: SpawnSubAgent): SubAgentManager {
  return new SubAgentManager({ maxConcurrent: 50, maxChildren: 1_000, budget: { tokens: 1e12, costUsd: 1e6 }, spawnSubAgent });
}

/** The tool that spawns and no other: the frameworks' own ways bring one too. */
export function toolsOf(manager: SubAgentManager): AgentTools {
  return manager.createTools({ include: ['spawn'] });
}

/** As the examples take it: a manager that has these tools. */
export function having(tools: AgentTools): SubAgentManager {
  return { createTools: () => tools } as unknown as SubAgentManager;
}
