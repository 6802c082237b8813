// A scripted model on loopback, by four APIs: OpenAI's responses, which Codex speaks, chat completions, which opencode speaks,
// Anthropic's messages, which Claude Code speaks, and Google's contents, which Gemini CLI speaks.
// The last prompt with `SCRIPT:[…]`, or `PLAY:name` of a script that is known here, says what each call of the model answers:
// `{ text, slowMs }`, or `{ tool, args }`. A tool is found by its name, or by the end of that; `ID0` in arguments is the first id of a sub-agent
// that a tool returned, `ID1` the second.

import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkApart } from './network.mjs';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What was said, from either API: { who, text }. */
const talkOf = {
  responses: ({ input }) =>
    input.map(({ type, role, content, output }) => {
      if (/_call_output$/.test(type ?? '')) return { who: 'tool', text: JSON.stringify(output) };
      if (/_call$/.test(type ?? '') || role === 'assistant') return { who: 'model', text: '' };
      return { who: role, text: textOf(content) };
    }),
  messages: ({ messages }) =>
    messages.map(({ role, content }) => {
      const result = Array.isArray(content) && content.find(({ type }) => type === 'tool_result');
      if (result) return { who: 'tool', text: textOf(result.content) };
      return { who: role === 'assistant' ? 'model' : role, text: textOf(content) };
    }),
  contents: ({ contents }) =>
    contents.map(({ role, parts }) => {
      const results = parts.filter(({ functionResponse }) => functionResponse !== undefined);
      if (results.length > 0) return { who: 'tool', text: JSON.stringify(results) };
      return { who: role, text: textOf(parts) };
    }),
  chat: ({ messages }) => messages.map(({ role, content }) => ({ who: role === 'assistant' ? 'model' : role, text: textOf(content) })),
};
const textOf = (content) => (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n'));

/** The tools that the model is offered, from either API: { name, namespace }. */
const toolsOf = {
  responses: ({ tools = [] }) =>
    tools.flatMap((tool) =>
      tool.type === 'namespace' ? tool.tools.map(({ name }) => ({ name, namespace: tool.name })) : [{ name: tool.name }],
    ),
  messages: ({ tools = [] }) => tools,
  contents: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
  chat: ({ tools = [] }) => tools.map((tool) => ({ name: tool.function.name })),
};

/** The script that a prompt names. */
function scriptOf(text, plays) {
  const [, play] = /PLAY:(\w+)/.exec(text) ?? [];
  if (play !== undefined) return plays[play];
  const line = text.slice(text.lastIndexOf('SCRIPT:') + 7).split('\n')[0];
  return JSON.parse(line.slice(0, line.lastIndexOf(']') + 1));
}

/** The step of the script that this call of the model is. */
function stepOf(talk, plays, received) {
  const at = talk.findLastIndex(({ who, text }) => who === 'user' && /SCRIPT:\[|PLAY:\w/.test(text));
  if (at < 0) return { text: 'ok' };
  const script = scriptOf(talk[at].text, plays);
  const after = talk.slice(at + 1);
  const turns = after.filter(({ who }, index) => who === 'model' && after[index - 1]?.who !== 'model').length;
  const seen = after.filter(({ who }) => who === 'tool').map(({ text }) => text);
  received.push(...seen.slice(-1));
  const step = script[Math.min(turns, script.length - 1)];
  const ids = [...new Set(seen.join(' ').match(/sub_[0-9a-f]{32}/g))];
  const args = step.args && JSON.parse(JSON.stringify(step.args).replaceAll(/ID(\d)/g, (_, id) => ids[Number(id)] ?? 'none'));
  return { ...step, args, text: step.text?.replace('SEEN', /[a-z]+-[0-9]+/.exec(seen.join(' '))?.[0] ?? 'nothing') };
}

/**
 * Starts it; resolves to its address, what it got from tools, and the function that ends it.
 *
 * @param plays scripts by name
 * @param isApart whether it is reached in a network that has loopback alone, where the user may make one
 */
export async function startModel(plays = {}, isApart = false) {
  let calls = 0;
  const received = [];
  const played = [];
  const answer = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const [path] = request.url.split('?');
    const kind = /:(?:streamG|g)enerateContent$/.test(path) ? 'contents' : /\/(responses|messages|chat)(?:\/completions)?$/.exec(path)?.[1];
    const whole = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.method !== 'POST' || kind === undefined) {
      const isKnown = request.url.endsWith('/models') || path.endsWith(':countTokens');
      whole(isKnown ? 200 : 404, { object: 'list', data: [], models: [], totalTokens: 90 });
      return;
    }
    calls += 1;
    const asked = JSON.parse(body);
    const talk = talkOf[kind](asked);
    played.push(/PLAY:(\w+)/.exec(talk.findLast(({ who, text }) => who === 'user' && /PLAY:\w/.test(text))?.text ?? '')?.[1]);
    const { text = '', slowMs = 0, tool: wanted, args } = stepOf(talk, plays, received);
    if (!asked.stream && kind === 'chat') {
      const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 };
      whole(200, { id: 'x', object: 'chat.completion', created: 1, model: asked.model, choices, usage });
      return;
    }
    if (!asked.stream && kind === 'messages') {
      const usage = { input_tokens: 90, output_tokens: 10 };
      const content = [{ type: 'text', text }];
      whole(200, { id: 'x', type: 'message', role: 'assistant', model: asked.model, content, stop_reason: 'end_turn', usage });
      return;
    }
    const content = (parts, end) => ({ candidates: [{ index: 0, content: { role: 'model', parts }, ...end }] });
    const usageMetadata = { promptTokenCount: 90, candidatesTokenCount: 10, totalTokenCount: 100 };
    if (kind === 'contents' && !path.includes('stream')) {
      whole(200, { ...content([{ text }], { finishReason: 'STOP' }), usageMetadata });
      return;
    }
    const offered = toolsOf[kind](asked);
    const found = wanted && (offered.find(({ name }) => name === wanted) ?? offered.find(({ name }) => name?.endsWith(wanted)));
    const tool = found?.name ?? wanted;
    const namespace = found?.namespace && { namespace: found.namespace };
    let isGone = false;
    response.on('close', () => {
      isGone = true;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (data, event) => response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
    const pieces = async (give) => {
      if (text !== '') give(text);
      for (let at = 0; at < slowMs && !isGone; at += 100) {
        await sleep(100);
        give('.');
      }
    };
    const id = `x${calls}`;
    const given = JSON.stringify(args ?? {});
    if (kind === 'chat') {
      const base = { id, object: 'chat.completion.chunk', created: 1, model: 'scripted' };
      const choice = (delta, finish_reason = null) => send({ ...base, choices: [{ index: 0, delta, finish_reason }] });
      choice({ role: 'assistant', content: '' });
      await pieces((content) => choice({ content }));
      if (tool) choice({ tool_calls: [{ index: 0, id, type: 'function', function: { name: tool, arguments: given } }] });
      choice({}, tool ? 'tool_calls' : 'stop');
      send({ ...base, choices: [], usage: { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 } });
      response.end('data: [DONE]\n\n');
      return;
    }
    if (kind === 'contents') {
      await pieces((text) => send(content([{ text }])));
      const parts = tool ? [{ functionCall: { name: tool, args: args ?? {} } }] : [{ text: '' }];
      send({ ...content(parts, { finishReason: 'STOP' }), usageMetadata });
      response.end();
      return;
    }
    const event = (type, more) => send({ type, ...more }, type);
    if (kind === 'messages') {
      const usage = { input_tokens: 90, output_tokens: 1 };
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: asked.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      };
      event('message_start', { message });
      const block = (index, content_block, delta) => {
        event('content_block_start', { index, content_block });
        return delta ? event('content_block_delta', { index, delta }) : undefined;
      };
      const close = (index) => event('content_block_stop', { index });
      block(0, { type: 'text', text: '' });
      await pieces((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }));
      close(0);
      if (tool) {
        block(1, { type: 'tool_use', id: `call_${id}`, name: tool, input: {} }, { type: 'input_json_delta', partial_json: given });
        close(1);
      }
      event('message_delta', { delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } });
      event('message_stop');
      response.end();
      return;
    }
    const head = { id, object: 'response', created_at: 1, model: 'scripted', output: [] };
    event('response.created', { response: { ...head, status: 'in_progress' } });
    let all = '';
    if (text !== '')
      event('response.output_item.added', { output_index: 0, item: { type: 'message', id, role: 'assistant', content: [] } });
    await pieces((delta) => {
      all += delta;
      event('response.output_text.delta', { item_id: id, output_index: 0, content_index: 0, delta });
    });
    const message = {
      type: 'message',
      id,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: all, annotations: [] }],
    };
    const call = { type: 'function_call', id, call_id: `call-${id}`, name: tool, ...namespace, arguments: given, status: 'completed' };
    for (const [output_index, item] of [...(all ? [message] : []), ...(tool ? [call] : [])].entries()) {
      event('response.output_item.done', { output_index, item });
    }
    const usage = { input_tokens: 90, output_tokens: 10, total_tokens: 100 };
    event('response.completed', { response: { ...head, status: 'completed', usage } });
    response.end();
  };
  const server = createServer(answer);
  const socket = join(tmpdir(), `model-${process.pid}.sock`);
  const apart = isApart ? await networkApart(socket) : undefined;
  await new Promise((resolve) => (apart ? server.listen(socket, resolve) : server.listen(0, '127.0.0.1', resolve)));
  return {
    /** What stands before a command that is to reach it. */
    within: apart?.within ?? [],
    heard: received,
    /** The names of the plays that it was asked for, call by call. */
    played,
    address: `http://127.0.0.1:${apart?.port ?? server.address().port}/v1`,
    end: () => {
      server.closeAllConnections();
      server.close();
      apart?.end();
    },
  };
}
