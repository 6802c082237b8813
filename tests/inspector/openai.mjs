// A server that speaks OpenAI's protocol as strictly as the real ones: it knows one key and one model, and refuses messages
// that don't fit together. What it answers delegates two documents, reads them, and quotes what was read.

import { once } from 'node:events';
import { createServer } from 'node:http';

export const KEY = 'sk-of-the-person';
export const MODEL = 'any-model';
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization, content-type' };

export async function openAi() {
  const asked = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, CORS).end();
    let text = '';
    for await (const part of request) text += part;
    const [status, body] = answered(request, text);
    if (status === 200) asked.push(JSON.parse(text));
    return response.writeHead(status, { ...CORS, 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1`, asked, close };
}

const refused = (status, message) => [status, { error: { message, type: 'invalid_request_error' } }];

function answered({ method, url, headers }, text) {
  if (method !== 'POST' || url !== '/v1/chat/completions') return refused(404, `there is no ${method} ${url}`);
  if (headers.authorization !== `Bearer ${KEY}`) return refused(401, `Incorrect API key provided: ${headers.authorization}`);
  const { model, messages, tools = [] } = JSON.parse(text);
  if (model !== MODEL) return refused(404, `The model ${model} does not exist`);
  const called = new Set(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
  const results = messages.filter(({ role }) => role === 'tool');
  if (results.some(({ tool_call_id: id }) => !called.has(id))) return refused(400, 'a tool message answers no call');
  if (called.size !== results.length) return refused(400, 'a call has no answer');
  return [200, completion(step(messages, results, new Set(tools.map(({ function: { name } }) => name))))];
}

/** A text, or calls of tools, as names and arguments. */
function step(messages, results, tools) {
  const task = messages.find(({ role }) => role === 'user').content;
  if (tools.has('SubAgent')) {
    if (results.length === 0) return [['list', {}]];
    const names = ['crane-rules.md', 'safety.md'];
    if (results.length === 1) return names.map((name) => ['SubAgent', { instructions: `Document: ${name}\nQuestion: ${task}` }]);
    return results
      .slice(1)
      .map(({ content }) => content)
      .join('\n');
  }
  if (results.length === 0) return [['read', { path: /^Document: (.*)$/m.exec(task)?.[1] ?? '' }]];
  return `It says: ${results[0].content}`;
}

function completion(said) {
  const id = () => `call_${Math.random().toString(36).slice(2)}`;
  const calls = ([name, args]) => ({ id: id(), type: 'function', function: { name, arguments: JSON.stringify(args) } });
  const message =
    typeof said === 'string' ? { role: 'assistant', content: said } : { role: 'assistant', content: null, tool_calls: said.map(calls) };
  return {
    id: id(),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: typeof said === 'string' ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 },
  };
}
