// A real agent as a command, such as `codex exec --json`, as a host function: one process for each turn, whose output is lines of
// JSON. Owns how a run's turns become commands, and what of a conversation is booked.

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
import { answeredFor, beginFor, type Kept, keepDone, keepSaid, recapOf, savedBy, saveFor } from './saved.js';
import { type Booked, newIn, plus } from './usage.js';
import { folderIn, withWorktree } from './worktrees.js';

/** Options of `commandAgent`. */
export interface CommandAgentOptions extends ProcessAgentOptions {
  /** Further arguments of its command, such as those that choose a model. */
  arguments?: readonly string[] | undefined;
}

/** What is kept of a conversation, as JSON. */
interface KeptCommand extends Kept {
  id: string | undefined;
}

/** The command can't go on with the conversation. */
const LOST = Symbol('lost');

const KNOWN = [...SHARED, 'arguments'] as const satisfies (keyof CommandAgentOptions)[];

/**
 * Runs an agent's command line as a sub-agent: `spawnSubAgent: commandAgent({ profile: 'codex' })` runs `codex exec --json`. Such
 * an agent asks no permission and takes no message in the middle of its turn: its `mode` says what it may do. Throws
 * `invalid_argument` for a wrong option.
 *
 * @param options which agent, its folder, and its mode
 */
export function commandAgent(options: CommandAgentOptions): SpawnSubAgent {
  expectKnown('commandAgent', Object(options) as object, KNOWN);
  const read = readOptions('commandAgent', options);
  const { profile, cwd, env, recordsFolder, cancelMs } = read;
  const form = profile.command;
  if (form === undefined) throw mistake(`commandAgent: the profile ${profile.name} has no \`command\`, which says how its output is read`);
  void endLeft(recordsFolder);
  const work = (run: Run, folder: string): Promise<HostResult> => {
    const turns = new Turns(run, options);
    const begun = (): KeptCommand => ({ id: undefined, booked: {}, did: [], said: '' });
    let kept = savedBy<KeptCommand>(run) ?? begun();
    const { schema } = turns;
    const watch = new BudgetWatch(run);
    const receipts = new Receipts(folder);
    /** One turn; undefined if it was stopped for its budget. */
    const turnOf = async (texts: readonly string[]): Promise<Answer | undefined> => {
      const answer = await processOf(kept.id === undefined ? [run.systemPrompt, ...texts] : texts);
      if (answer !== LOST) return answer;
      const lost = kept;
      kept = begun();
      return (await processOf([run.systemPrompt, recapOf(lost), ...texts])) as Answer | undefined;
    };
    const processOf = async (texts: readonly string[]): Promise<Answer | typeof LOST | undefined> => {
      const all = [...texts];
      if (schema !== undefined) all.push(schemaPrompt(schema));
      const [file = '', ...args] = commandOf(read, options.command, form.commands);
      const own = form.arguments({
        conversation: kept.id,
        mode: options.mode ?? form.mode,
        effort: run.effort,
        remainingUsd: run.remaining.costUsd,
      });
      const text = all.filter((each) => /\S/.test(each)).join('\n\n');
      const turn = new CommandTurn(form, kept.booked);
      // What it does is saved as it goes: another process may have to begin anew.
      const progress = new Progress(run, () => kept.id !== undefined && void saveFor(run, kept));
      const agent = await AgentProcess.start({
        ...{
          agent: profile.name,
          command: [file, ...args, ...own, ...(read.without.arguments ?? []), ...(options.arguments ?? [])],
          cwd: folder,
          env,
          recordsFolder,
        },
        onLine: (line) => {
          turn.read(line);
          const { state } = turn;
          progress.heard((state.calls?.size ?? 0) > 0);
          if (state.tool !== undefined) {
            keepDone(kept, state.tool);
            progress.say(state.tool);
          }
          receipts.add(state.did ?? []);
          state.tool = state.did = undefined;
          if (state.conversation !== undefined && state.conversation !== kept.id) {
            // A turn that is stopped has begun it, too.
            kept.id = state.conversation;
            void saveFor(run, kept);
          }
          if (state.isOver !== true && watch.look(turn.used) === 'none') stop();
        },
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
        agent.write(text);
        agent.endInput();
        const end = await agent.closed;
        const { state } = turn;
        progress.flush();
        keepSaid(kept, state.text);
        const isStopped = (run.signal.aborted || timer !== undefined) && state.isOver !== true;
        const { costUsd, ...used } = turn.used;
        if (!isStopped && kept.id !== undefined && turn.hasNotBegun(end)) return LOST;
        // Of what a turn used that was stopped, only a part is told, or nothing (B15).
        const about = isStopped ? { totalTokens: Math.ceil((text.length + turn.length) / 4) } : undefined;
        turns.end(used.totalTokens === undefined ? about : ofModel(used, state.modelId), state.text, costUsd, isStopped);
        if (kept.id !== undefined) await (run.signal.aborted ? saveFor : answeredFor)(run, kept);
        if (run.signal.aborted) return { text: state.text };
        if (timer !== undefined) return undefined;
        turn.check(end, agent.errors, profile);
        return { text: state.text, ...(schema !== undefined && { value: readValue(state.text) }) };
      } finally {
        clearTimeout(timer);
        run.signal.removeEventListener('abort', stop);
        progress.end();
        await agent.end(cancelMs);
      }
    };
    const done = turns.conduct(async (prompts) => {
      let texts = prompts;
      for (;;) {
        await turns.begin(0, true);
        watch.begin();
        const injected = turns.fresh();
        const answer = await turnOf(texts.length + injected.length === 0 ? [GO_ON] : [...texts, ...injected]);
        // Its budget is spent: if no further turn is given, that is the end.
        if (answer !== undefined && (run.signal.aborted || !(await turns.hears()))) return answer;
        texts = [];
      }
    });
    return receipts.with(done);
  };
  return async (_, run) => {
    await beginFor(run);
    if (options.isolation === undefined) return work(run, cwd);
    return withWorktree(run, await work(run, await folderIn('commandAgent', run, cwd)));
  };
}

/** What one process says. */
class CommandTurn {
  readonly state: CommandState = { text: '' };
  firstBanner: string | undefined;
  isRead = false;
  /** Characters of all that it said. */
  length = 0;
  private readonly form: CommandForm;
  private readonly booked: Booked;
  /** What is new since the last turn. */
  used: Booked = {};

  constructor(form: CommandForm, booked: Booked) {
    this.form = form;
    this.booked = booked;
  }

  /** It ended by an error before it said which conversation it is. */
  hasNotBegun({ code, error }: ProcessEnd): boolean {
    return error === undefined && code !== 0 && this.state.conversation === undefined;
  }

  /** Throws what went wrong, in words that name the way out. */
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
