// The calls that a worker may make on a run of the lead. Owns the list: another process can call nothing else.

import type { Handle } from '../api/handle.js';
import type { Run } from '../api/run.js';
import { SubAgentError } from '../base/error-class.js';
import type { SpawnOptions } from '../options/generated/spawn.js';
import type { TurnEstimate } from '../reading/exchange.js';
import { notEnded } from '../runs/waits.js';
import type { TaskSnapshot } from '../snapshots/types.js';
import { xxh32 } from '../stores/checksum.js';
import { passedOn, type Turn } from './wire.js';

/** Methods that are called as they are. */
export const PLAIN = [
  'checkpoint',
  'save',
  'beforeTool',
  'afterTool',
  'beforeEnd',
  'report',
  'reportRateLimit',
  'send',
  'interrupt',
  'resume',
  'moveToBackground',
  'get',
  'list',
  'forget',
  'readResult',
  'canSpawn',
  'checkConsumerSpawn',
  'getConcurrencyInfo',
] as const satisfies (keyof Run)[];

/** Methods whose options, the last argument, may have a signal; they wait for sub-agents. */
export const WAITING = ['wait', 'cancel', 'close'] as const satisfies (keyof Run)[];

/** A tool, as a worker offers it to its model. */
export interface ToolDescription {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly schema: object;
}

/** Which tools a call is for: those that one call of `createTools` or `createSubAgentTool` made. */
export interface ToolSet {
  readonly make: 'createTools' | 'createSubAgentTool';
  readonly options?: object;
}

/** What a call has of the request that asked for it. */
export interface Asking {
  /** Which request it is, the same however often it is sent. */
  readonly key: string;
  /** Fires when the worker gives the call up; made when it is first read. */
  readonly signal: AbortSignal;
}

interface Tool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(id: string, args: unknown, signal?: AbortSignal): Promise<unknown>;
}

/** The calls of one attempt at a run. A later attempt joins what an earlier one still waits for. */
export class RunCalls {
  readonly #run: Run;
  readonly #job: string;
  readonly #handles = new Map<string, Handle>();
  /** Of sub-agents whose spawn had a signal. */
  readonly #controllers = new Map<string, AbortController>();
  readonly #tools = new Map<string, Map<string, Tool>>();
  #turn: Promise<Turn> | undefined;
  #question: Promise<unknown> | undefined;

  constructor(run: Run, job: string) {
    this.#run = run;
    this.#job = job;
  }

  /** Carries a call out. Contract: whatever `run` does at once, this does before it returns. */
  call(name: string, args: readonly unknown[], asking: Asking): unknown {
    const run = this.#run as unknown as Record<string, (...given: unknown[]) => unknown>;
    if ((PLAIN as readonly string[]).includes(name)) return run[name]?.(...args);
    if ((WAITING as readonly string[]).includes(name)) return run[name]?.(args[0], { ...(args[1] as object), signal: asking.signal });
    switch (name) {
      case 'begin':
        return { checkpointed: this.#run.checkpointed, saved: this.#run.saved };
      case 'beforeTurn':
        return this.#beforeTurn(args[0] as TurnEstimate | undefined);
      case 'ask':
        return this.#ask(args[0] as string, args[1] as { timeoutMs?: number } | undefined);
      case 'steers':
        return this.#steers(args[0] as { wait?: boolean } | undefined, asking.signal);
      case 'spawn':
        return this.#spawn(args[0] as SpawnOptions, asking.key, args[1] === true);
      case 'abort':
        return this.#abort(args[0] as string);
      case 'result':
        return this.#result(args[0] as string, args[1] as { timeoutMs?: number }, asking.signal);
      case 'inbox.lease':
        return this.#run.inbox.lease(args[0] as never);
      case 'inbox.ack':
        return this.#run.inbox.ack(args[0] as never);
      case 'inbox.peek':
        return this.#run.inbox.peek();
      case 'tools':
        return [...this.#toolsOf(args[0] as ToolSet).values()].map(
          ({ name, label, description, parameters }): ToolDescription => ({ name, label, description, schema: parameters }),
        );
      case 'execute':
        return this.#execute(args as [ToolSet, string, string, unknown], asking.signal);
      default:
        throw new SubAgentError('invalid_argument', `a worker can't call ${name}`, { argument: 'call' });
    }
  }

  #beforeTurn(options: TurnEstimate | undefined): Promise<Turn> {
    this.#turn ??= this.#run
      .beforeTurn(options)
      .then((permit): Turn => {
        if (!permit.go) return { permit };
        try {
          return { permit, remaining: this.#run.remaining };
        } catch {
          // It has already been forgotten.
          return { permit };
        }
      })
      .finally(() => {
        this.#turn = undefined;
      });
    return this.#turn;
  }

  #ask(question: string, options: { timeoutMs?: number } | undefined): Promise<unknown> {
    this.#question ??= this.#run.ask(question, options).finally(() => {
      this.#question = undefined;
    });
    return this.#question;
  }

  /** Of two that wait, the later one gets the steers: an earlier attempt may be gone. */
  #steers(options: { wait?: boolean } | undefined, signal: AbortSignal): Promise<string[]> {
    signal.addEventListener('abort', () => void this.#run.steers().catch(() => undefined), { once: true });
    return this.#run.steers(options);
  }

  /**
   * A repeated request for a spawn spawns once: by a key of this, if the program gave none.
   *
   * @param hasSignal the worker follows the signal that the program gave
   */
  #spawn(options: SpawnOptions, key: string, hasSignal: boolean): object {
    const controller = hasSignal ? new AbortController() : undefined;
    const { signal } = controller ?? {};
    const handle = this.#run.spawn({ idempotencyKey: `worker:${key}`, ...options, signal });
    const { taskId } = handle;
    this.#handles.set(taskId, handle);
    if (controller !== undefined) this.#controllers.set(taskId, this.#controllers.get(taskId) ?? controller);
    return { taskId: handle.taskId, label: handle.label, status: handle.status };
  }

  /** The signal of a spawn has fired in the worker. The sub-agent follows another one where a lead or an attempt before this had it. */
  #abort(taskId: string): unknown {
    this.#controllers.get(taskId)?.abort();
    return this.#run.cancel(taskId);
  }

  async #result(taskId: string, options: { timeoutMs?: number }, signal: AbortSignal): Promise<unknown> {
    const handle = this.#handles.get(taskId);
    if (handle !== undefined) return passedOn(await handle.wait({ ...options, signal }));
    // A lead before this one spawned it.
    const { timeoutMs = Number.POSITIVE_INFINITY } = options;
    const { completed, needsInput, timedOut } = await this.#run.wait([taskId], { ...options, timeoutMs, signal });
    const [asking] = needsInput;
    if (asking !== undefined) throw new SubAgentError('needs_input', 'the sub-agent asks', { question: asking.question });
    if (timedOut) throw notEnded(timeoutMs);
    return completed[0] as TaskSnapshot;
  }

  #toolsOf(set: ToolSet): Map<string, Tool> {
    const key = JSON.stringify(set);
    const known = this.#tools.get(key);
    if (known !== undefined) return known;
    const options = { ...set.options, idempotencyKey: (id: string | undefined, params: object) => this.#keyOf(id, params) };
    const made = set.make === 'createTools' ? [...this.#run.createTools(options)] : [this.#run.createSubAgentTool(options)];
    const tools = new Map((made as unknown as Tool[]).map((tool) => [tool.name, tool]));
    this.#tools.set(key, tools);
    return tools;
  }

  /**
   * A call that a later attempt or a later lead makes again, under the same id and with the same arguments, is the same call.
   * The arguments count, since some models give the calls of each answer the same ids.
   */
  #keyOf(toolCallId: string | undefined, params: object): string {
    const bytes = new TextEncoder().encode(JSON.stringify([toolCallId, params]));
    return `worker:${this.#job}:call:${xxh32(bytes)}-${xxh32(bytes, 1)}`;
  }

  #execute([set, name, toolCallId, args]: [ToolSet, string, string, unknown], signal: AbortSignal): unknown {
    const tool = this.#toolsOf(set).get(name);
    if (tool === undefined) throw new SubAgentError('invalid_argument', `there is no tool ${name}`, { argument: 'name' });
    return tool.execute(toolCallId, args, signal);
  }
}
