// One conversation over the Agent Client Protocol: started, resumed or loaded, prompted and cancelled. Owns the part that
// outlives its process, and the errors for an agent's mistakes.

import { mistake } from '../mistake.js';
import type { Amounts } from '../model-usage.js';
import { AcpConnection } from './acp-connection.js';
import type { AcpInitialized, AcpMcpServer, AcpPromptAnswer, AcpSession } from './acp-types.js';
import { Following, type PromptListener } from './acp-updates.js';
import { list } from './said.js';
import { noteLastText, type SavedConversation } from './saved.js';
import { newIn, usageIn } from './usage.js';

/** How a conversation is opened. */
export interface ConversationOptions {
  readonly agent: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly recordsFolder: string;
  readonly mode: string | undefined;
  readonly effort: string | undefined;
  readonly authenticate: string | undefined;
  readonly mcpServers: readonly AcpMcpServer[];
  readonly tokens: 'turn' | 'conversation' | 'last_call';
  readonly startMs: number;
  readonly cancelMs: number;
  readonly install: string;
  /** The `_meta` of its session. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly login: string;
}

/** The saved data of a conversation, as JSON. */
export interface SavedAcpConversation extends SavedConversation {
  id: string;
}

/** How a prompt ended. */
export interface PromptEnd {
  readonly text: string;
  readonly stopReason: string;
  readonly usage: Amounts | undefined;
  /** Whether the usage is only that of the turn's last model call. */
  readonly isOfLastCall: boolean;
}

/** The version of the protocol that this client speaks. */
const PROTOCOL_VERSION = 1;
/** The code of an agent that wants a login. */
const AUTH_REQUIRED = -32_000;
/** The name of the extension by which codex takes a message in the middle of a turn. */
const STEER = '_session/steering';

export class AcpConversation {
  readonly saved: SavedAcpConversation;
  readonly connection: AcpConnection;
  /** The saved data of a conversation that the agent can't continue; undefined if it continues one, or begins. */
  readonly lost: SavedAcpConversation | undefined;
  /** Whether it has been given the instructions. */
  isBegun: boolean;
  /** Whether the process has ended: it can't be prompted then. */
  isOver = false;
  /** Whether it takes messages in the middle of a turn. */
  readonly canSteer: boolean;
  private readonly options: ConversationOptions;
  private stop: ((error: Error) => void) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts the agent, and continues with the saved conversation, if it can and `resumes`. */
  static async open(
    options: ConversationOptions,
    saved: SavedAcpConversation | undefined,
    signal: AbortSignal,
    resumes = true,
  ): Promise<AcpConversation> {
    const { agent, startMs, cancelMs, command } = options;
    const connection = await AcpConnection.start(options);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let abort: () => void = () => undefined;
    const limits = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const banner = connection.firstBanner;
        const said = banner === undefined ? 'it said nothing' : `it said: ${banner}`;
        reject(
          mistake(`${agent} was not ready after ${startMs} ms (${said}); is \`${command.join(' ')}\` an ACP agent? Else raise \`startMs\``),
        );
      }, startMs);
      abort = () => reject(new Error(`${agent} was stopped before it was ready`));
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
    limits.catch(() => undefined);
    const within = <Answer>(answer: Promise<Answer>): Promise<Answer> => Promise.race([answer, limits]);
    try {
      return await AcpConversation.begin(options, connection, saved, within, resumes);
    } catch (error) {
      await connection.process.end(cancelMs);
      if ((error as { isOfResuming?: true }).isOfResuming && !signal.aborted)
        return await AcpConversation.open(options, saved, signal, false);
      throw explained(error, options, connection);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  private static async begin(
    options: ConversationOptions,
    connection: AcpConnection,
    saved: SavedAcpConversation | undefined,
    within: <Answer>(answer: Promise<Answer>) => Promise<Answer>,
    resumes: boolean,
  ): Promise<AcpConversation> {
    const { agent, cwd, mcpServers, authenticate, mode, effort, meta } = options;
    const said = await within(
      connection.request<AcpInitialized>('initialize', {
        protocolVersion: PROTOCOL_VERSION,
        // So that agents report how a command ended.
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false, _meta: { terminal_output: true } },
        clientInfo: { name: 'subagents', version: '0' },
      }),
    );
    if (said.protocolVersion !== PROTOCOL_VERSION) {
      const version = said.protocolVersion ?? 'none';
      throw mistake(
        `${agent} speaks version ${version} of the Agent Client Protocol, and this package version ${PROTOCOL_VERSION}; install a version of ${agent} that speaks it`,
      );
    }
    if (authenticate !== undefined) await within(connection.request('authenticate', { methodId: authenticate }));
    const can = said.agentCapabilities;
    const where = { cwd, mcpServers, ...(meta && { _meta: meta }) };
    let session: AcpSession | undefined;
    if (resumes && saved !== undefined && (can?.sessionCapabilities?.resume || can?.loadSession)) {
      const method = can.sessionCapabilities?.resume ? 'session/resume' : 'session/load';
      try {
        // Nothing listens: loaded messages are old.
        session = { ...(await within(connection.request<AcpSession>(method, { sessionId: saved.id, ...where }))), sessionId: saved.id };
      } catch (error) {
        // The agent died or hangs: another process can begin a new conversation.
        if (typeof (error as { code?: unknown }).code !== 'number') throw Object.assign(error as Error, { isOfResuming: true });
      }
    }
    const isResumed = session !== undefined;
    session ??= await within(connection.request<AcpSession>('session/new', where));
    const { sessionId, modes, configOptions } = session;
    if (typeof sessionId !== 'string') throw mistake(`${agent} gave its conversation no id; install a version of it that speaks ACP`);
    if (mode !== undefined && modes?.currentModeId !== mode) {
      const known = (modes?.availableModes ?? []).map(({ id }) => id);
      if (modes && !known.includes(mode)) throw mistake(`${agent} has no mode ${mode}; it has ${known.join(', ')}: give one as \`mode\``);
      await within(connection.request('session/set_mode', { sessionId, modeId: mode }));
    }
    const config = effort === undefined ? undefined : effortIn(configOptions, effort);
    if (config !== undefined) await within(connection.request('session/set_config_option', { sessionId, ...config }));
    const steering = { ...(can?._meta ?? {}), ...(said._meta ?? {}) }.steering as { supported?: unknown } | undefined;
    return new AcpConversation(
      options,
      connection,
      sessionId,
      isResumed ? saved : undefined,
      isResumed ? undefined : saved,
      steering?.supported === true,
    );
  }

  private constructor(
    options: ConversationOptions,
    connection: AcpConnection,
    id: string,
    saved: SavedAcpConversation | undefined,
    lost: SavedAcpConversation | undefined,
    canSteer: boolean,
  ) {
    this.options = options;
    this.connection = connection;
    this.saved = { id, booked: {}, did: [], said: '', ...structuredClone(saved) };
    this.lost = lost;
    this.isBegun = saved !== undefined;
    this.canSteer = canSteer;
    void connection.process.closed.then(() => {
      this.isOver = true;
    });
  }

  /** Has the agent work until its turn ends. Rejects if its process ends, and if it doesn't end a turn that was cancelled. */
  async prompt(text: string, listener: PromptListener): Promise<PromptEnd> {
    const { connection, saved, options } = this;
    const following = new Following(saved, listener);
    const stopped = new Promise<never>((_, reject) => {
      this.stop = reject;
    });
    stopped.catch(() => undefined);
    connection.listen({
      update: (update, sessionId) => {
        if (sessionId !== undefined && sessionId !== saved.id) return;
        following.read(update);
        listener.alive(following.isBusy);
      },
      permission: (request) => listener.permission(request),
    });
    try {
      const prompt = [{ type: 'text', text }];
      const asked = connection.request<AcpPromptAnswer>('session/prompt', { sessionId: saved.id, prompt });
      this.isBegun = true;
      let answer = await Promise.race([asked, stopped]);
      // In the draft of version 2 the answer only says that the prompt has arrived.
      if (answer.stopReason === undefined)
        answer = { ...answer, ...(await Promise.race([following.idle, stopped, connection.process.closed])) };
      let usage = usageIn(answer);
      if (usage !== undefined && options.tokens === 'conversation') usage = newIn(saved.booked, usage);
      noteLastText(saved, following.output);
      const isOfLastCall = options.tokens === 'last_call';
      return { text: following.output, stopReason: answer.stopReason ?? 'unknown', usage, isOfLastCall };
    } catch (error) {
      noteLastText(saved, following.output);
      throw Object.assign(explained(error, options, connection), { said: following.output });
    } finally {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.stop = undefined;
      connection.listen(undefined);
    }
  }

  /** Asks the agent to end its turn; ends its process if it doesn't in time. */
  cancel(): void {
    const { agent, cancelMs } = this.options;
    if (this.stop === undefined || this.timer !== undefined) return;
    this.connection.notify('session/cancel', { sessionId: this.saved.id });
    this.timer = setTimeout(() => {
      this.stop?.(new Error(`${agent} did not end its turn within ${cancelMs} ms after it was cancelled, so its process was ended`));
      void this.end();
    }, cancelMs);
  }

  /** Gives the agent a message in the middle of its turn; resolves to false if it can't take one. */
  async steer(text: string): Promise<boolean> {
    if (!this.canSteer || this.stop === undefined) return false;
    const _meta = { steering: { idleBehavior: 'promptRequired' } };
    const asked = { sessionId: this.saved.id, prompt: [{ type: 'text', text }], _meta };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<{ outcome?: string }>((resolve) => {
      timer = setTimeout(() => resolve({}), this.options.cancelMs);
    });
    try {
      return (await Promise.race([this.connection.request<{ outcome?: string }>(STEER, asked), late])).outcome === 'injected';
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the agent's process and all that it started. */
  end(): Promise<void> {
    this.isOver = true;
    return this.connection.process.end(this.options.cancelMs);
  }
}

/** The option of an agent for this much thinking, if it offers one. */
function effortIn(options: AcpSession['configOptions'], value: string): { configId: string; value: string } | undefined {
  const offers = (choices: unknown): boolean => list(choices).some((choice) => choice.value === value || offers(choice.options));
  const option = (options ?? []).find(({ category, options: choices }) => category === 'thought_level' && offers(choices));
  return typeof option?.id === 'string' ? { configId: option.id, value } : undefined;
}

/** An error whose text names the remedy. */
function explained(error: unknown, { agent, login, install }: ConversationOptions, { firstBanner }: AcpConnection): Error {
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown };
  const detail =
    typeof data === 'object' && data !== null
      ? `: ${JSON.stringify(data).slice(0, 300)}`
      : typeof data === 'string'
        ? `: ${data.slice(0, 300)}`
        : '';
  if (code === AUTH_REQUIRED) return mistake(`${agent} isn't logged in: ${login}`);
  if (typeof code === 'number') return new Error(`${agent}: ${message ?? 'an error without a message'}${detail}`);
  const text = message ?? String(error);
  if (!/process ended/.test(text)) return error instanceof Error ? error : new Error(text);
  const banner = firstBanner === undefined ? '' : `; its output began with: ${firstBanner}`;
  return new Error(`${agent}: ${text}${banner}${install === '' ? '' : `; try it by hand, or install it anew: ${install}`}`);
}
