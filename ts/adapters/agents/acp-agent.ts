// An agent of the Agent Client Protocol as a host function. Owns how a run's turns become prompts: one prompt is one
// turn of the run, however often the agent calls its model.

import type { SpawnSubAgent } from '../../api/host-functions.js';
import type { Run } from '../../api/run.js';
import type { Receipt } from '../../base/receipt.js';
import type { HostResult } from '../../options/host-result.js';
import { expectKnown } from '../any-tool.js';
import { finishOf } from '../finish.js';
import type { Amounts } from '../model-usage.js';
import { readValue, schemaPrompt } from '../structured.js';
import { Turns } from '../turns.js';
import { AcpConversation, type ConversationOptions, type PromptEnd, type SavedAcpConversation } from './acp-conversation.js';
import type { AcpMcpServer, AcpToolCall } from './acp-types.js';
import type { PromptListener } from './acp-updates.js';
import { endLeft } from './agent-process.js';
import { BudgetWatch, GO_ON } from './budget-watch.js';
import { IdleConversations } from './idle-conversations.js';
import { commandOf, expectMs, type ProcessAgentOptions, readOptions, SERVER, SHARED } from './options.js';
import { expectPermission, type Permission, Permissions } from './permissions.js';
import { Progress } from './progress.js';
import { Receipts } from './receipts.js';
import { answeredFor, beginFor, recapOf, savedBy, saveFor } from './saved.js';
import { folderIn, withWorktree } from './worktrees.js';

/** Options of `acpAgent`. */
export interface AcpAgentOptions extends ProcessAgentOptions {
  /** How the agent's permission requests are answered. @default 'ask' */
  permission?: Permission | undefined;
  /** MCP servers for the agent. */
  mcpServers?: readonly AcpMcpServer[] | undefined;
  /** The id of its way to log in. Default: the profile's. */
  authenticate?: string | undefined;
  /** How long it may take to be ready, in milliseconds. @default 60,000 */
  startMs?: number | undefined;
  /** How long its process waits for the sub-agent's next message before it is ended, in milliseconds. @default 30,000 */
  idleProcessMs?: number | undefined;
}

const KNOWN = [
  ...SHARED,
  'permission',
  'mcpServers',
  'authenticate',
  'startMs',
  'idleProcessMs',
] as const satisfies (keyof AcpAgentOptions)[];

/**
 * Runs an agent that speaks the Agent Client Protocol, such as Codex or opencode, as a sub-agent:
 * `spawnSubAgent: acpAgent({ profile: 'codex' })`. Needs the package `@agentclientprotocol/sdk`. Throws `invalid_argument` for
 * a wrong option. If an agent isn't installed or logged in, its runs fail with an error that names the remedy.
 *
 * @param options the agent, its folder and its permissions
 */
export function acpAgent(options: AcpAgentOptions): SpawnSubAgent {
  expectKnown('acpAgent', Object(options) as object, KNOWN);
  const { command, isolation, mode, permission = 'ask', mcpServers = [], startMs = 60_000, idleProcessMs = 30_000 } = options;
  // If the program gives a server of that name, the agent gets it.
  const isGiven = mcpServers.some(({ name }) => name === SERVER);
  const read = readOptions('acpAgent', isGiven ? { ...options, nested: true } : options);
  const { profile, cwd, env, recordsFolder, cancelMs } = read;
  const { acp } = profile;
  expectPermission('acpAgent', permission);
  expectMs('acpAgent', 'startMs', startMs);
  expectMs('acpAgent', 'idleProcessMs', idleProcessMs);
  const idle = new IdleConversations(idleProcessMs);
  // Processes that killed hosts left end before any run begins.
  void endLeft(recordsFolder);
  return async (_, run) => {
    await beginFor(run);
    const turns = new Turns(run, options);
    const folder = isolation === undefined ? cwd : await folderIn('acpAgent', run, cwd);
    const open = async (saved: SavedAcpConversation | undefined): Promise<AcpConversation> => {
      const how: ConversationOptions = {
        agent: profile.name,
        command: commandOf(read, command, acp?.commands ?? []),
        cwd: folder,
        ...{ env, recordsFolder, cancelMs, startMs, mcpServers },
        mode: mode ?? acp?.mode,
        effort: run.effort,
        authenticate: options.authenticate ?? acp?.authenticate,
        tokens: acp?.tokens ?? 'turn',
        ...{ install: profile.install, login: profile.login, meta: read.without.meta },
      };
      return AcpConversation.open(how, saved, run.signal);
    };
    const receipts = new Receipts(folder);
    const result = await receipts.with(new AcpRun(run, turns, idle, new Permissions(run, permission), receipts, open).result());
    return isolation === undefined ? result : withWorktree(run, result);
  };
}

/** One run. */
class AcpRun implements PromptListener {
  private readonly run: Run;
  private readonly turns: Turns;
  private readonly idle: IdleConversations;
  private readonly permissions: Permissions;
  private readonly open: (saved: SavedAcpConversation | undefined) => Promise<AcpConversation>;
  private readonly receipts: Receipts;
  private readonly progress: Progress;
  private readonly watch: BudgetWatch;
  private conversation: AcpConversation | undefined;
  /** Why this side ended the turn: a message came that can't wait, or the budget is spent. */
  private cutFor: 'message' | 'budget' | undefined;
  /**
   * The sizes of the context at the model calls of this turn, as the agent reported them. `last`: at the last call, which some
   * agents report twice. `before`: the sum of the calls before it. A call is over if a tool call ends or the context shrinks.
   */
  private context = { last: 0, before: 0 };
  /** Calls of the model in this turn: one more than there were groups of tool calls. */
  private calls = 1;
  private isBusy = false;
  /** Steering texts on their way to the agent, in its turn. */
  private steering: Promise<unknown> = Promise.resolve();
  private isListening = false;
  /** The last save, as JSON. */
  private saved = '';

  constructor(
    run: Run,
    turns: Turns,
    idle: IdleConversations,
    permissions: Permissions,
    receipts: Receipts,
    open: (saved: SavedAcpConversation | undefined) => Promise<AcpConversation>,
  ) {
    this.run = run;
    this.turns = turns;
    this.idle = idle;
    this.permissions = permissions;
    this.receipts = receipts;
    this.open = open;
    // Saved during the turn: another process may have to give a new conversation the same recap.
    this.progress = new Progress(run, () => void this.keep());
    this.watch = new BudgetWatch(run);
    permissions.onRefused = (name, reason) => this.steers(this.afterTool(name, reason));
  }

  async result(): Promise<HostResult> {
    const { run, turns } = this;
    const abort = (): void => {
      this.permissions.cancelOpen();
      this.conversation?.cancel();
    };
    run.signal.addEventListener('abort', abort, { once: true });
    try {
      return await turns.conduct(async (prompts) => {
        let texts = prompts;
        for (;;) {
          await turns.begin(0, true);
          this.watch.begin();
          const injected = turns.fresh();
          const end = await this.prompt(await this.take(), texts.length + injected.length === 0 ? [GO_ON] : [...texts, ...injected]);
          if (run.signal.aborted) return { text: end.text };
          await this.steering;
          // Texts that arrived during the turn come with the next one; if no turn is left, the run ends. An agent that had
          // finished when its budget ran out has finished (B6).
          const hasFinished = this.cutFor === undefined || (this.cutFor === 'budget' && end.stopReason === 'end_turn');
          if (hasFinished && !(await turns.hasSteers())) return this.answer(end);
          texts = [];
        }
      });
    } finally {
      run.signal.removeEventListener('abort', abort);
      this.progress.end();
      await this.leave();
    }
  }

  /** This sub-agent's conversation, or one opened with its saved data. */
  private async take(): Promise<AcpConversation> {
    const { run } = this;
    let conversation = this.conversation;
    if (conversation === undefined || conversation.isOver) {
      const saved = conversation?.saved ?? savedBy<SavedAcpConversation>(run);
      // Its start is bounded by `startMs`.
      this.alive(true);
      conversation = this.idle.take(run.session.get(PLACE)) ?? (await this.open(saved));
      this.alive(false);
      this.conversation = conversation;
      await this.keep();
    }
    // Once for each prompt: the end of the last prompt has ended the wait for messages.
    if (conversation.canSteer && !this.isListening) void this.listen();
    return conversation;
  }

  private async prompt(conversation: AcpConversation, texts: readonly string[]): Promise<PromptEnd> {
    const { run, turns } = this;
    const { schema } = turns;
    const all = [
      ...(conversation.isBegun ? [] : [run.systemPrompt, ...(conversation.lost === undefined ? [] : [recapOf(conversation.lost)])]),
      ...texts,
      ...(schema === undefined ? [] : [schemaPrompt(schema)]),
    ];
    this.cutFor = undefined;
    this.context = { last: 0, before: 0 };
    this.calls = 1;
    const end = await this.answered(conversation, all.filter((text) => /\S/.test(text)).join('\n\n'));
    turns.keep([conversation.saved.id]);
    const isCancelled = run.signal.aborted || this.cutFor !== undefined;
    await this.book(() => this.end(end.text, end.usage, isCancelled, end.isOfLastCall), run.signal.aborted ? saveFor : answeredFor);
    return end;
  }

  private async answered(conversation: AcpConversation, text: string): Promise<PromptEnd> {
    try {
      return await conversation.prompt(text, this);
    } catch (error) {
      // Its earlier text is the partial output.
      this.progress.flush();
      this.end((error as { said?: string }).said ?? '', undefined, true);
      throw error;
    } finally {
      this.alive(false);
      this.progress.flush();
    }
  }

  /**
   * Reports a turn. If a stopped agent reports nothing, the sizes of its contexts estimate its usage (B15). If only the last
   * call is reported, the others count as much.
   */
  private end(text: string, usage: PromptEnd['usage'], isStopped: boolean, isOfLastCall = false): void {
    const isPart = isOfLastCall && this.calls > 1;
    const reported = (usage?.totalTokens ?? 0) * this.calls;
    const sum = isPart ? Math.max(this.contexts, reported) : this.contexts;
    if (sum > 0 && (isPart || (usage === undefined && isStopped))) this.turns.end(timesTo(usage, sum), text, undefined, true);
    else this.turns.end(usage, text);
  }

  private get contexts(): number {
    return this.context.before + this.context.last;
  }

  private answer({ text, stopReason }: PromptEnd): { text: string; finish: ReturnType<typeof finishOf>; value?: unknown } {
    const { turns, permissions } = this;
    const finish = finishOf(stopReason);
    const { failure } = finish;
    const why = permissions.refusals.at(-1);
    const refused = failure && why !== undefined ? { failure: { ...failure, error: `${failure.error}: ${why}` } } : finish;
    return { text, finish: refused, ...(turns.schema !== undefined && { value: readValue(text) }) };
  }

  /** Saves the data with which another process can continue. */
  private async keep(save: typeof saveFor = saveFor): Promise<void> {
    const { run, conversation } = this;
    if (conversation === undefined) return;
    const text = JSON.stringify(conversation.saved);
    if (text === this.saved && save === saveFor) return;
    this.saved = text;
    await save(run, conversation.saved);
  }

  /**
   * Reports figures of the whole conversation, and saves how much of them is booked. While the first save is on its way to the
   * store, usage and saved amounts go into one record. A killed process leaves both or neither.
   */
  private book(report: () => void, save: typeof saveFor): Promise<void> {
    if (this.saved !== '') void saveFor(this.run, JSON.parse(this.saved) as object);
    report();
    return this.keep(save);
  }

  private async leave(): Promise<void> {
    const { conversation, run } = this;
    if (conversation === undefined) return;
    const place = conversation.isOver || run.signal.aborted ? undefined : this.idle.put(conversation);
    if (place === undefined) await conversation.end();
    await this.keep();
    try {
      if (place !== undefined) run.session.set(PLACE, place);
    } catch {
      // The sub-agent has been forgotten: the process ends when its time is over.
    }
  }

  // The agent's messages and requests while it works.

  toolStarted({ title, kind }: { title?: string | null; kind?: string | null }): number {
    if (!this.isBusy) this.calls += 1;
    this.progress.say(String(title ?? kind ?? 'a tool'));
    return this.receipts.count;
  }

  toolEnded({ toolCallId, kind, title, rawOutput }: AcpToolCall, did: readonly Receipt[], begun: number | undefined): void {
    this.context = { last: 0, before: this.contexts };
    this.receipts.add(did, begun);
    // A refused call is over already.
    if (!this.permissions.hasRefused(toolCallId)) this.steers(this.afterTool(kind ?? 'other', rawOutput ?? title ?? ''));
  }

  private async afterTool(name: string, result: unknown): Promise<void> {
    const { inject = [] } = await this.run.afterTool(name, result);
    if (inject.length > 0) await this.steer(inject);
  }

  /** Passes steering texts to the agent as they arrive. */
  private async listen(): Promise<void> {
    this.isListening = true;
    for (;;) {
      const texts = await this.run.steers({ wait: true }).catch(() => []);
      if (texts.length === 0) break;
      this.steers(this.steer(texts));
    }
    this.isListening = false;
  }

  private steers(work: Promise<unknown>): void {
    this.steering = Promise.all([this.steering, work.catch(() => undefined)]);
  }

  /** Gives the agent these texts now: in its turn, or if it can't take them there, in the next one. */
  private async steer(texts: readonly string[]): Promise<void> {
    if (await this.conversation?.steer(texts.join('\n\n'))) return;
    for (const text of texts) this.turns.show(text);
    // In its last turn it can only finish.
    if (this.turns.hasTurnLeft) this.cut('message');
  }

  plan(todos: { content: string; status: string }[]): void {
    this.progress.report({ todos });
  }

  used(costUsd: number, contextTokens: number | undefined): void {
    if (contextTokens !== undefined) {
      this.progress.report({ contextTokens });
      const { last, before } = this.context;
      this.context = { last: contextTokens, before: contextTokens < last ? this.contexts : before };
    }
    if (costUsd > 0) void this.book(() => this.turns.end(undefined, '', costUsd), saveFor);
    // Tokens are reported once the turn is over: until then, the contexts are an estimate.
    const left = this.watch.lookAtContexts(this.contexts);
    if (left === 'none') this.cut('budget');
    if (left === 'little' && this.turns.hasTurnLeft) this.steers(this.steer([this.turns.lastTurn]));
  }

  said(text: string): void {
    this.progress.say(text.slice(-200));
  }

  alive(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.progress.alive(isBusy);
  }

  permission(request: Parameters<Permissions['answer']>[0]): ReturnType<Permissions['answer']> {
    return this.permissions.answer(request);
  }

  private cut(reason: 'message' | 'budget'): void {
    if (this.run.signal.aborted) return;
    // A message needs a further turn, whatever else ends this one.
    if (this.cutFor !== 'message') this.cutFor = reason;
    this.permissions.cancelOpen();
    this.conversation?.cancel();
  }
}

/** A usage, scaled to this total. */
function timesTo(usage: PromptEnd['usage'], totalTokens: number): Amounts {
  const times = totalTokens / (usage?.totalTokens || 1);
  const kinds = Object.entries(usage ?? {}).map(([name, tokens]) => [name, Math.round((tokens ?? 0) * times)]);
  return { ...Object.fromEntries(kinds), totalTokens };
}

/** `run.session` has the place of an idle conversation under this name. */
const PLACE = 'subagents:idle';
