// `subagents mcp` over HTTP with clients that speak the protocol as it was before 2026-07-28, each in a session.

import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { does } from '../../support/agents/agents.js';
import { type Served, User } from '../../support/mcp-command.js';

const users: User[] = [];
const servers: Served[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.child.kill('SIGTERM');
    await server.ended;
  }
  for (const { home } of users.splice(0)) rmSync(home, { recursive: true, force: true });
});
const TOKENS = { TOKEN_OF_ME: 'a-token-of-some-length', TOKEN_OF_YOU: 'another-token-of-some-length' };

interface Message {
  id?: number;
  method?: string;
  params?: { message: string };
  result?: { content: { text: string }[]; tools: { name: string }[]; task: { taskId: string }; status: string };
}

/** A client by hand: one session. */
class Client {
  session: string | null = null;
  private count = 0;
  private readonly address: string;
  private readonly token: string;
  /** Answers what the server asks. */
  private readonly elicit: ((params: { message: string }) => object) | undefined;

  constructor(address: string, token: string, elicit?: (params: { message: string }) => object) {
    this.address = address;
    this.token = token;
    this.elicit = elicit;
  }

  async initialize(name: string, protocolVersion = '2025-06-18'): Promise<this> {
    const capabilities = this.elicit ? { elicitation: {} } : {};
    const response = await this.post({
      id: 0,
      method: 'initialize',
      params: { protocolVersion, capabilities, clientInfo: { name, version: '1' } },
    });
    this.session = response.headers.get('mcp-session-id');
    await response.text();
    await this.post({ method: 'notifications/initialized' });
    return this;
  }

  post(message: object, signal?: AbortSignal, method = 'POST'): Promise<Response> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.token}`,
      ...(this.session !== null && { 'mcp-session-id': this.session }),
    };
    const body = method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', ...message }) } : {};
    return fetch(this.address, { method, headers, ...body, ...(signal && { signal }) });
  }

  /** Sends a request; `id` is its id, `result` what comes of it. */
  request(method: string, params: object = {}, signal?: AbortSignal): { id: number; result: Promise<NonNullable<Message['result']>> } {
    this.count += 1;
    const id = this.count;
    return { id, result: this.answered(id, this.post({ id, method, params }, signal)) };
  }

  private async answered(id: number, sent: Promise<Response>): Promise<NonNullable<Message['result']>> {
    let text = '';
    for await (const chunk of ((await sent).body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const message = JSON.parse(/^data: (\{.*)$/.exec(line)?.[1] ?? '{}') as Message;
        if (message.id === id && message.result) return message.result;
        if (message.method === 'elicitation/create' && message.params)
          await this.post({ id: message.id, result: this.elicit?.(message.params) });
      }
    }
    throw new Error(`no answer: ${text}`);
  }

  async call(name: string, args: object = {}): Promise<string> {
    return (await this.request('tools/call', { name, arguments: args }).result).content.map(({ text }) => text).join('');
  }
}

/** Starts a server; gives its clients. */
async function opened(agent: object = {}) {
  const one = new User();
  users.push(one);
  const http = { port: 0, tokens: { me: 'TOKEN_OF_ME', you: 'TOKEN_OF_YOU' } };
  const server = one.serve(one.configured({ agents: { fake: { ...one.fake, ...agent } }, http }), TOKENS);
  servers.push(server);
  const [, address = ''] = await server.says(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
  const client = (token: string = TOKENS.TOKEN_OF_ME, elicit?: (params: { message: string }) => object): Client =>
    new Client(address, token, elicit);
  return { one, client };
}

describe.skipIf(process.platform === 'win32')('a client over HTTP', { timeout: 60_000 }, () => {
  test('is known by its name for the whole session, and a session is its own user’s alone', async () => {
    const { client } = await opened();
    const codex = await client().initialize('codex-mcp-client');
    expect((await codex.request('tools/list').result).tools.map(({ name }) => name)).toContain('spawn_subagent');
    const other = await client().initialize('some client');
    expect((await other.request('tools/list').result).tools.map(({ name }) => name)).toContain('spawn_agent');
    const stranger = client(TOKENS.TOKEN_OF_YOU);
    stranger.session = codex.session;
    expect((await stranger.post({ id: 1, method: 'tools/list' })).status).toBe(404);
    expect((await codex.post({}, undefined, 'DELETE')).status).toBe(200);
    expect((await codex.post({ id: 9, method: 'tools/list' })).status).toBe(404);
  });

  test('of which there are too many loses its session, the one that was silent longest first', async () => {
    const { client } = await opened();
    const [silent, speaks] = [await client().initialize('test'), await client().initialize('test')];
    for (let more = 0; more < 199; more += 1) {
      await client().initialize('test');
      if (more === 0) await speaks.request('tools/list').result;
    }
    expect((await silent.post({ id: 1, method: 'tools/list' })).status).toBe(404);
    expect((await speaks.request('tools/list').result).tools.length).toBeGreaterThan(5);
  });

  test('keeps its session and its call, however many others come, of its user or of another', async () => {
    const { client } = await opened();
    const me = await client().initialize('test');
    const calling = me.request('tools/call', {
      name: 'spawn_agent',
      arguments: { instructions: does({ say: 'begun' }, { untilCancelled: true }) },
    });
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    calling.result.then(end, end);
    while (!/running/.test(await me.call('list_agents')));
    for (const token of [TOKENS.TOKEN_OF_YOU, TOKENS.TOKEN_OF_ME])
      for (let more = 0; more < 201; more += 1) await client(token).initialize('test');
    expect(isOver).toBe(false);
    expect(await me.call('list_agents')).toMatch(/running/);
    await me.post({ method: 'notifications/cancelled', params: { requestId: calling.id } });
  });

  test('cancels a call, and the sub-agent that it waits for', async () => {
    const { client } = await opened();
    const me = await client().initialize('test');
    const calling = me.request('tools/call', {
      name: 'spawn_agent',
      arguments: { instructions: does({ say: 'begun' }, { untilCancelled: true }) },
    });
    calling.result.catch(() => undefined);
    while (!/running/.test(await me.call('list_agents')));
    await me.post({ method: 'notifications/cancelled', params: { requestId: calling.id } });
    expect(await me.call('wait_agents')).toContain('cancelled');
  });

  test('that goes away ends the call that it waits for', async () => {
    const { client } = await opened();
    const me = await client().initialize('test');
    const gone = new AbortController();
    const asked = { name: 'spawn_agent', arguments: { instructions: does({ say: 'begun' }, { untilCancelled: true }) } };
    me.request('tools/call', asked, gone.signal).result.catch(() => undefined);
    while (!/running/.test(await me.call('list_agents')));
    gone.abort();
    expect(await me.call('wait_agents')).toContain('cancelled');
  });

  test('is asked what a sub-agent asks, in a call and in the result of a task', async () => {
    const asked: string[] = [];
    const elicit = ({ message }: { message: string }): object => {
      asked.push(message);
      return { action: 'accept', content: { answer: 'allow' } };
    };
    const { client } = await opened({ permission: 'ask' });
    const me = await client(TOKENS.TOKEN_OF_ME, elicit).initialize('test', '2025-11-25');
    const instructions = does({ ask: 'rm -rf /', kind: 'delete' }, { say: 'went on' });
    expect(await me.call('spawn_agent', { instructions })).toContain('went on');
    const { task } = await me.request('tools/call', { name: 'spawn_agent', arguments: { instructions }, task: {} }).result;
    expect(JSON.stringify(await me.request('tasks/result', { taskId: task.taskId }).result)).toContain('went on');
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('rm -rf /');
    expect(await me.call('wait_agents')).toContain('None of your sub-agents');
  });

  test('that goes, or gives up, while it waits for the result of a task gets it later', async () => {
    const { one, client } = await opened();
    const me = await client().initialize('test', '2025-11-25');
    const started = async (): Promise<string> => {
      const asked = { name: 'spawn_agent', arguments: { instructions: does({ waits: true, say: 'of a task' }) }, task: {} };
      return (await me.request('tools/call', asked).result).task.taskId;
    };
    const [first, second] = [await started(), await started()];
    const gone = new AbortController();
    const waits = me.request('tasks/result', { taskId: first }, gone.signal);
    const cancelled = me.request('tasks/result', { taskId: second });
    for (const { result } of [waits, cancelled]) result.catch(() => undefined);
    // Both have arrived once a later request is answered.
    await me.call('list_agents');
    gone.abort();
    await me.post({ method: 'notifications/cancelled', params: { requestId: cancelled.id } });
    await me.call('list_agents');
    one.go();
    while ((await me.request('tasks/get', { taskId: first }).result).status === 'working');
    while ((await me.request('tasks/get', { taskId: second }).result).status === 'working');
    expect((await me.call('wait_agents')).match(/of a task/g)).toHaveLength(2);
  });
});
