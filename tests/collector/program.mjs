// A main agent of the AI SDK with two sub-agents, one of which has one of its own, all traced to a collector: the AI SDK
// by `@ai-sdk/otel`, the sub-agents by `subagents/opentelemetry`. `node program.mjs URL`.

import { OpenTelemetry } from '@ai-sdk/otel';
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { jsonSchema, registerTelemetry, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { SubAgentManager } from 'subagents';
import { toolLoopAgent } from 'subagents/ai-sdk';
import { createTelemetry } from 'subagents/opentelemetry';

const url = process.argv[2];
const traces = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))] });
const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` });
const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
trace.setGlobalTracerProvider(traces);
metrics.setGlobalMeterProvider(meters);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
registerTelemetry(new OpenTelemetry());

const usage = {
  inputTokens: { total: 900, noCache: 900, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 100, text: 100, reasoning: undefined },
};
const answer = (content, unified) => ({ content, finishReason: { unified, raw: undefined }, usage, warnings: [] });
let calls = 0;
const call = (toolName, args) => {
  calls += 1;
  return { type: 'tool-call', toolCallId: `call-${calls}`, toolName, input: JSON.stringify(args) };
};
/** A model that makes these calls first, and then says that it is done. */
const model = (...first) => {
  let turn = 0;
  const doGenerate = async () => {
    turn += 1;
    return turn === 1 ? answer(first, 'tool-calls') : answer([{ type: 'text', text: 'done' }], 'stop');
  };
  return new MockLanguageModelV4({ doGenerate });
};

const search = tool({
  description: 'Searches.',
  inputSchema: jsonSchema({ type: 'object', properties: {} }),
  execute: async () => 'found',
});
const telemetry = createTelemetry({ frameworkSpans: true });
const manager = new SubAgentManager({
  maxDepth: 2,
  spawnSubAgent: telemetry.trace(
    toolLoopAgent((_, run) =>
      run.prompt === 'lead a team'
        ? new ToolLoopAgent({ model: model(call('SubAgent', { instructions: 'read c' })), tools: { SubAgent: run.createSubAgentTool() } })
        : new ToolLoopAgent({ model: model(call('search', {})), tools: { search } }),
    ),
  ),
});
telemetry.observe(manager);
const first = [call('SubAgent', { instructions: 'read a' }), call('SubAgent', { instructions: 'lead a team' })];
const lead = new ToolLoopAgent({ model: model(...first), tools: { SubAgent: manager.createSubAgentTool() } });
await trace.getTracer('program').startActiveSpan('request', async (span) => {
  await lead.generate({ prompt: 'question' });
  span.end();
});
await traces.shutdown();
await meters.shutdown();
manager.dispose();
