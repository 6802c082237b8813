// Traces and metrics for OpenTelemetry: a span for each run, below the span that spawned it. Owns which runs have a
// span; `run-span.ts` fills one, and `names.ts` has every name.

import { type Attributes, context, type Meter, metrics, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { SpawnSubAgent } from '../../api/host-functions.js';
import type { Run } from '../../api/run.js';
import type { SubAgentEvent } from '../../boundary/events.js';
import type { SpawnOptions, SubAgentParamsType } from '../../options/generated/spawn.js';
import type { HostResult } from '../../options/host-result.js';
import type { ConcurrencyInfo, ManagerCosts, ManagerStats } from '../../snapshots/types.js';
import { expectKnown } from '../any-tool.js';
import { TOKEN_KINDS } from '../generated/token-kinds.js';
import { mistake } from '../mistake.js';
import { ATTRIBUTE, CONVENTIONS, type Conventions, EVENT, METRIC } from './names.js';
import { RunSpan, type Tracing } from './run-span.js';

/** Options of `createTelemetry`. */
export interface TelemetryOptions {
  /** Makes the spans. Default: the tracer `subagents` of the global tracer provider. */
  tracer?: Tracer | undefined;
  /** Makes the metrics. Default: the meter `subagents` of the global meter provider. */
  meter?: Meter | undefined;
  /** Puts instructions, outputs, errors, arguments and results of tools on the spans. @default false */
  captureContent?: boolean | undefined;
  /**
   * Whether the framework makes spans for its model and tools, as the AI SDK does with `@ai-sdk/otel`.
   *
   * A run's span then has neither spans of tools below it nor `gen_ai.usage.*`, which would count twice. @default false
   */
  frameworkSpans?: boolean | undefined;
  /** The version of OpenTelemetry's GenAI conventions whose names the spans use. @default '1.41' */
  conventions?: Conventions | undefined;
}

/** The part of a manager that is observed. */
export interface Observed {
  /** Calls the listener for every event; returns the function that unsubscribes. */
  subscribe(listener: (event: SubAgentEvent) => void): () => void;
  /** The number of sub-agents by status, and the spending. */
  stats(): ManagerStats;
  /** The spending by model, with the kinds of tokens. */
  costs(): ManagerCosts;
  /** The manager's slots and queue. */
  getConcurrencyInfo(): ConcurrencyInfo;
}

export type { Conventions };

const KNOWN = ['tracer', 'meter', 'captureContent', 'frameworkSpans', 'conventions'] as const satisfies (keyof TelemetryOptions)[];

/**
 * Traces and metrics of the sub-agents of one program. Uses `@opentelemetry/api`, whose SDK the program sets up; without
 * one nothing is recorded.
 */
export function createTelemetry(options: TelemetryOptions = {}): Telemetry {
  expectKnown('createTelemetry', options, KNOWN);
  const { conventions = '1.41' } = options;
  if (!Object.hasOwn(CONVENTIONS, conventions))
    throw mistake(`\`conventions\` must be one of ${Object.keys(CONVENTIONS).join(', ')}`, { argument: 'conventions' });
  return new Telemetry(options, conventions);
}

/** Made by `createTelemetry`. */
export class Telemetry {
  readonly #tracing: Tracing;
  readonly #runDuration;
  readonly #queueDuration;
  readonly #spans = new Map<string, RunSpan>();
  readonly #observed = new Set<Observed>();

  /** @internal */
  constructor({ tracer, meter, captureContent, frameworkSpans }: TelemetryOptions, conventions: Conventions) {
    this.#tracing = {
      tracer: tracer ?? trace.getTracer('subagents'),
      names: CONVENTIONS[conventions],
      captureContent: captureContent === true,
      frameworkSpans: frameworkSpans === true,
    };
    const meters = meter ?? metrics.getMeter('subagents');
    this.#runDuration = meters.createHistogram(METRIC.runDuration, { unit: 's', description: 'How long runs take.' });
    this.#queueDuration = meters.createHistogram(METRIC.queueDuration, { unit: 's', description: 'How long runs wait to begin.' });
    this.#watchGauges(meters);
  }

  /**
   * Returns the host function with a span around each run. The span is active while `host` runs, so it is the parent of the
   * spans of the model and its tools. Its own parent is the span in which the sub-agent was spawned. A background sub-agent has
   * a trace of its own, linked to that span, since it may outlive it.
   */
  trace(host: SpawnSubAgent): SpawnSubAgent {
    if (typeof host !== 'function') throw mistake('`trace` takes the host function to trace');
    return (params, run) => {
      const key = keyOf(run.taskId, run.run);
      const span = this.#begin(params, run);
      this.#spans.set(key, span);
      span.follow(run);
      try {
        const returned = context.with(span.context, () => host(params, run));
        if (!isPromise(returned)) {
          this.#hostOver(key, run, undefined);
          return returned;
        }
        returned.then(
          () => this.#hostOver(key, run, undefined),
          () => this.#hostOver(key, run, 'host_threw'),
        );
        return returned;
      } catch (error) {
        this.#hostOver(key, run, 'host_threw');
        throw error;
      }
    };
  }

  /**
   * Follows a manager: its events go onto the spans of its runs and into the metrics. Returns the function that ends this; a
   * disposed manager needs no such call. Without `observe`, a run's span ends when its host function returns, and has no usage.
   */
  observe(manager: Observed): () => void {
    const queuedAt = new Map<string, number>();
    const startedAt = new Map<string, number>();
    const unsubscribe = manager.subscribe((event) => this.#record(event, queuedAt, startedAt));
    this.#observed.add(manager);
    return () => {
      unsubscribe();
      this.#observed.delete(manager);
    };
  }

  #begin(params: SubAgentParamsType & SpawnOptions, run: Run): RunSpan {
    const { tracer, names } = this.#tracing;
    // The label only if it was given: a default label is made from the instructions.
    const name = params.agent ?? params.label ?? params.nickname ?? undefined;
    const background = params.background === true;
    const attributes: Attributes = {
      [names.operation]: 'invoke_agent',
      [ATTRIBUTE.taskId]: run.taskId,
      [ATTRIBUTE.run]: run.run,
      [ATTRIBUTE.depth]: run.depth,
      [ATTRIBUTE.background]: background,
    };
    if (name !== undefined) attributes[names.agentName] = name;
    if (names.agentId !== undefined) attributes[names.agentId] = run.taskId;
    const { modelId } = run;
    if (modelId !== undefined) attributes[names.requestModel] = modelId;
    const conversation = params.origin?.chatId;
    if (conversation !== undefined) attributes[names.conversationId] = conversation;
    const above = trace.getSpanContext(context.active());
    const apart = background ? { root: true, links: above === undefined ? [] : [{ context: above }] } : {};
    const title = name === undefined ? 'invoke_agent' : `invoke_agent ${name}`;
    const span = new RunSpan(this.#tracing, tracer.startSpan(title, { kind: SpanKind.INTERNAL, attributes, ...apart }));
    span.asked(run.prompt);
    return span;
  }

  /** A host function is over. An event ends its run, unless no manager is observed or its manager is disposed. */
  #hostOver(key: string, run: Run, error: 'host_threw' | undefined): void {
    const span = this.#spans.get(key);
    if (span === undefined) return;
    if (this.#observed.size > 0 && !isOver(run)) return;
    this.#spans.delete(key);
    span.close(error, null);
  }

  #record(event: SubAgentEvent, queuedAt: Map<string, number>, startedAt: Map<string, number>): void {
    if (!('taskId' in event) || event.taskId === null) return;
    const { taskId, at } = event;
    const key = 'run' in event ? keyOf(taskId, event.run) : '';
    const span = this.#spans.get(key);
    switch (event.type) {
      case 'task_admitted':
      case 'run_queued':
        queuedAt.set(taskId, at);
        break;
      case 'task_forgotten':
        queuedAt.delete(taskId);
        break;
      case 'run_started': {
        const since = queuedAt.get(taskId) ?? at;
        queuedAt.delete(taskId);
        startedAt.set(key, at);
        this.#queueDuration.record((at - since) / 1000);
        span?.span.setAttribute(ATTRIBUTE.queueMs, at - since);
        if (since < at) span?.event(EVENT.queued, undefined, since);
        span?.event(EVENT.started);
        break;
      }
      case 'tokens_used':
        span?.count(event.kinds);
        break;
      case 'turn_started':
        span?.event(EVENT.turn, { [ATTRIBUTE.turn]: event.turn });
        break;
      case 'run_parked':
        span?.event(EVENT.parked, { [ATTRIBUTE.reason]: event.why });
        break;
      case 'question_asked':
        span?.event(EVENT.parked, { [ATTRIBUTE.reason]: 'input' });
        break;
      case 'question_closed':
      case 'run_unparked':
      case 'turn_delayed':
        if (event.parks !== null) span?.event(EVENT.parked, { [ATTRIBUTE.reason]: event.parks });
        break;
      case 'run_reentered':
        span?.event(EVENT.unparked);
        break;
      case 'stop_requested':
        span?.event(EVENT.stopping, { [ATTRIBUTE.reason]: event.stopReason });
        break;
      case 'run_retried':
        span?.event(EVENT.retried, { [ATTRIBUTE.reason]: event.stopReason });
        this.#over(key, startedAt, { ...event, status: 'failed' });
        break;
      case 'run_ended':
        this.#over(key, startedAt, event);
        break;
    }
  }

  #over(key: string, startedAt: Map<string, number>, end: Parameters<RunSpan['end']>[0] & { readonly at: number }): void {
    const since = startedAt.get(key);
    startedAt.delete(key);
    const attributes = { [ATTRIBUTE.status]: end.status, [ATTRIBUTE.stopReason]: end.stopReason };
    if (since !== undefined) this.#runDuration.record((end.at - since) / 1000, attributes);
    this.#spans.get(key)?.end(end);
    this.#spans.delete(key);
  }

  /** Observed values: slots, queue and budget, of all managers together. */
  #watchGauges(meter: Meter): void {
    const gauge = (name: string, description: string, unit?: string) =>
      meter.createObservableGauge(name, unit === undefined ? { description } : { description, unit });
    const slotsUsed = gauge(METRIC.slotsUsed, 'Slots that are taken.');
    const slotsLimit = gauge(METRIC.slotsLimit, 'Slots that there are.');
    const queued = gauge(METRIC.runsQueued, 'Runs that wait to begin.');
    const parked = gauge(METRIC.runsParked, 'Runs that gave up their slot while they wait.');
    const spent = gauge(METRIC.tokensSpent, 'Tokens spent.', '{token}');
    const reserved = gauge(METRIC.tokensReserved, 'Tokens reserved for work in flight.', '{token}');
    const cost = gauge(METRIC.costSpent, 'US dollars spent.', '{USD}');
    const input = gauge(METRIC.inputSpent, 'Tokens that models read, if that was reported.', '{token}');
    const output = gauge(METRIC.outputSpent, 'Tokens that models wrote, if that was reported.', '{token}');
    const cacheRead = gauge(METRIC.cacheRead, "Tokens read from providers' caches.", '{token}');
    const cacheWrite = gauge(METRIC.cacheWrite, "Tokens written to providers' caches.", '{token}');
    const cacheWrite1h = gauge(METRIC.cacheWrite1h, 'Those of these that the caches keep for an hour.', '{token}');
    const reasoning = gauge(METRIC.reasoning, 'Tokens that models wrote to reason.', '{token}');
    const kinds = [input, output, cacheRead, cacheWrite, cacheWrite1h, reasoning];
    const all = [slotsUsed, slotsLimit, queued, parked, spent, reserved, cost, ...kinds];
    meter.addBatchObservableCallback((seen) => {
      const sums = all.map(() => 0);
      for (const manager of this.#observed) {
        const figures = figuresOf(manager);
        // A disposed manager has no figures, and never will.
        if (figures === undefined) this.#observed.delete(manager);
        for (const [at, figure] of (figures ?? []).entries()) sums[at] = (sums[at] as number) + figure;
      }
      for (const [at, instrument] of all.entries()) seen.observe(instrument, sums[at] as number);
    }, all);
  }
}

const keyOf = (taskId: string, run: number): string => `${taskId}/${run}`;

const isPromise = (value: HostResult | Promise<HostResult>): value is Promise<HostResult> =>
  typeof (value as { then?: unknown })?.then === 'function';

/** Whether the run's manager is disposed: then it reports nothing. */
function isOver(run: Run): boolean {
  try {
    run.getConcurrencyInfo();
    return false;
  } catch {
    return true;
  }
}

function figuresOf(manager: Observed): number[] | undefined {
  try {
    const { active, limit, queued, parked } = manager.getConcurrencyInfo();
    const { tokensSpent, tokensReserved, costSpentUsd } = manager.stats();
    const { byModel } = manager.costs();
    const kinds = TOKEN_KINDS.map((kind) => byModel.reduce((sum, share) => sum + (share[kind] ?? 0), 0));
    return [active, limit, queued, parked, tokensSpent, tokensReserved, costSpentUsd, ...kinds];
  } catch {
    return undefined;
  }
}
