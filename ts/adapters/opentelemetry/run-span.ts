// The span of one run: its attributes, its tools' spans, and its end. `index.ts` knows which runs there are.

import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Run } from '../../api/run.js';
import type { Dimension, StopReason, TaskStatus } from '../../generated/names.js';
import { TOKEN_KINDS } from '../generated/token-kinds.js';
import { ATTRIBUTE, type ConventionNames, type EVENT } from './names.js';

/** How a run ended, from its event. */
export interface SpanEnd {
  readonly status: TaskStatus;
  readonly stopReason: StopReason;
  readonly error: string | null;
  readonly usage: Readonly<Record<Dimension, number>>;
  /** Dimensions that the host did not report. */
  readonly unknown: readonly Dimension[];
  readonly partial?: boolean;
  readonly output?: string;
}

/** The settings that a program's spans share. */
export interface Tracing {
  readonly tracer: Tracer;
  readonly names: ConventionNames;
  /** Whether texts may be put on spans. */
  readonly captureContent: boolean;
  /** Whether a framework makes the spans of models and tools, with the models' usage. */
  readonly frameworkSpans: boolean;
}

/** The statuses that count as errors in traces. */
const FAILURES: ReadonlySet<TaskStatus> = new Set(['failed', 'timed_out']);

/** A text as one message, in the form of the conventions. */
const messageOf = (role: string, text: string): string => JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }]);

type Kind = (typeof TOKEN_KINDS)[number];

export class RunSpan {
  readonly span: Span;
  /** The context of the host function: spans that it starts are children of this span. */
  readonly context: Context;
  readonly #tracing: Tracing;
  readonly #tools = new Map<string, Span[]>();
  readonly #tokens: Partial<Record<Kind, number>> = {};

  constructor(tracing: Tracing, span: Span) {
    this.#tracing = tracing;
    this.span = span;
    this.context = trace.setSpan(context.active(), span);
  }

  /** Follows the tools that the host function reports. */
  follow(run: Run): void {
    if (this.#tracing.frameworkSpans) return;
    const beforeTool = run.beforeTool.bind(run);
    const afterTool = run.afterTool.bind(run);
    run.beforeTool = async (name, args) => {
      const permit = await beforeTool(name, args);
      this.#beginTool(name, args, permit.allowed);
      return permit;
    };
    run.afterTool = (name, result) => {
      this.#endTool(name, result);
      return afterTool(name, result);
    };
  }

  /** Adds a model's booked tokens, whatever names its host has for them. */
  count(booked: Readonly<Record<Kind, number | null>> & { readonly estimated: boolean }): void {
    // Part of the usage is an estimate, and stays one.
    if (booked.estimated) this.span.setAttribute(ATTRIBUTE.estimated, true);
    if (this.#tracing.frameworkSpans) return;
    for (const kind of TOKEN_KINDS) {
      const tokens = booked[kind];
      if (tokens !== null) this.#tokens[kind] = (this.#tokens[kind] ?? 0) + tokens;
    }
  }

  /** Adds the run's prompt, if texts may be shown. */
  asked(text: string): void {
    const { names, captureContent } = this.#tracing;
    if (!captureContent) return;
    if (names.inputMessages === undefined) this.span.setAttribute(ATTRIBUTE.input, text);
    else this.span.setAttribute(names.inputMessages, messageOf('user', text));
  }

  event(name: (typeof EVENT)[keyof typeof EVENT], attributes?: Attributes, at?: number): void {
    this.span.addEvent(name, attributes, at);
  }

  end({ status, stopReason, error, usage, unknown, partial, output }: SpanEnd): void {
    const { captureContent, names } = this.#tracing;
    const { span } = this;
    span.setAttributes({ [ATTRIBUTE.status]: status, [ATTRIBUTE.stopReason]: stopReason });
    if (partial === true) span.setAttribute(ATTRIBUTE.partial, true);
    for (const dimension of ['tokens', 'costUsd', 'turns'] as const) {
      if (!unknown.includes(dimension)) span.setAttribute(ATTRIBUTE[dimension], usage[dimension]);
    }
    if (captureContent && output !== undefined && output !== '') {
      if (names.outputMessages === undefined) span.setAttribute(ATTRIBUTE.output, output);
      else span.setAttribute(names.outputMessages, messageOf('assistant', output));
    }
    this.close(FAILURES.has(status) ? stopReason : undefined, captureContent ? error : null);
  }

  /** Ends the span, and the spans of tools that never returned. */
  close(errorType: string | undefined, message: string | null): void {
    const { names } = this.#tracing;
    for (const tools of this.#tools.values()) for (const tool of tools) tool.end();
    this.#tools.clear();
    for (const [kind, tokens] of Object.entries(this.#tokens)) this.span.setAttribute(names[kind as Kind], tokens);
    if (errorType !== undefined) {
      this.span.setAttribute('error.type', errorType);
      this.span.setStatus({ code: SpanStatusCode.ERROR, message: message ?? errorType });
    }
    this.span.end();
  }

  #beginTool(name: string, args: unknown, allowed: boolean): void {
    const { tracer, names } = this.#tracing;
    const attributes = { [names.operation]: 'execute_tool', [names.toolName]: name, ...this.#content(names.toolArguments, args) };
    const span = tracer.startSpan(`execute_tool ${name}`, { kind: SpanKind.INTERNAL, attributes }, this.context);
    if (!allowed) {
      span.setAttribute(ATTRIBUTE.allowed, false);
      span.end();
      return;
    }
    const open = this.#tools.get(name) ?? [];
    open.push(span);
    this.#tools.set(name, open);
  }

  /** Ends the oldest open call of the tool: nothing shows which of several it was. */
  #endTool(name: string, result: unknown): void {
    const span = this.#tools.get(name)?.shift();
    span?.setAttributes(this.#content(this.#tracing.names.toolResult, result));
    span?.end();
  }

  #content(name: string, value: unknown): Attributes {
    if (!this.#tracing.captureContent || value === undefined) return {};
    try {
      return { [name]: typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)) };
    } catch {
      // A value that can't be shown, such as one that contains itself, is left out.
      return {};
    }
  }
}
