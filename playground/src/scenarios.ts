// The scenarios: each makes a manager, gives it work, and may act while it runs, as the program or a person would. Owns
// what each shows; the agent itself is the same in all.

import { type Policy, SubAgentManager, type SubAgentManagerOptions } from 'subagents';
import { indexedDbStore } from 'subagents/store/indexeddb';
import { spawnWith, type Team, TOOLS } from './agent.js';
import { type Library, QUESTION } from './documents.js';
import type { Injected } from './faults.js';

export interface Stage {
  readonly team: Team;
  readonly library: Library;
  /** Asks the person; resolves to whether they allow it. */
  readonly approve: (taskId: string, tool: string, args: unknown) => Promise<boolean>;
  readonly paceMs: () => number;
  /** Whether the page was lost while this scenario ran, and the manager has to be opened from its store. */
  readonly reopens: boolean;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What there is to see. */
  readonly shows: string;
  /** What the host is given to suffer, unless the person chooses something else. */
  readonly fault?: Injected;
  readonly make: (stage: Stage) => SubAgentManager | Promise<SubAgentManager>;
  /** Gives the manager its work, once the page shows it. */
  readonly work: (manager: SubAgentManager, stage: Stage) => void;
}

/** The name of the database that the crash is survived in. */
export const DATABASE = 'subagents-playground';

function optionsOf(stage: Stage, options: SubAgentManagerOptions = {}): SubAgentManagerOptions {
  return {
    spawnSubAgent: spawnWith(stage.team),
    tools: [...TOOLS, 'SubAgent'],
    maxConcurrent: 3,
    maxDepth: 3,
    // Short, so that a host that hangs is seen to be given up.
    idleTimeoutMs: 8_000,
    graceMs: 1_500,
    abandonMs: 5_000,
    ...options,
  };
}

const ask = (manager: SubAgentManager, label = 'lead'): void => {
  manager.spawn({ instructions: `Question: ${QUESTION}`, label });
};

/** The documents in teams of at most two. */
function teams(library: Library): string {
  const names = ['Operations', 'Office', 'Archive', 'Field', 'Review'];
  const size = Math.max(2, Math.ceil(library.names.length / names.length));
  const lines = names.flatMap((name, at) => {
    const documents = library.names.slice(at * size, (at + 1) * size);
    return documents.length === 0 ? [] : [`- ${name}: ${documents.join(', ')}`];
  });
  return `Question: ${QUESTION}\nTeams:\n${lines.join('\n')}`;
}

/** Calls `act` once `find` finds a sub-agent. */
function once(manager: SubAgentManager, find: () => string | undefined, act: (taskId: string) => void): void {
  const off = manager.subscribe(() => {
    const taskId = find();
    if (taskId === undefined) return;
    off();
    act(taskId);
  });
}

const labelled = (manager: SubAgentManager, label: string): string | undefined =>
  manager.list({ filter: { label } }).items.find(({ status }) => status === 'running')?.taskId;

export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'fan-out',
    title: 'Fan-out over documents',
    shows: 'A lead starts one sub-agent for each document. Three run at once, the others queue; the lead gives its slot up while it waits.',
    make: (stage) => new SubAgentManager(optionsOf(stage, { budget: { tokens: 200_000, costUsd: 1 } })),
    work: (manager) => ask(manager),
  },
  {
    id: 'teams',
    title: 'Nested teams',
    shows: 'A lead starts leads of teams, and each of these its own sub-agents: time and tokens add up along the tree.',
    make: (stage) => new SubAgentManager(optionsOf(stage, { budget: { tokens: 300_000, costUsd: 2 } })),
    work: (manager, stage) => {
      manager.spawn({ instructions: teams(stage.library), label: 'lead of teams' });
    },
  },
  {
    id: 'budget',
    title: 'A budget that is cut',
    shows: 'There are too few tokens for all: some sub-agents wrap up, others are refused before they start.',
    make: (stage) =>
      new SubAgentManager(
        optionsOf(stage, { budget: { tokens: 9_000 }, taskBudget: { tokens: 6_000 }, turnEstimate: 700, wrapUpTokens: 300 }),
      ),
    work: (manager) => ask(manager),
  },
  {
    id: 'cancel',
    title: 'A cancelled subtree',
    shows: 'One team is cancelled while it works: its sub-agents end with it, and the other teams continue.',
    make: (stage) => new SubAgentManager(optionsOf(stage, { maxConcurrent: 4 })),
    work: (manager, stage) => {
      manager.spawn({ instructions: teams(stage.library), label: 'lead of teams' });
      const office = (): string | undefined => {
        const lead = labelled(manager, 'Team: Office');
        const below = lead === undefined ? [] : manager.list({ filter: { parent: lead } }).items;
        return below.some(({ status }) => status === 'running') ? lead : undefined;
      };
      once(manager, office, (taskId) => {
        setTimeout(() => void manager.cancel(taskId).catch(() => undefined), stage.paceMs());
      });
    },
  },
  {
    id: 'rate-limit',
    title: 'A rate limit',
    shows:
      'The endpoint asks for a pause: running sub-agents park at their next turn, queued ones wait, and all continue one after the other.',
    fault: { fault: 'rate limit', every: 4 },
    make: (stage) => new SubAgentManager(optionsOf(stage, { staggerMs: 250 })),
    work: (manager, stage) => {
      for (const name of stage.library.names) {
        manager.spawn({
          instructions: `Document: ${name}\nQuestion: ${QUESTION}`,
          label: name,
          rateLimitKey: 'endpoint',
          background: true,
        });
      }
    },
  },
  {
    id: 'approval',
    title: 'A question and an approval',
    shows: 'An author asks for whom to write, and may publish only once you have approved it. It holds no slot while it waits for you.',
    make: (stage) => {
      const approval: Policy = {
        name: 'approval',
        async beforeTool({ taskId, tool, args }) {
          if (tool !== 'publish' || taskId === null) return;
          if (!(await stage.approve(taskId, tool, args))) return { action: 'block', reason: 'the person refused' };
        },
      };
      return new SubAgentManager(optionsOf(stage, { policies: { subAgents: [approval] } }));
    },
    work: (manager) => {
      manager.spawn({ instructions: 'Publish: a notice about permits for the crane', label: 'author', background: true });
      ask(manager, 'reader');
    },
  },
  {
    id: 'crash',
    title: 'A crash, and what it leaves',
    shows:
      'The journal is stored in IndexedDB. Load the page again while it works: the manager is opened from it, and lost work begins anew.',
    make: async (stage) => {
      if (!stage.reopens) await emptied(DATABASE);
      return SubAgentManager.open({ ...optionsOf(stage), store: indexedDbStore(DATABASE, { waitMs: 3_000 }), onHostLost: 'requeue' });
    },
    work: (manager, stage) => {
      // What the journal had goes on by itself.
      if (manager.stats().total === 0) {
        for (const name of stage.library.names) {
          manager.spawn({ instructions: `Document: ${name}\nQuestion: ${QUESTION}`, label: name, background: true });
        }
      }
    },
  },
];

function emptied(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('another page has the playground open with this scenario'));
  });
}
