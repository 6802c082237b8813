// The command lines of the known agents: the arguments of one turn, and what each line of output means. Owns these forms;
// `cumulative` names the figures that count a whole conversation, not one process.

import type { Amounts } from '../model-usage.js';
import type { CommandForm, CommandState, ProfileName } from './profile.js';
import { ofClaude, ofCodex, ofGemini, ofOpencode } from './receipts.js';
import { type Fields, list, number, record, text } from './said.js';
import { amountsOf, plus } from './usage.js';

/** How many open tool calls are followed to their results. If an agent begins calls without end, only the first ones are. */
const OPEN_CALLS = 1_000;

function begin(state: CommandState, id: unknown, call: Fields): void {
  state.calls ??= new Map();
  if (state.calls.size < OPEN_CALLS) state.calls.set(id, call);
}

function end(state: CommandState, id: unknown): Fields {
  const call = state.calls?.get(id) ?? {};
  state.calls?.delete(id);
  return call;
}

type Said = Parameters<typeof amountsOf>[0];

const sum = (...tokens: unknown[]): number => tokens.reduce<number>((all, each) => all + number(each), 0);

const usedBefore = ({ tokens, kinds }: CommandState): Amounts => ({ ...kinds, ...(tokens !== undefined && { totalTokens: tokens }) });

/** Takes usage: the total, or an addition to the usage before. */
function use(state: CommandState, said: Said, before: Amounts = {}): void {
  const { totalTokens, ...kinds } = plus(before, amountsOf(said));
  state.tokens = totalTokens;
  state.kinds = kinds;
}

const codex: CommandForm = {
  commands: [['codex']],
  mode: 'read-only',
  cumulative: ['tokens'],
  arguments: ({ conversation, mode, effort }) => [
    'exec',
    ...(mode === undefined ? [] : ['--sandbox', mode]),
    ...(effort === undefined ? [] : ['-c', `model_reasoning_effort=${JSON.stringify(effort)}`]),
    ...(conversation === undefined ? [] : ['resume', conversation]),
    '--json',
    '--skip-git-repo-check',
    '-',
  ],
  read(event, state) {
    const item = record(event.item);
    if (event.type === 'thread.started') state.conversation = text(event.thread_id);
    if (event.type === 'item.completed' && item.type === 'agent_message') state.text = text(item.text) ?? '';
    if (event.type === 'item.completed') {
      end(state, item.id);
      state.did = ofCodex(item);
    }
    if (event.type === 'item.started') {
      begin(state, item.id, item);
      state.tool = text(item.command) ?? text(item.tool) ?? text(item.type);
    }
    if (event.type === 'turn.completed') {
      state.isOver = true;
      const { input_tokens, output_tokens, cached_input_tokens, reasoning_output_tokens } = record(event.usage);
      use(state, {
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        cacheReadTokens: cached_input_tokens,
        reasoningTokens: reasoning_output_tokens,
      });
    }
    if (event.type === 'turn.failed') state.error = text(record(event.error).message) ?? 'its turn failed';
  },
};

const claude: CommandForm = {
  commands: [['claude']],
  mode: 'default',
  cumulative: ['costUsd'],
  arguments: ({ conversation, mode, effort, remainingUsd }) => [
    '-p',
    ...['--output-format', 'stream-json', '--verbose'],
    ...(mode === undefined ? [] : ['--permission-mode', mode]),
    ...(effort === undefined ? [] : ['--effort', effort]),
    ...(conversation === undefined ? [] : ['--resume', conversation]),
    ...(Number.isFinite(remainingUsd) ? ['--max-budget-usd', String(remainingUsd)] : []),
  ],
  read(event, state) {
    // Its result also names a conversation that it does not find.
    if (event.type === 'system') state.conversation = text(event.session_id) ?? state.conversation;
    if (event.type === 'assistant') {
      const { id, model, content, usage } = record(event.message);
      // Its own sub-agents may have other models, and a synthetic message has none.
      if ((event.parent_tool_use_id ?? null) === null && model !== '<synthetic>') state.modelId = text(model) ?? state.modelId;
      // One message comes in several events, each with its whole usage.
      state.messages ??= new Set();
      if (usage !== undefined && !state.messages.has(id)) use(state, ofClaudeUsage(usage), usedBefore(state));
      state.messages.add(id);
      for (const part of list(content)) {
        if (part.type === 'text') state.text = text(part.text) ?? '';
        if (part.type !== 'tool_use') continue;
        state.tool = text(part.name);
        begin(state, part.id, part);
      }
    }
    if (event.type === 'user') {
      const results = list(record(event.message).content).filter(({ type }) => type === 'tool_result');
      state.did = results.flatMap((result) => ofClaude(end(state, result.tool_use_id), result, record(event.tool_use_result)));
    }
    if (event.type !== 'result') return;
    state.isOver = true;
    state.text = text(event.result) ?? state.text;
    state.costUsd = number(event.total_cost_usd);
    // Only the messages of its own sub-agents have their usage.
    const all = ofClaudeUsage(event.usage);
    if (all.totalTokens >= (state.tokens ?? 0)) use(state, all);
    if (event.is_error === true) state.error = text(event.result) ?? text(event.subtype) ?? 'its turn failed';
  },
};

function ofClaudeUsage(usage: unknown): Said & { totalTokens: number } {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens, cache_creation } = record(usage);
  return {
    totalTokens: sum(input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens),
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cacheReadTokens: cache_read_input_tokens,
    cacheWriteTokens: cache_creation_input_tokens,
    cacheWrite1hTokens: record(cache_creation).ephemeral_1h_input_tokens,
  };
}

const opencode: CommandForm = {
  commands: [['opencode']],
  arguments: ({ conversation, mode, effort }) => [
    'run',
    ...['--format', 'json'],
    ...(mode === undefined ? [] : ['--agent', mode]),
    ...(effort === undefined ? [] : ['--variant', effort]),
    ...(conversation === undefined ? [] : ['--session', conversation]),
  ],
  read(event, state) {
    const part = record(event.part);
    state.conversation = text(event.sessionID) ?? state.conversation;
    if (event.type === 'text') state.text = text(part.text) ?? '';
    if (event.type === 'tool_use') {
      state.tool = text(part.tool);
      state.did = ofOpencode(part);
    }
    if (event.type === 'step_finish') {
      state.isOver = part.reason === 'stop';
      const { total, input, output, reasoning, cache } = record(part.tokens);
      const { read, write } = record(cache);
      const totalTokens = total ?? sum(input, output, reasoning, read, write);
      const kinds = {
        inputTokens: input,
        outputTokens: output,
        cacheReadTokens: read,
        cacheWriteTokens: write,
        reasoningTokens: reasoning,
      };
      use(state, { totalTokens, ...kinds }, usedBefore(state));
      state.costUsd = (state.costUsd ?? 0) + number(part.cost);
    }
    if (event.type === 'error') {
      const error = record(event.error);
      state.error = text(record(error.data).message) ?? text(error.name) ?? 'its turn failed';
    }
  },
};

const gemini: CommandForm = {
  commands: [['gemini']],
  arguments: ({ conversation, mode }) => [
    ...['--output-format', 'stream-json'],
    ...(mode === undefined ? [] : ['--approval-mode', mode]),
    ...(conversation === undefined ? [] : ['--resume', conversation]),
  ],
  read(event, state) {
    if (event.type === 'init') state.conversation = text(event.session_id);
    const isSaid = event.type === 'message' && event.role === 'assistant';
    if (isSaid) state.text = (event.delta === true && state.open === true ? state.text : '') + (text(event.content) ?? '');
    state.open = isSaid;
    if (event.type === 'tool_use') {
      state.tool = text(event.tool_name);
      begin(state, event.tool_id, event);
    }
    if (event.type === 'tool_result') state.did = ofGemini(end(state, event.tool_id), event);
    if (event.type !== 'result') return;
    state.isOver = true;
    const { total_tokens, input_tokens, output_tokens, cached, models } = record(event.stats);
    // The rest of the total is thoughts.
    const thoughts = Math.max(0, number(total_tokens) - sum(input_tokens, output_tokens));
    use(state, {
      totalTokens: total_tokens,
      inputTokens: input_tokens,
      outputTokens: output_tokens === undefined ? undefined : number(output_tokens) + thoughts,
      cacheReadTokens: cached,
      reasoningTokens: thoughts,
    });
    const called = Object.keys(record(models));
    if (called.length === 1) state.modelId = called[0];
    if (event.status !== 'success') state.error = text(record(event.error).message) ?? text(event.status) ?? 'its turn failed';
  },
};

export const commandForms: Readonly<Record<ProfileName, CommandForm>> = { codex, claude, opencode, gemini };
