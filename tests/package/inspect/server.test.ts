// The inspector's server: who may ask, what it answers, and that a reader who is slow or rude costs the manager nothing.

import { once } from 'node:events';
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';
import { type InspectorServer, type ServeOptions, serveInspector } from '../../../dist/inspector-server.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { type InspectorBatch, View } from '../../../dist/view/index.js';
import { Intake } from '../../../inspector/src/intake.js';

const open: { server: InspectorServer; manager: SubAgentManager }[] = [];

afterEach(async () => {
  for (const { server, manager } of open.splice(0)) {
    await server.close();
    manager.dispose();
  }
});

async function serving(options: ServeOptions = {}): Promise<{ server: InspectorServer; manager: SubAgentManager }> {
  const manager: SubAgentManager = new SubAgentManager({
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'wait') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      return { output: 'x'.repeat(200), usage: { tokens: 10 } };
    },
  });
  const made = { server: await serveInspector(manager, options), manager };
  open.push(made);
  return made;
}

interface Answer {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

/** `fetch` sets the names that this is about by itself. */
function ask({ server }: { server: InspectorServer }, path: string, options: RequestOptions & { body?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { headers, body, ...others } = options;
    const asked = request({
      host: '127.0.0.1',
      port: server.port,
      path,
      ...others,
      headers: { authorization: `Bearer ${server.token}`, ...headers },
    });
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const call = (made: { server: InspectorServer }, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(made, '/api/call', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Batches from a number on, until `isEnough`. */
async function batches(made: { server: InspectorServer }, from: number, isEnough: (view: View) => boolean): Promise<View> {
  const view = new View();
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${made.server.port}/api/events?from=${from}`, {
    headers: { authorization: `Bearer ${made.server.token}` },
    signal: stop.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = '';
  while (!isEnough(view)) {
    const { done, value } = await reader.read();
    if (done) break;
    const messages = (text + value).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages.filter((each) => each.startsWith('event: batch'))) {
      const batch = JSON.parse(message.slice(message.indexOf('data: ') + 6)) as InspectorBatch;
      if (batch.base !== undefined) view.begin(batch.base);
      view.add(batch.events);
      if (batch.refusals !== undefined) view.refuse(batch.refusals);
    }
  }
  stop.abort();
  return view;
}

test('a wrong token, none, a foreign host, a foreign origin and a foreign site are refused', async () => {
  const made = await serving({ allow: true });
  const { port } = made.server;
  const status = async (headers: Record<string, string>): Promise<number> => (await ask(made, '/api/info', { headers })).status;
  expect(await status({})).toBe(200);
  expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await status({ authorization: `Bearer ${'x'.repeat(made.server.token.length)}` })).toBe(401);
  expect(await status({ authorization: '' })).toBe(401);
  const bare = await fetch(`${made.server.url.split('#')[0]}api/info`);
  expect([bare.status, await bare.text()]).toEqual([
    401,
    expect.stringContaining('this server wants its token: Authorization: Bearer TOKEN'),
  ]);
  // A name of the attacker's that leads here: DNS rebinding.
  expect(await status({ host: `evil.example:${port}` })).toBe(403);
  expect(await status({ host: `127.0.0.1:${port + 1}` })).toBe(403);
  expect(await status({ host: `localhost:${port}` })).toBe(200);
  expect(await status({ origin: 'http://evil.example' })).toBe(403);
  expect(await status({ origin: 'null' })).toBe(403);
  expect(await status({ origin: `https://127.0.0.1:${port}` })).toBe(403);
  expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(200);
  expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect((await ask(made, '/', { headers: { host: 'evil.example', authorization: '' } })).status).toBe(403);
  expect((await call(made, { version: 1, call: 'spawn', args: [{ instructions: 'x' }] }, { authorization: 'Bearer no' })).status).toBe(401);
  expect(made.manager.stats().total).toBe(0);
});

test('a page of an origin that is named may ask, with the token; one of this host gets why not, and nothing more', async () => {
  const origin = 'http://localhost:5173';
  const made = await serving({ origins: [origin], allow: true });
  const asked = async (headers: Record<string, string>, options: RequestOptions = {}): Promise<Answer> =>
    ask(made, '/api/info', { ...options, headers: { 'sec-fetch-site': 'cross-site', ...headers } });
  const named = await asked({ origin });
  expect([named.status, named.headers['access-control-allow-origin']]).toEqual([200, origin]);
  expect((await asked({ origin, authorization: '' })).status).toBe(401);
  const preflight = await asked({ origin, authorization: '' }, { method: 'OPTIONS' });
  expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([204, 'authorization, content-type']);
  // Neither reads anything, nor gets as far as sending its token.
  for (const [other, reads] of [
    ['http://localhost:5174', 'http://localhost:5174'],
    ['http://evil.example', undefined],
    ['null', undefined],
    ['http://localhost:5173.evil.example', undefined],
  ] as const) {
    const refused = await asked({ origin: other });
    expect([refused.status, refused.headers['access-control-allow-origin']], other).toEqual([403, reads]);
    expect(refused.body).not.toContain('"last"');
    const flight = await asked({ origin: other }, { method: 'OPTIONS' });
    expect([flight.status, flight.headers['access-control-allow-origin']], other).toEqual([403, undefined]);
  }
  expect((await asked({ origin, host: `evil.example:${made.server.port}` })).status).toBe(403);
  await expect(serveInspector(made.manager, { origins: ['localhost:5173'] })).rejects.toThrow('origins');
  await expect(serveInspector(made.manager, { origins: ['http://localhost:5173/'] })).rejects.toThrow('origins');
});

test('no manager, a port that is none and a port that another has are refused with the way out', async () => {
  const refused = (text: string): object => ({ name: 'SubAgentError', code: 'invalid_argument', message: expect.stringContaining(text) });
  for (const target of [undefined, null, 'manager', {}]) {
    await expect(serveInspector(target as never)).rejects.toMatchObject(refused('`target` must be a manager'));
  }
  const { manager, server } = await serving();
  await expect(serveInspector(manager, { port: 70_000 })).rejects.toMatchObject(
    refused('`port` must be a whole number from 0 to 65,535, got 70000'),
  );
  await expect(serveInspector(manager, { port: server.port })).rejects.toMatchObject({
    ...refused(`port ${server.port} can't be had: it is in use; give another \`port\`, or none`),
    cause: expect.objectContaining({ code: 'EADDRINUSE' }),
  });
});

test('an option that can not be is refused by its name, with what it takes', async () => {
  const { manager } = await serving();
  for (const [options, expected] of [
    [{ approve: 5 }, '`approve` must be a function, got 5'],
    [{ allow: 'kill' }, ', got "kill"'],
    [{ token: 'short' }, '`token` must be a text of at least 16 characters, not of 5'],
    [{ title: 5 }, '`title` must be a string'],
    [{ stallMs: -1 }, '`stallMs` must be milliseconds above 0, or Infinity'],
    [{ stallMs: Number.NaN }, '`stallMs` must be milliseconds above 0, or Infinity'],
    [{ maxEvents: 'x' }, '`maxEvents` must be a whole number of at least 1, or Infinity'],
    [{ maxEvents: 0 }, '`maxEvents` must be a whole number of at least 1, or Infinity'],
    [{ token: 5 }, '`token` must be a text of at least 16 characters'],
    [{ origins: 5 }, '`origins` must be a list'],
  ] as const)
    await expect(serveInspector(manager, options as never), expected).rejects.toMatchObject({
      name: 'SubAgentError',
      code: 'invalid_argument',
      message: expect.stringContaining(expected),
    });
  await serving({ stallMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY, title: '' });
});

test('a body that is too large, no JSON, of another type or no call is refused', async () => {
  const made = await serving({ allow: true });
  expect((await call(made, JSON.stringify({ version: 1, call: 'send', args: ['x', 'x'.repeat(1 << 20)] }))).status).toBe(413);
  expect((await call(made, '{')).status).toBe(400);
  expect((await call(made, 'null')).status).toBe(400);
  expect((await call(made, { version: 1, call: 'dispose', args: [] })).status).toBe(400);
  expect((await call(made, { version: 2, call: 'cancel', args: ['x'] })).status).toBe(400);
  expect((await call(made, { version: 1, call: 'cancel', args: 7 })).status).toBe(400);
  // A form of another site could send these.
  expect((await call(made, { version: 1, call: 'cancel', args: ['x'] }, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await ask(made, '/api/call')).status).toBe(405);
  expect((await ask(made, '/api/info', { method: 'POST' })).status).toBe(405);
  expect((await ask(made, '/api/events?from=-1')).status).toBe(400);
  expect((await ask(made, '/api/nothing')).status).toBe(404);
  expect((await ask(made, '/../package.json')).status).toBe(404);
});

test('it is read-only unless it is allowed, and then what the manager refuses is an answer', async () => {
  const closed = await serving();
  const spawn = { version: 1, call: 'spawn', args: [{ instructions: 'wait', label: 'from outside' }] };
  expect(JSON.parse((await call(closed, spawn)).body)).toMatchObject({ error: { code: 'read_only' } });
  expect(closed.manager.stats().total).toBe(0);
  expect(JSON.parse((await ask(closed, '/api/info')).body)).toMatchObject({ live: true, calls: [] });
  const some = await serving({ allow: ['spawn', 'cancel', 'addBudget', 'send'] });
  const { taskId } = (JSON.parse((await call(some, spawn)).body) as { value: { taskId: string } }).value;
  const of = async (name: string, ...args: unknown[]): Promise<unknown> =>
    JSON.parse((await call(some, { version: 1, call: name, args })).body);
  expect(some.manager.get(taskId)).toMatchObject({ label: 'from outside', status: 'running', background: true });
  expect(await of('close', taskId)).toMatchObject({ error: { code: 'read_only' } });
  expect(await of('send', taskId, 'and then')).toMatchObject({ value: { receipt: 'queued' } });
  expect(await of('cancel', taskId)).not.toHaveProperty('error');
  expect(some.manager.get(taskId).status).toBe('cancelled');
  expect(await of('cancel', 'sub_x')).toMatchObject({ error: { code: 'unknown_task' } });
  expect(await of('cancel', 7)).toMatchObject({ error: { code: 'invalid_argument' } });
});

test('A8 who may make some calls opens no session: the options that the program gives it still count', async () => {
  const some = await serving({ allow: ['spawn', 'addBudget'] });
  const session = 'user:ada';
  const refused = [
    { version: 1, call: 'addBudget', session, args: [{ costUsd: 1 }] },
    { version: 1, call: 'spawn', session, args: [{ instructions: 'x' }] },
  ];
  for (const each of refused) {
    const { error } = JSON.parse((await call(some, each)).body) as { error: { message: string } };
    expect(error).toMatchObject({ code: 'session_not_open' });
    expect(error.message).toContain('manager.session(key, options)');
  }
  expect(some.manager.sessionKeys).toEqual([]);
  const ada = some.manager.session(session, { budget: { costUsd: 1 }, tools: ['read'] });
  expect(some.manager.budget(ada).costUsd.cap).toBe(1);
  expect(JSON.parse((await call(some, refused[0] as object)).body)).not.toHaveProperty('error');
  expect(some.manager.budget(ada).costUsd.cap).toBe(2);
});

test('an approval is true or false: another value reaches no program', async () => {
  const approved: unknown[] = [];
  const some = await serving({ allow: true, approve: (...given) => approved.push(given) });
  const of = async (...args: unknown[]): Promise<unknown> => JSON.parse((await call(some, { version: 1, call: 'approve', args })).body);
  expect(await of('sub_x', 'false')).toMatchObject({ error: { code: 'invalid_argument' } });
  expect(await of(7, true)).toMatchObject({ error: { code: 'invalid_argument' } });
  expect(approved).toEqual([]);
  expect(await of('sub_x', false, 'no')).not.toHaveProperty('error');
  expect(approved).toEqual([['sub_x', false, 'no']]);
});

test('what is allowed has to be a call that there is', async () => {
  const names = 'spawn, send, approve, interrupt, cancel, close, resume, addBudget';
  for (const [allow, got] of [
    [['cancle'], '"cancle"'],
    [['cancel', 1], '1'],
    ['cancel', '"cancel"'],
    [null, 'null'],
    [{}, 'an object'],
  ])
    await expect(serving({ allow: allow as never }), got as string).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `\`allow\` must be true, false, or a list of ${names}, got ${got}`,
    });
  const none = await serving({ allow: [] });
  expect(JSON.parse((await ask(none, '/api/info')).body)).toMatchObject({ calls: [] });
});

test('a reader gets what was, from any event, and what comes, with refusals; one that comes late gets a base', async () => {
  const made = await serving({ maxEvents: 50 });
  const { manager } = made;
  const first = batches(made, 0, (view) => view.now.counts.completed === 3 && view.refusals().length === 1);
  for (const each of [1, 2, 3]) await manager.spawn({ instructions: `work ${each}` }).wait();
  expect(() => manager.spawn({ instructions: 'no', signal: AbortSignal.abort() })).toThrow();
  const view = await first;
  expect(view.first).toBe(1);
  expect(view.last).toBe(manager.stats().events);
  expect(view.refusals()[0]).toMatchObject({ code: 'aborted', label: 'no' });
  const middle = await batches(made, 4, (it) => it.last === manager.stats().events);
  expect(middle.first).toBe(4);
  for (let each = 0; each < 40; each += 1) await manager.spawn({ instructions: `more ${each}` }).wait();
  const late = await batches(made, 0, (it) => it.last === manager.stats().events);
  const { first: beginning } = JSON.parse((await ask(made, '/api/info')).body) as { first: number };
  const all = await batches(made, beginning, (it) => it.last === manager.stats().events);
  expect(all.now.counts.completed).toBe(43);
  expect(late.now.counts.completed).toBe(43);
  expect(late.now.ledger().tokens.spent).toBe(430);
});

test('a reader that connects again gets no refusal twice, and each that it lacks', async () => {
  const made = await serving();
  const { manager } = made;
  const refuse = (label: string): void =>
    expect(() => manager.spawn({ instructions: 'no', label, signal: AbortSignal.abort() })).toThrow() as undefined;
  const labels = (view: View): unknown[] => view.refusals().map(({ label }) => label);
  refuse('one');
  await manager.spawn({ instructions: 'work' }).wait();
  refuse('two');
  const view = await batches(made, 0, (it) => it.refusals().length === 2);
  refuse('three');
  // What the server says again is at most of the last moment.
  const again = await batches(made, view.last + 1, (it) => it.refusals().length === 2);
  expect(labels(again)).toEqual(['two', 'three']);
  const intake = new Intake(view, () => undefined);
  intake.connect(view.last + 1);
  await intake.put({ events: [], refusals: again.refusals() });
  intake.take(true);
  expect(labels(view)).toEqual(['one', 'two', 'three']);
});

test('of a manager that was opened from a store a reader can go back to the opening', async () => {
  const store = memoryStore();
  const first = await SubAgentManager.open({ store, spawnSubAgent: () => new Promise(() => undefined) });
  first.spawn({ instructions: 'lost', background: true });
  await first.flush();
  first.dispose();
  const manager = await SubAgentManager.open({ store, onHostLost: 'fail', spawnSubAgent: async () => ({ output: 'x' }) });
  const opening = manager.stats().events;
  const made = { server: await serveInspector(manager), manager };
  open.push(made);
  await manager.spawn({ instructions: 'new' }).wait();
  const view = await batches(made, 0, (it) => it.last === manager.stats().events);
  expect(view.first).toBe(opening + 1);
  expect(view.at(opening).counts).toMatchObject({ failed: 1, completed: 0 });
  expect(view.now.counts).toMatchObject({ failed: 1, completed: 1 });
});

test('a reader that never reads is dropped, and the manager goes on', async () => {
  const made = await serving({ stallMs: 100 });
  const { manager, server } = made;
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET /api/events?from=0 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
  // More than the buffers of both ends take.
  const text = 'x'.repeat(100_000);
  let ended = false;
  socket.on('close', () => {
    ended = true;
  });
  for (let each = 0; each < 300; each += 1) await manager.spawn({ instructions: text }).wait();
  // What was sent before is still there to be read; then it is over.
  await new Promise((resolve) => setTimeout(resolve, 500));
  socket.resume();
  while (!ended) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(manager.stats().completed).toBe(300);
  expect((await ask(made, '/api/info')).status).toBe(200);
});

test('the page and its scripts need no token, run no other script, and are in no frame', async () => {
  const made = await serving();
  const scripts = ['/page.js', '/inspector.js', '/inspector-stored.js', '/index.js', '/shared.js', '/pkg/host.js', '/pkg/subagents.js'];
  for (const path of ['/', '/page.css', ...scripts]) {
    const { status, headers, body } = await ask(made, path, { headers: { authorization: '' } });
    expect(status, path).toBe(200);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(body).not.toContain(made.server.token);
  }
  expect((await ask(made, '/')).body).toContain('<subagents-inspector');
  await expect(serveInspector(made.manager, { token: 'short' })).rejects.toThrow('16');
});
