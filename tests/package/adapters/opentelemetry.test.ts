// `subagents/opentelemetry` against the real SDK: the tree of spans, what stands on them, and the metrics.

import { type Context, context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTelemetry, type TelemetryOptions } from '../../../dist/adapters/opentelemetry/index.js';
import { type HostUsage, type RunReport, type SpawnSubAgent, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { deferred, done } from '../../support/hosts.js';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('test');
let contexts: AsyncLocalStorageContextManager;
let managers: SubAgentManager[];

beforeEach(() => {
  exporter.reset();
  managers = [];
  contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
});
afterEach(() => {
  for (const manager of managers) manager.dispose();
  context.disable();
});

function traced(host: SpawnSubAgent, options: SubAgentManagerOptions = {}, telemetry: TelemetryOptions = {}): SubAgentManager {
  const made = createTelemetry({ tracer, ...telemetry });
  const manager = new SubAgentManager({ maxDepth: 2, ...options, spawnSubAgent: made.trace(host) });
  made.observe(manager);
  managers.push(manager);
  return manager;
}

const spans = (): ReadableSpan[] => exporter.getFinishedSpans();
const named = (name: string): ReadableSpan => {
  const found = spans().filter((span) => span.name === name);
  expect(found, `spans called ${name} among ${spans().map((span) => span.name)}`).toHaveLength(1);
  return found[0] as ReadableSpan;
};
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
const below = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
const eventsOf = (span: ReadableSpan): string[] => span.events.map(({ name }) => name);

/** What a request of the program does within its span. */
function within<T>(name: string, body: (here: Context) => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await body(context.active());
    } finally {
      span.end();
    }
  });
}

describe('the tree of spans', () => {
  test('a run stands below the span of its spawn, also where it was queued; what its host does stands below it', async () => {
    const manager = traced(
      async (params) => {
        await new Promise((resolve) => setImmediate(resolve));
        tracer.startSpan(`model of ${params.label}`).end();
        return done();
      },
      { maxConcurrent: 1 },
    );
    const request = (name: string): Promise<unknown> =>
      within(`request ${name}`, () => manager.spawn({ instructions: name, label: name }).wait());
    await Promise.all(['a', 'b', 'c'].map(request));
    for (const name of ['a', 'b', 'c']) {
      const run = named(`invoke_agent ${name}`);
      expect(below(run)).toBe(idOf(named(`request ${name}`)));
      expect(below(named(`model of ${name}`))).toBe(idOf(run));
    }
    expect(eventsOf(named('invoke_agent a'))).toEqual(['subagents.started']);
  });

  test('where a framework makes spans of its own, a run has none of tools and no usage of models', async () => {
    const host: SpawnSubAgent = async (_, run) => {
      await run.beforeTurn();
      await run.beforeTool('search', {});
      await run.afterTool('search', 'found');
      run.report({ inputTokens: 900, outputTokens: 100 });
      return done();
    };
    for (const frameworkSpans of [false, true]) {
      const name = `with ${frameworkSpans}`;
      await traced(host, {}, { frameworkSpans }).spawn({ instructions: name, label: name }).wait();
      const run = named(`invoke_agent ${name}`);
      expect(spans().filter((span) => below(span) === idOf(run))).toHaveLength(frameworkSpans ? 0 : 1);
      expect(run.attributes['gen_ai.usage.input_tokens']).toBe(frameworkSpans ? undefined : 900);
      expect(run.attributes['subagents.usage.tokens']).toBe(1000);
    }
  });

  test('sub-agents of sub-agents nest; a background one has a trace of its own with a link', async () => {
    const manager = traced(async (params, run) => {
      if (params.label === 'lead') {
        await run.spawn({ instructions: 'x', label: 'child' }).wait();
        run.spawn({ instructions: 'y', label: 'side', background: true });
      }
      return done();
    });
    await manager.spawn({ instructions: 'go', label: 'lead' }).wait();
    await manager.wait(manager.list().items.map(({ taskId }) => taskId));
    const lead = named('invoke_agent lead');
    const side = named('invoke_agent side');
    expect(below(named('invoke_agent child'))).toBe(idOf(lead));
    expect(below(side)).toBeUndefined();
    expect(side.spanContext().traceId).not.toBe(lead.spanContext().traceId);
    expect(side.links.map((link) => link.context.spanId)).toEqual([idOf(lead)]);
  });

  test('tools stand below their run; one that is refused says so', async () => {
    const manager = traced(async (_params, run) => {
      await run.beforeTool('read', { path: 'a.md' });
      await run.afterTool('read', 'text');
      await run.beforeTool('write', {});
      await run.beforeTool('read', { path: 'b.md' });
      return done();
    });
    await manager.spawn({ instructions: 'go', label: 'one', tools: ['read'] }).wait();
    const run = named('invoke_agent one');
    const tools = spans().filter((span) => span.attributes['gen_ai.operation.name'] === 'execute_tool');
    expect(tools.map((span) => [span.name, below(span), span.attributes['subagents.tool.allowed']])).toEqual([
      ['execute_tool read', idOf(run), undefined],
      ['execute_tool write', idOf(run), false],
      ['execute_tool read', idOf(run), undefined],
    ]);
  });
});

describe('what stands on a span', () => {
  test('who it is, what it used, how it ended; no text, the label made of the instructions included', async () => {
    const manager = traced(async (_params, run) => {
      await run.beforeTurn();
      run.report({ inputTokens: 100, cacheReadTokens: 90, cacheWriteTokens: 5, outputTokens: 20, reasoningTokens: 15, costUsd: 0.5 });
      await run.beforeTurn();
      run.report({ inputTokens: 50, outputTokens: 30 });
      return { output: 'the secret answer', usage: { turns: 2 } };
    });
    const handle = manager.spawn({ instructions: 'the secret question', modelId: 'm-1', origin: { chatId: 'chat-7' } });
    const result = await handle.wait();
    expect(result.usage.tokens).toBe(200);
    const span = named('invoke_agent');
    expect(span.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.request.model': 'm-1',
      'gen_ai.conversation.id': 'chat-7',
      'gen_ai.usage.input_tokens': 150,
      'gen_ai.usage.output_tokens': 50,
      'gen_ai.usage.cache_read.input_tokens': 90,
      'gen_ai.usage.cache_creation.input_tokens': 5,
      'gen_ai.usage.reasoning.output_tokens': 15,
      'subagents.task.id': handle.taskId,
      'subagents.run': 1,
      'subagents.depth': 1,
      'subagents.background': false,
      'subagents.status': 'completed',
      'subagents.stop_reason': 'finished',
      'subagents.usage.tokens': 200,
      'subagents.usage.cost_usd': 0.5,
      'subagents.usage.turns': 2,
    });
    expect(eventsOf(span)).toEqual(['subagents.started', 'subagents.turn_started', 'subagents.turn_started']);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(JSON.stringify([span.attributes, span.name, span.events, span.status])).not.toContain('secret');
  });

  test('the usage that a result reports; what nobody reported is left out', async () => {
    const manager = traced(async () => ({ output: 'x', usage: { inputTokens: 7, outputTokens: 3 } }));
    const result = await manager.spawn({ instructions: 'go', label: 'one' }).wait();
    expect(result.usage).toMatchObject({ tokens: 10, unknown: ['costUsd', 'turns'] });
    const { attributes } = named('invoke_agent one');
    expect(attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 3, 'subagents.usage.tokens': 10 });
    expect(attributes).not.toHaveProperty('subagents.usage.cost_usd');
  });

  test.each<[string, object]>([
    ['Anthropic', { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30, output_tokens: 20 }],
    ['OpenAI', { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 }, completion_tokens: 20 }],
    ['the AI SDK', { inputTokens: { total: 100, cacheRead: 60, cacheWrite: 30 }, outputTokens: { total: 20 } }],
  ])('B11 the kinds that were booked, if they came in the names of %s', async (_, usage) => {
    const hosts: Record<string, SpawnSubAgent> = {
      report: async (_params, run) => {
        run.report(usage as RunReport);
        return done();
      },
      result: async () => ({ output: 'x', usage: usage as HostUsage }),
    };
    for (const [label, host] of Object.entries(hosts)) {
      await traced(host).spawn({ instructions: 'go', label }).wait();
      expect(named(`invoke_agent ${label}`).attributes).toMatchObject({
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.cache_read.input_tokens': 60,
        'gen_ai.usage.cache_creation.input_tokens': 30,
      });
    }
  });

  test('B11 a total below the reports takes nothing back; what a cache keeps for an hour, and an estimate, are reported', async () => {
    const manager = traced(async (_params, run) => {
      run.report({ inputTokens: 100, cacheWriteTokens: 30, cacheWrite1hTokens: 10, outputTokens: 20, estimated: true });
      return { output: 'x', usage: { inputTokens: 50, outputTokens: 2 } };
    });
    const { usage } = await manager.spawn({ instructions: 'go', label: 'one' }).wait();
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    expect(named('invoke_agent one').attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_creation.input_tokens': 30,
      'subagents.usage.cache_write_1h_tokens': 10,
      'subagents.usage.estimated': true,
    });
  });

  test('texts where they are asked for, by the names of either version', async () => {
    const host: SpawnSubAgent = async (_params, run) => {
      await run.beforeTool('read', { path: 'a.md' });
      await run.afterTool('read', 'text');
      return done('answer');
    };
    await traced(host, {}, { captureContent: true }).spawn({ instructions: 'question', label: 'new' }).wait();
    await traced(host, {}, { captureContent: true, conventions: '1.36' }).spawn({ instructions: 'question', label: 'old' }).wait();
    expect(named('invoke_agent new').attributes).toMatchObject({
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"question"}]}]',
      'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"answer"}]}]',
    });
    expect(named('invoke_agent old').attributes).toMatchObject({ 'subagents.input': 'question', 'subagents.output': 'answer' });
    const [tool] = spans().filter((span) => span.name === 'execute_tool read');
    expect(tool?.attributes).toMatchObject({ 'gen_ai.tool.call.arguments': '{"path":"a.md"}', 'gen_ai.tool.call.result': 'text' });
  });

  test('a failure is an error whose type is the stop reason; its text only where texts are asked for', async () => {
    const host: SpawnSubAgent = async () => {
      throw new Error('the key is 123');
    };
    await traced(host).spawn({ instructions: 'go', label: 'one' }).wait();
    await traced(host, {}, { captureContent: true }).spawn({ instructions: 'go', label: 'two' }).wait();
    expect(named('invoke_agent one').status).toEqual({ code: SpanStatusCode.ERROR, message: 'host_threw' });
    expect(named('invoke_agent one').attributes['error.type']).toBe('host_threw');
    expect(named('invoke_agent two').status.message).toContain('the key is 123');
  });

  test('each attempt of a retry has its span, below the same parent', async () => {
    let calls = 0;
    const manager = traced(
      async () => {
        calls += 1;
        if (calls === 1) throw new Error('once');
        return done();
      },
      { retry: { max: 1, backoffMs: 1 } },
    );
    await within('request', () => manager.spawn({ instructions: 'go', label: 'one' }).wait());
    const attempts = spans().filter((span) => span.name === 'invoke_agent one');
    expect(attempts.map((span) => [span.attributes['subagents.run'], span.status.code, below(span)])).toEqual([
      [1, SpanStatusCode.ERROR, idOf(named('request'))],
      [2, SpanStatusCode.UNSET, idOf(named('request'))],
    ]);
    expect(eventsOf(attempts[0] as ReadableSpan)).toContain('subagents.retried');
  });

  test('what it waited for, and that it was asked to stop', async () => {
    const manager = traced(async (params, run) => {
      if (params.label === 'lead') await run.spawn({ instructions: 'x', label: 'child' }).wait();
      else await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      return done();
    });
    const handle = manager.spawn({ instructions: 'go', label: 'lead' });
    manager.cancel(manager.list().items.find(({ label }) => label === 'child')?.taskId as string);
    await handle.wait();
    const lead = named('invoke_agent lead');
    expect(lead.events.find(({ name }) => name === 'subagents.parked')?.attributes).toEqual({ 'subagents.reason': 'children' });
    expect(eventsOf(lead)).toEqual(['subagents.started', 'subagents.parked', 'subagents.unparked']);
    const child = named('invoke_agent child');
    expect(eventsOf(child)).toEqual(['subagents.started', 'subagents.stopping']);
    expect(child.attributes['subagents.status']).toBe('cancelled');
    expect(child.status.code).toBe(SpanStatusCode.UNSET);
  });

  test('M5 X1 a question, its answer and a delayed turn say why it waits', async () => {
    const manager = traced(async (_, run) => {
      await run.beforeTurn();
      await run.ask('Which?');
      run.reportRateLimit({ retryAfterMs: 200 });
      await run.beforeTurn();
      return done();
    });
    manager.subscribe((event) => void (event.type === 'question_asked' && manager.send(event.taskId as string, 'this')));
    const asks = manager.spawn({ instructions: 'go', label: 'asks' });
    await asks.wait().catch(() => asks.wait());
    const parked = named('invoke_agent asks').events.filter(({ name }) => name === 'subagents.parked');
    expect(parked.map(({ attributes }) => attributes?.['subagents.reason'])).toEqual(['input', 'reentry', 'cooldown', 'reentry']);
  });
});

describe('ends that no event reports', () => {
  test('a manager that nobody observes: the span ends when its host function returns', async () => {
    const made = createTelemetry({ tracer });
    const manager = new SubAgentManager({
      spawnSubAgent: made.trace(async (params) => {
        if (params.label === 'bad') throw new Error('no');
        return done();
      }),
    });
    managers.push(manager);
    await manager.spawn({ instructions: 'go', label: 'good' }).wait();
    await manager.spawn({ instructions: 'go', label: 'bad' }).wait();
    expect(named('invoke_agent good').ended).toBe(true);
    expect(named('invoke_agent bad').attributes['error.type']).toBe('host_threw');
  });

  test('a manager that is disposed: the span ends when its host function returns', async () => {
    const gate = deferred<void>();
    const manager = traced(async () => {
      await gate.promise;
      return done();
    });
    manager.spawn({ instructions: 'go', label: 'one' });
    manager.dispose();
    expect(spans()).toEqual([]);
    gate.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(named('invoke_agent one').ended).toBe(true);
  });

  test('a run that ended before its host function returned has its span ended then', async () => {
    const manager = traced(() => new Promise(() => {}));
    const handle = manager.spawn({ instructions: 'go', label: 'one' });
    await handle.cancel({ graceMs: 1 });
    expect(named('invoke_agent one').attributes['subagents.status']).toBe('cancelled');
  });
});

test('metrics: how long runs take and wait, slots, queue, budget; over all observed managers', async () => {
  const out = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: out, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const gate = deferred<void>();
  const made = createTelemetry({ tracer, meter: meters.getMeter('test') });
  const host = made.trace(async (params) => {
    if (params.label === 'slow') await gate.promise;
    const usage = {
      inputTokens: 8,
      cacheReadTokens: 6,
      cacheWriteTokens: 2,
      cacheWrite1hTokens: 1,
      outputTokens: 2,
      reasoningTokens: 1,
      cost: 0.25,
      turns: 1,
    };
    return { output: 'x', usage };
  });
  for (const label of ['quick', 'slow']) {
    const manager = new SubAgentManager({ maxConcurrent: 1, spawnSubAgent: host, budget: { tokens: 1000 } });
    managers.push(manager);
    made.observe(manager);
    const handle = manager.spawn({ instructions: 'go', label });
    if (label === 'quick') await handle.wait();
    else manager.spawn({ instructions: 'go', label });
  }
  const read = async (): Promise<Record<string, unknown>> => {
    out.reset();
    await reader.forceFlush();
    const all = out.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? [];
    return Object.fromEntries(
      all.map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints.map(({ value, attributes }) => (typeof value === 'object' ? [value.count, attributes] : value))[0],
      ]),
    );
  };
  expect(await read()).toEqual({
    'subagents.run.duration': [1, { 'subagents.status': 'completed', 'subagents.stop_reason': 'finished' }],
    'subagents.queue.duration': [2, {}],
    'subagents.slots.used': 1,
    'subagents.slots.limit': 2,
    'subagents.runs.queued': 1,
    'subagents.runs.parked': 0,
    'subagents.budget.tokens.spent': 10,
    'subagents.budget.tokens.reserved': expect.any(Number),
    'subagents.budget.cost.spent': 0.25,
    'subagents.tokens.input': 8,
    'subagents.tokens.output': 2,
    'subagents.tokens.cache_read': 6,
    'subagents.tokens.cache_write': 2,
    'subagents.tokens.cache_write_1h': 1,
    'subagents.tokens.reasoning': 1,
  });
  // A manager that is gone counts for nothing, and harms nothing.
  managers[1]?.dispose();
  expect(await read()).toMatchObject({ 'subagents.slots.used': 0, 'subagents.slots.limit': 1, 'subagents.budget.tokens.spent': 10 });
  gate.resolve();
  await meters.shutdown();
});

test.each(['sync', 'batched'] as const)('metrics: runs that go on after a restart count, %s', async (durability) => {
  const out = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: out, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const options = { store: memoryStore(), durability, maxConcurrent: 2, onHostLost: 'resume' } as const;
  const first = await SubAgentManager.open({ ...options, spawnSubAgent: () => new Promise(() => undefined) });
  for (const label of ['a', 'b', 'c']) first.spawn({ instructions: 'go', label, background: true });
  await first.flush();
  first.dispose();
  const made = createTelemetry({ tracer, meter: meters.getMeter('test') });
  const manager = await SubAgentManager.open({ ...options, spawnSubAgent: made.trace(async () => done()) });
  managers.push(manager);
  made.observe(manager);
  await manager.wait(manager.list().items.map(({ taskId }) => taskId));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await reader.forceFlush();
  const counts = (out.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? []).flatMap(({ descriptor, dataPoints }) =>
    dataPoints.flatMap(({ value }) => (typeof value === 'object' && 'count' in value ? [[descriptor.name, value.count]] : [])),
  );
  expect(counts).toEqual([
    ['subagents.run.duration', 3],
    ['subagents.queue.duration', 3],
  ]);
  for (const name of ['a', 'b', 'c']) expect(eventsOf(named(`invoke_agent ${name}`))).toContain('subagents.started');
  await meters.shutdown();
});

test('wrong options are refused with a name', () => {
  expect(() => createTelemetry({ convention: '1.41' } as never)).toThrow(/no option `convention`/);
  expect(() => createTelemetry({ conventions: '2' as never })).toThrow(/must be one of 1\.36, 1\.41/);
  expect(() => createTelemetry().trace(undefined as never)).toThrow(/host function/);
  expect(trace.getTracer('x')).toBeDefined();
});
