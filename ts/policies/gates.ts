// The gates of a manager: they ask policies, and give callers the answers. Owns the two sets, the limits of main agents, and
// the protocol of each gate. The lists ask; the core decides the effects.

import { invalid, SubAgentError } from '../base/errors.js';
import { counted } from '../base/text.js';
import type { StopReply } from '../boundary/generated/commands.js';
import type { Actor } from '../boundary/key.js';
import { textOf } from '../options/arguments.js';
import { type SpawnRequest, stagedBy } from '../options/spawn-options.js';
import type { TurnPermit } from '../reading/exchange.js';
import type { Reading } from '../reading/lookup.js';
import { nothing } from '../reading/returned.js';
import type { ActiveRun } from '../runs/active-run.js';
import type { HostCalls } from '../runs/host-calls.js';
import { leftBehind } from '../runs/moved-runs.js';
import { Agent, UNANSWERED, type Verdict } from './agent.js';
import { PolicyList } from './list.js';
import type { EndPermit, MainLimits, Policy, PolicySets, ToolPermit, ToolVerdict } from './policy.js';

/** The parts of the manager that the gates need. */
interface GateParts extends Reading {
  readonly hosts: HostCalls;
}

/** A main agent, its policies, and its limits. */
export interface Main {
  readonly agent: Agent;
  readonly policies: PolicyList;
  readonly limits: MainLimits;
  prompt: string;
}

export class Gates {
  readonly sub: PolicyList;
  /** Whether any policy is asked before a spawn. */
  guardSpawns: boolean;
  private readonly runtime: GateParts;
  private readonly policies: PolicyList;
  private readonly limits: MainLimits;
  /** By the index of the session. */
  private readonly mains: (Main | undefined)[] = [];

  constructor(runtime: GateParts, sets: PolicySets, limits: MainLimits) {
    this.runtime = runtime;
    this.sub = new PolicyList('`policies.subAgents`', sets.subAgents);
    this.policies = new PolicyList('`policies.main`', sets.main);
    this.guardSpawns = this.sub.has('before_spawn') || this.policies.has('before_spawn');
    this.limits = limits;
  }

  /** The policies of a session, read before it is opened: its own, in place of the manager's. */
  sessionPolicies(policies: readonly Policy[] | undefined): PolicyList {
    return policies === undefined ? this.policies : new PolicyList('`policies`', policies);
  }

  /** Sets the policies of a session, and its own limits over the manager's. */
  openSession(actor: Actor, policies: PolicyList, limits: MainLimits | undefined): void {
    this.mains[actor.index] = this.newMain(actor, policies, { ...this.limits, ...limits });
    this.guardSpawns ||= policies.has('before_spawn');
  }

  /** Ends all waits of a session's main agent for policies. */
  closeSession(actor: Actor): void {
    this.main(actor).agent.stop();
  }

  main(actor: Actor): Main {
    const known = this.mains[actor.index];
    if (known?.agent.actor.generation === actor.generation) return known;
    const main = this.newMain(actor, this.policies, this.limits);
    // A closed session stores nothing here, least of all in place of the session that now has its index, and waits for nothing.
    if (known === undefined) this.mains[actor.index] = main;
    else main.agent.stop();
    return main;
  }

  private newMain(actor: Actor, policies: PolicyList, limits: MainLimits): Main {
    const agent = new Agent(this.runtime, actor, () => main.prompt);
    const main: Main = { agent, policies, limits, prompt: '' };
    return main;
  }

  /** The agent of a run, for policies. */
  agentOf(active: ActiveRun): Agent {
    if (active.agent !== undefined) return active.agent as Agent;
    const agent = new Agent(this.runtime, active, () => active.prompt());
    if (active.isAborted) agent.stop();
    active.agent = agent;
    return agent;
  }

  private listFor(agent: Agent): PolicyList {
    return agent.isMain ? this.main(agent.actor).policies : this.sub;
  }

  /** Ends all waits for policies. */
  close(): void {
    for (const main of this.mains) main?.agent.stop();
  }

  // ─── before a spawn ─────────────────────────────────────────────────────────────────────────────

  /** Asks the policies of the actor that spawns; throws if one refuses. */
  beforeSpawn(actor: Actor, request: SpawnRequest, params: unknown): void {
    const isMain = actor.run === 0;
    const list = isMain ? this.main(actor).policies : this.sub;
    if (!list.has('before_spawn')) return;
    const agent = isMain ? this.main(actor).agent : this.agentOf(actor as ActiveRun);
    const verdict = list.ask('before_spawn', agent, { task: request.text, params }) as Verdict | undefined;
    if (verdict === undefined) return;
    agent.rule('before_spawn', verdict);
    const { answer, policy, text } = verdict;
    if (answer === 'inject') {
      const staged = stagedBy(request);
      staged.contextHint = staged.contextHint === undefined || staged.contextHint === '' ? text : `${staged.contextHint}\n\n${text}`;
      return;
    }
    throw new SubAgentError('policy_blocked', text, { policy, ...(answer === 'finish' && { report: text }) });
  }

  // ─── before an agent starts ─────────────────────────────────────────────────────────────────────

  /** Asks the policies, then has the host called. A run that is blocked or finished ends without its host. */
  start(active: ActiveRun): void {
    // Until the host function is called, the message is undelivered (M2).
    active.isAsked = true;
    this.runtime.hosts.noteHost(active, false);
    const agent = this.agentOf(active);
    const verdict = this.sub.ask('before_start', agent, {});
    if (verdict instanceof Promise) {
      this.runtime.alone(verdict.then((answer) => this.started(active, answer)));
      return;
    }
    this.decideStart(active, verdict);
  }

  /** The answer was not immediate: the host is called once the run has its slot again. */
  private started(active: ActiveRun, verdict: Verdict | undefined): void {
    const { runtime } = this;
    if (runtime.isClosed || active.hostIsOver) return;
    const goes = (verdict === undefined || verdict.answer === 'inject') && !this.isStopping(active);
    active.starting = () => this.decideStart(active, verdict);
    if (runtime.performIf(active, { type: 'approved', starting: goes })?.type === 'later' && goes) return;
    active.takeStart()?.();
  }

  private decideStart(active: ActiveRun, verdict: Verdict | undefined): void {
    const agent = this.agentOf(active);
    if (verdict !== undefined) agent.rule('before_start', verdict);
    if (verdict?.answer === 'inject') agent.inject(verdict.text);
    // The ruling and the approval are persisted before the host gets them.
    this.runtime.oncePersisted(() => {
      if (this.runtime.isClosed || active.hostIsOver) return;
      if ((verdict === undefined || verdict.answer === 'inject') && !this.isStopping(active)) this.runtime.hosts.start(active);
      else this.runtime.hosts.end(active, nothing());
    });
  }

  private isStopping(active: ActiveRun): boolean {
    return !this.isOpen(active) || this.runtime.lookup.snapshot(active.index, active.generation).cancelRequested;
  }

  private isOpen({ index, generation, run }: Actor): boolean {
    return this.runtime.call((core) => core.isOpen(index, generation, run));
  }

  // ─── before a turn ──────────────────────────────────────────────────────────────────────────────

  /** Asks before a turn; `take` asks the core for it. */
  async beforeTurn(agent: Agent, take: () => TurnPermit | Promise<TurnPermit>): Promise<TurnPermit> {
    agent.asksForTurn = true;
    try {
      const verdict = await this.listFor(agent).ask('before_turn', agent, {});
      this.runtime.check();
      if (verdict !== undefined) {
        const taken = agent.rule('before_turn', verdict);
        if (verdict.answer === 'inject') agent.inject(verdict.text);
        else if (taken) return refusedTurn(verdict);
      }
      const permit = await take();
      if (!permit.go) return permit;
      const inject = agent.takeInjected();
      return inject.length === 0 ? permit : { ...permit, inject: [...(permit.inject ?? []), ...inject] };
    } finally {
      agent.asksForTurn = false;
    }
  }

  /** A turn of a main agent. A prompt restarts its limits. */
  async mainTurn(actor: Actor, prompt: string | undefined): Promise<TurnPermit> {
    const { runtime } = this;
    runtime.check();
    const main = this.main(actor);
    const { agent, policies } = main;
    if (agent.asksForTurn) throw new SubAgentError('invalid_argument', 'the last beforeTurn has not answered yet');
    if (prompt !== undefined) {
      runtime.performIf(actor, { type: 'end_main' });
      main.prompt = prompt;
    }
    if ((agent.policing()?.turns ?? 0) === 0 && policies.has('before_start')) {
      agent.asksForTurn = true;
      const verdict = await policies.ask('before_start', agent, {});
      agent.asksForTurn = false;
      runtime.check();
      if (verdict !== undefined) {
        const taken = agent.rule('before_start', verdict);
        if (verdict.answer === 'inject') agent.inject(verdict.text);
        else if (taken) return refusedTurn(verdict);
      }
    }
    return this.beforeTurn(agent, () => this.takeMainTurn(main));
  }

  private async takeMainTurn(main: Main): Promise<TurnPermit> {
    const { agent, policies, limits } = main;
    const { maxTurns = UNBOUNDED, maxContextTokens = UNBOUNDED, timeoutMs = UNBOUNDED } = limits;
    const bounds = { turns: maxTurns, contextTokens: maxContextTokens, ms: timeoutMs };
    const reply = this.runtime.command(agent.actor, { type: 'begin_main_turn', bounds });
    this.runtime.dispatch();
    if (reply.type !== 'go') {
      const { reason } = reply as StopReply;
      if (reason !== 'policy') return { go: false, reason };
      return {
        go: false,
        reason,
        message: `the context has ${counted(agent.policing()?.contextTokens ?? 0, 'token')}, the limit is ${maxContextTokens}`,
      };
    }
    const { turn, wrapUp, inject } = reply;
    const given = inject.length > 0 ? { inject: [...inject] } : undefined;
    if (wrapUp === undefined) return { go: true, turn, ...given };
    const verdict = await policies.ask('on_timeout', agent, { reason: 'timeout' });
    // Its session was closed, or its manager: the core says so.
    if (agent.isStopped) return this.takeMainTurn(main);
    const report = verdict === undefined ? undefined : this.timeoutAnswered(agent, verdict);
    return { go: true, turn, wrapUp: true, reason: 'timeout', ...given, ...(report !== undefined && { report }) };
  }

  // ─── tools ──────────────────────────────────────────────────────────────────────────────────────

  async beforeTool(agent: Agent, tool: string, args: unknown): Promise<ToolPermit> {
    const { runtime } = this;
    const { index, generation, run } = agent.actor;
    runtime.check();
    expectName(tool);
    if (!agent.isMain) {
      const length = runtime.write(tool);
      if (!runtime.call((core) => core.mayUse(index, generation, run, length))) return this.toolRefused(agent);
    }
    const list = this.listFor(agent);
    const verdict = list.has('before_tool') ? await list.ask('before_tool', agent, { tool, args }) : undefined;
    runtime.check();
    if (verdict === UNANSWERED) checkIsLeft(agent);
    if (verdict !== undefined) {
      agent.rule('before_tool', verdict);
      if (verdict.answer === 'block') return { allowed: false, reason: verdict.text };
      if (verdict.answer === 'finish') return { allowed: false, reason: verdict.text, finished: true };
    }
    if (runtime.commandIf(agent.actor, { type: 'begin_tool', name: tool }) === undefined) return this.toolRefused(agent);
    agent.tools += 1;
    runtime.dispatch();
    return verdict === undefined ? { allowed: true } : { allowed: true, inject: [verdict.text] };
  }

  /** The core refused: the run has no such tool, or has ended. */
  private toolRefused(agent: Agent): ToolPermit {
    const { code, message } = this.runtime.refusal();
    if (code === 'tool_blocked') agent.rule('before_tool', { answer: 'block', policy: 'tools', text: message, reason: 'policy' });
    return { allowed: false, reason: message };
  }

  async afterTool(agent: Agent, tool: string, result: unknown): Promise<ToolVerdict> {
    const { runtime } = this;
    runtime.check();
    expectName(tool);
    agent.tools = Math.max(0, agent.tools - 1);
    // A host function that waits for messages reads them within its turn.
    const texts = agent.isMain ? [] : this.takeSteers(agent, agent.deliver !== undefined);
    const list = this.listFor(agent);
    const verdict = list.has('after_tool') ? await list.ask('after_tool', agent, { tool, result }) : undefined;
    if (verdict !== undefined) {
      runtime.check();
      agent.rule('after_tool', verdict);
      if (verdict.answer === 'inject') texts.push(verdict.text);
    }
    const inject = texts.length === 0 ? {} : { inject: texts };
    if (verdict?.answer === 'block') return { withheld: true, reason: verdict.text, ...inject };
    return verdict?.answer === 'finish' ? { withheld: false, finished: true, ...inject } : { withheld: false, ...inject };
  }

  // ─── steering a run ─────────────────────────────────────────────────────────────────────────────

  /** Takes the steering texts of a run. If it `waits`, it resolves once there is one, or with none if the run has to stop. */
  steers(agent: Agent, waits: boolean): string[] | Promise<string[]> {
    // New texts go to the latest call.
    agent.deliver?.([]);
    // While a tool runs, the end of that tool delivers new texts.
    const texts = agent.tools > 0 ? [] : this.takeSteers(agent, true);
    if (!waits || texts.length > 0 || agent.isStopped || !this.isOpen(agent.actor)) return texts;
    return new Promise((resolve) => {
      agent.deliver = (steers) => {
        agent.deliver = undefined;
        resolve(steers);
      };
    });
  }

  /** Delivers a steering message that has just come. */
  steered(active: ActiveRun): void {
    const agent = active.agent as Agent | undefined;
    if (agent?.deliver === undefined || agent.tools > 0) return;
    const texts = this.takeSteers(agent, true);
    if (texts.length > 0) agent.deliver(texts);
  }

  private takeSteers(agent: Agent, listens: boolean): string[] {
    const reply = this.runtime.commandIf(agent.actor, { type: 'end_tool', listens });
    this.runtime.dispatch();
    return reply?.type === 'steered' ? [...reply.texts] : [];
  }

  // ─── before the end ─────────────────────────────────────────────────────────────────────────────

  async beforeEnd(agent: Agent, output: string): Promise<EndPermit> {
    const { runtime } = this;
    runtime.check();
    textOf('`output`', output);
    const list = this.listFor(agent);
    const verdict = list.has('before_end') ? await list.ask('before_end', agent, { output }) : undefined;
    runtime.check();
    if (verdict === UNANSWERED) checkIsLeft(agent);
    if (verdict !== undefined) {
      agent.rule('before_end', verdict);
      if (verdict.answer === 'inject' || verdict.answer === 'force_turn') return { end: false, inject: [verdict.text] };
    }
    if (agent.isMain) runtime.performIf(agent.actor, { type: 'end_main' });
    if (verdict === undefined) return { end: true, output };
    return verdict.answer === 'finish' ? { end: true, output: verdict.text } : { end: true, output: '', reason: verdict.text };
  }

  // ─── on a timeout ───────────────────────────────────────────────────────────────────────────────

  /** The time of a run is over: asks its policies, without waiting for them. */
  timedOut(active: ActiveRun, reason: 'timeout' | 'idle_timeout'): void {
    if (!this.sub.has('on_timeout')) return;
    const agent = this.agentOf(active);
    const verdict = this.sub.ask('on_timeout', agent, { reason });
    const answered = (verdict: Verdict | undefined): void => {
      if (verdict !== undefined) this.timeoutAnswered(agent, { ...verdict, reason });
    };
    if (verdict instanceof Promise) this.runtime.alone(verdict.then(answered));
    else answered(verdict);
  }

  private timeoutAnswered(agent: Agent, verdict: Verdict): string | undefined {
    agent.rule('on_timeout', verdict);
    if (verdict.answer === 'finish') return verdict.text;
    agent.inject(verdict.text);
    return undefined;
  }
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** Refuses if a drain leaves the run to the next process: the answer is not persisted, and the run asks again there. */
function checkIsLeft({ actor }: Agent): void {
  if ((actor as Partial<ActiveRun>).isLeft === true) throw leftBehind('asks its policies');
}

function refusedTurn({ answer, text, reason }: Verdict): TurnPermit {
  return answer === 'finish' ? { go: false, reason, report: text } : { go: false, reason, message: text };
}

function expectName(tool: unknown): void {
  if (typeof tool !== 'string' || tool === '') throw invalid("a tool's name", "a text such as 'read_file'", tool);
  textOf("a tool's name", tool);
}
