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

/** Methods called with the arguments as sent. */
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

/** Methods that wait for sub-agents; their options, the last argument, may have a signal. */
export const WAITING = ['wait', 'cancel', 'close'] as const satisfies (keyof Run)[];

/** A tool, as a worker offers it to its model. */
export interface ToolDescription {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly schema: object;
}

/** The tools that one call of `createTools` or `createSubAgentTool` made. */
export interface ToolSet {
  readonly make: 'createTools' | 'createSubAgentTool';
  readonly options?: object;
}

/** The request behind a call. */
export interface Asking {
  /** Identifies the request, also when it is sent again. */
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

/** The calls on one run. A later attempt joins calls that an earlier one still waits for. */
export class RunCalls {
  readonly #run: Run;
  readonly #job: string;
  readonly #handles = new Map<string, Handle>();
  /** For sub-agents whose spawn had a signal. */
  readonly #controllers = new Map<string, AbortController>();
  readonly #tools = new Map<string, Map<string, Tool>>();
  #turn: Promise<Turn> | undefined;
  #question: Promise<unknown> | undefined;

  constructor(run: Run, job: string) {
    this.#run = run;
    this.#job = job;
  }

  /** Carries a call out. Contract: whatever `run` does synchronously is done before this returns. */
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
          // The task has already been forgotten.
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

  /** If two calls wait, the later one gets the steers: an earlier attempt may be gone. */
  #steers(options: { wait?: boolean } | undefined, signal: AbortSignal): Promise<string[]> {
    signal.addEventListener('abort', () => void this.#run.steers().catch(() => undefined), { once: true });
    return this.#run.steers(options);
  }

  /**
   * Spawns once for a repeated request. If the program gave no key, this adds one.
   *
   * @param hasSignal the program gave a signal, which the worker follows
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

  /**
   * Cancels a sub-agent whose spawn's signal fired in the worker. If an earlier lead or attempt spawned it, it follows another
   * signal.
   */
  #abort(taskId: string): unknown {
    this.#controllers.get(taskId)?.abort();
    return this.#run.cancel(taskId);
  }

  async #result(taskId: string, options: { timeoutMs?: number }, signal: AbortSignal): Promise<unknown> {
    const handle = this.#handles.get(taskId);
    if (handle !== undefined) return passedOn(await handle.wait({ ...options, signal }));
    // An earlier lead spawned it.
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
   * If a later attempt or lead repeats a call with the same id and arguments, it is the same call. The arguments count, since
   * some models give the calls of each answer the same ids.
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
