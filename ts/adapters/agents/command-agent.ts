// An agent that is a command, such as `codex exec --json`, as a host function: one process for each turn, which prints lines of
// JSON. Owns how a run's turns become commands, and how much of a conversation is booked.

import type { SpawnSubAgent } from '../../api/host-functions.js';
import type { Run } from '../../api/run.js';
import type { HostResult } from '../../options/host-result.js';
import { expectKnown } from '../any-tool.js';
import { mistake } from '../mistake.js';
import { ofModel } from '../model-usage.js';
import { readValue, schemaPrompt } from '../structured.js';
import { type Answer, Turns } from '../turns.js';
import { AgentProcess, endLeft, type ProcessEnd } from './agent-process.js';
import { BudgetWatch, GO_ON } from './budget-watch.js';
import { commandOf, type ProcessAgentOptions, readOptions, SHARED } from './options.js';
import type { AgentProfile, CommandForm, CommandState } from './profile.js';
import { Progress } from './progress.js';
import { Receipts } from './receipts.js';
import { answeredFor, beginFor, noteLastText, noteToolCall, recapOf, type SavedConversation, savedBy, saveFor } from './saved.js';
import { type Booked, newIn, plus } from './usage.js';
import { folderIn, withWorktree } from './worktrees.js';

/** Options of `commandAgent`. */
export interface CommandAgentOptions extends ProcessAgentOptions {
  /** Further arguments of its command, such as those that choose a model. */
  arguments?: readonly string[] | undefined;
}

/** The saved data of a conversation, as JSON. */
interface SavedCommandConversation extends SavedConversation {
  id: string | undefined;
}

/** The command can't continue with the conversation. */
const LOST = Symbol('lost');

const KNOWN = [...SHARED, 'arguments'] as const satisfies (keyof CommandAgentOptions)[];

/**
 * Runs an agent's command line as a sub-agent: `spawnSubAgent: commandAgent({ profile: 'codex' })` runs `codex exec --json`.
 * Such an agent asks no permission and takes no message in the middle of its turn: its `mode` sets its permissions. Throws
 * `invalid_argument` for a wrong option.
 *
 * @param options the agent, its folder and its mode
 */
export function commandAgent(options: CommandAgentOptions): SpawnSubAgent {
  expectKnown('commandAgent', Object(options) as object, KNOWN);
  const read = readOptions('commandAgent', options);
  const { profile, cwd, recordsFolder } = read;
  const form = profile.command;
  if (form === undefined) throw mistake(`commandAgent: the profile ${profile.name} has no \`command\`, which says how its output is read`);
  void endLeft(recordsFolder);
  const agent = { options, read, form };
  const work = (run: Run, folder: string): Promise<HostResult> => new CommandRun(agent, run, folder).conduct();
  return async (_, run) => {
    await beginFor(run);
    if (options.isolation === undefined) return work(run, cwd);
    return withWorktree(run, await work(run, await folderIn('commandAgent', run, cwd)));
  };
}

/** The parts that all runs of an agent share. */
interface CommandAgent {
  readonly options: CommandAgentOptions;
  readonly read: ReturnType<typeof readOptions>;
  readonly form: CommandForm;
}

/** One run: its conversation, and a process for each turn. */
class CommandRun {
  private readonly agent: CommandAgent;
  private readonly run: Run;
  private readonly folder: string;
  private readonly turns: Turns;
  private readonly schema: Turns['schema'];
  private readonly watch: BudgetWatch;
  private readonly receipts: Receipts;
  private saved: SavedCommandConversation;

  constructor(agent: CommandAgent, run: Run, folder: string) {
    this.agent = agent;
    this.run = run;
    this.folder = folder;
    this.turns = new Turns(run, agent.options);
    this.saved = savedBy<SavedCommandConversation>(run) ?? begun();
    this.schema = this.turns.schema;
    this.watch = new BudgetWatch(run);
    this.receipts = new Receipts(folder);
  }

  /** Runs turn after turn, until no text is left for the agent. */
  conduct(): Promise<HostResult> {
    const { run, turns, watch } = this;
    const done = turns.conduct(async (prompts) => {
      let texts = prompts;
      for (;;) {
        await turns.begin(0, true);
        watch.begin();
        const injected = turns.fresh();
        const answer = await this.turnOf(texts.length + injected.length === 0 ? [GO_ON] : [...texts, ...injected]);
        // Undefined: its budget is spent, and the run ends unless it gets a further turn.
        if (answer !== undefined && (run.signal.aborted || !(await turns.hasSteers()))) return answer;
        texts = [];
      }
    });
    return this.receipts.with(done);
  }

  /** Runs one turn; undefined if it was stopped for its budget. */
  private async turnOf(texts: readonly string[]): Promise<Answer | undefined> {
    const { systemPrompt } = this.run;
    const answer = await this.processOf(this.saved.id === undefined ? [systemPrompt, ...texts] : texts);
    if (answer !== LOST) return answer;
    const lost = this.saved;
    this.saved = begun();
    return (await this.processOf([systemPrompt, recapOf(lost), ...texts])) as Answer | undefined;
  }

  /** Runs one process, from its start to its end. */
  private async processOf(texts: readonly string[]): Promise<Answer | typeof LOST | undefined> {
    const { run, watch } = this;
    const { cancelMs } = this.agent.read;
    const turn = new CommandTurn(this.agent.form, this.saved.booked);
    // Saved during the turn: another process may have to begin a new conversation.
    const progress = new Progress(run, () => this.saved.id !== undefined && void saveFor(run, this.saved));
    const agent = await this.start((line) => {
      turn.read(line);
      this.take(turn.state, progress);
      if (turn.state.isOver !== true && watch.look(turn.used) === 'none') stop();
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      if (timer !== undefined) return;
      agent.signal('SIGINT');
      timer = setTimeout(() => void agent.end(cancelMs), cancelMs);
    };
    if (run.signal.aborted) stop();
    else run.signal.addEventListener('abort', stop, { once: true });
    try {
      const text = this.inputOf(texts);
      agent.write(text);
      agent.endInput();
      const end = await agent.closed;
      progress.flush();
      return await this.answerOf(turn, { end, errors: agent.errors, inputLength: text.length, isHalted: timer !== undefined });
    } finally {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', stop);
      progress.end();
      await agent.end(cancelMs);
    }
  }

  private start(onLine: (line: string) => void): Promise<AgentProcess> {
    const { options, read, form } = this.agent;
    const [file = '', ...args] = commandOf(read, options.command, form.commands);
    const own = form.arguments({
      conversation: this.saved.id,
      mode: options.mode ?? form.mode,
      effort: this.run.effort,
      remainingUsd: this.run.remaining.costUsd,
    });
    return AgentProcess.start({
      agent: read.profile.name,
      command: [file, ...args, ...own, ...(read.without.arguments ?? []), ...(options.arguments ?? [])],
      cwd: this.folder,
      env: read.env,
      recordsFolder: read.recordsFolder,
      onLine,
    });
  }

  /** The input of the process. */
  private inputOf(texts: readonly string[]): string {
    const { schema } = this;
    const all = schema === undefined ? texts : [...texts, schemaPrompt(schema)];
    return all.filter((each) => /\S/.test(each)).join('\n\n');
  }

  /** Takes the content of a line: the agent's work, and its conversation. */
  private take(state: CommandState, progress: Progress): void {
    const { run, saved } = this;
    progress.alive((state.calls?.size ?? 0) > 0);
    if (state.tool !== undefined) {
      noteToolCall(saved, state.tool);
      progress.say(state.tool);
    }
    this.receipts.add(state.did ?? []);
    state.tool = state.did = undefined;
    if (state.conversation !== undefined && state.conversation !== saved.id) {
      // A stopped turn has begun the conversation, too.
      saved.id = state.conversation;
      void saveFor(run, saved);
    }
  }

  /** Books the usage of an ended process and saves its conversation. Throws if it failed. */
  private async answerOf(turn: CommandTurn, ended: Ended): Promise<Answer | typeof LOST | undefined> {
    const { run, saved, turns } = this;
    const { state, used } = turn;
    noteLastText(saved, state.text);
    const isStopped = (run.signal.aborted || ended.isHalted) && state.isOver !== true;
    const { costUsd, ...tokens } = used;
    if (!isStopped && saved.id !== undefined && turn.hasNotBegun(ended.end)) return LOST;
    // A stopped turn reports a part of its usage, or none (B15).
    const about = isStopped ? { totalTokens: Math.ceil((ended.inputLength + turn.length) / 4) } : undefined;
    turns.end(tokens.totalTokens === undefined ? about : ofModel(tokens, state.modelId), state.text, costUsd, isStopped);
    if (saved.id !== undefined) await (run.signal.aborted ? saveFor : answeredFor)(run, saved);
    if (run.signal.aborted) return { text: state.text };
    if (ended.isHalted) return undefined;
    turn.check(ended.end, ended.errors, this.agent.read.profile);
    return { text: state.text, ...(this.schema !== undefined && { value: readValue(state.text) }) };
  }
}

/** A process that ended. */
interface Ended {
  readonly end: ProcessEnd;
  /** Its output on the error stream. */
  readonly errors: string;
  /** Characters that it read. */
  readonly inputLength: number;
  /** It was stopped, for its budget or by a signal. */
  readonly isHalted: boolean;
}

function begun(): SavedCommandConversation {
  return { id: undefined, booked: {}, did: [], said: '' };
}

/** The output of one process. */
class CommandTurn {
  readonly state: CommandState = { text: '' };
  firstBanner: string | undefined;
  isRead = false;
  /** Characters of its output. */
  length = 0;
  private readonly form: CommandForm;
  private readonly booked: Booked;
  /** The usage since the last turn. */
  used: Booked = {};

  constructor(form: CommandForm, booked: Booked) {
    this.form = form;
    this.booked = booked;
  }

  /** Whether it failed before it named its conversation. */
  hasNotBegun({ code, error }: ProcessEnd): boolean {
    return error === undefined && code !== 0 && this.state.conversation === undefined;
  }

  /** Throws if the turn failed; the error names the remedy. */
  check({ code, signal, error }: ProcessEnd, errors: string, { name, install, login }: AgentProfile): void {
    const { state } = this;
    const words = errors.trim().replaceAll(/\s+/g, ' ').slice(-300);
    const said = words === '' ? this.firstBanner : words;
    if (error !== undefined) throw error;
    if (state.error !== undefined) throw new Error(`${name}: ${state.error}`);
    if (code !== 0)
      throw new Error(`${name} ended with ${signal ?? `code ${code}`}: ${said ?? 'it said nothing'}; if it isn't logged in: ${login}`);
    if (!this.isRead)
      throw new Error(`${name} printed no line of JSON (${said ?? 'nothing at all'}); install a version that has this form: ${install}`);
  }

  read(line: string): void {
    this.length += line.length;
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      if (/\S/.test(line)) this.firstBanner ??= line.trim().slice(0, 200);
      return;
    }
    if (typeof event !== 'object' || event === null) return;
    this.isRead = true;
    this.form.read(event as Record<string, unknown>, this.state);
    const { tokens, kinds, costUsd } = this.state;
    this.use('tokens', { totalTokens: tokens, ...kinds });
    this.use('costUsd', { costUsd });
  }

  private use(figure: 'tokens' | 'costUsd', said: Booked): void {
    if (this.form.cumulative?.includes(figure)) this.used = plus(this.used, newIn(this.booked, said));
    else this.used = { ...this.used, ...said };
  }
}
