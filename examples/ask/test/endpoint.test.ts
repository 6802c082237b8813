// An OpenAI-compatible endpoint on the loopback address: what is sent there, its failures, and Ctrl-C in mid-call.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { hasTerminal, noSignals, run, start, startInTerminal, withFolder } from './cli-process.js';

const FILES = { 'a.md': 'Apples are red.\n', 'b.md': 'Bananas are yellow.\n', 'c.md': 'Cherries are red.\n' };
const LEAD_CALLS = Object.keys(FILES).map((name) => ({
  name: 'SubAgent',
  args: { instructions: `Document: ${name}\nQuestion: What is red?` },
}));

interface Message {
  role: string;
  content?: string | null;
  tool_calls?: unknown[];
  tool_call_id?: string;
}
interface Body {
  model: string;
  messages: Message[];
  tools: { type: string; function: { name: string; parameters: { type: string } } }[];
}
type Reply =
  | { text: string; finish?: string; usage?: object }
  | { calls: { name: string; args: object }[] }
  | { status: number; message: string }
  | 'never';

interface Seen {
  readonly authorization: string | undefined;
  readonly url: string | undefined;
  readonly body: Body;
  /** Resolves when the caller has gone away before an answer. */
  readonly left: Promise<void>;
}

async function withEndpoint(reply: (body: Body) => Reply, work: (url: string, seen: Seen[]) => Promise<void>): Promise<void> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const left = new Promise<void>((resolve) => response.once('close', () => resolve()));
      seen.push({ authorization: request.headers.authorization, url: request.url, body, left });
      send(response, body, reply(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function readBody(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as Body;
}

function send(response: ServerResponse, body: Body, reply: Reply): void {
  if (reply === 'never') return;
  response.setHeader('content-type', 'application/json');
  if ('status' in reply) {
    response.statusCode = reply.status;
    response.end(JSON.stringify({ error: { message: reply.message, type: 'invalid_request_error' } }));
    return;
  }
  const calls = 'calls' in reply ? reply.calls : [];
  const message = {
    role: 'assistant',
    content: 'text' in reply ? reply.text : null,
    ...(calls.length > 0
      ? {
          tool_calls: calls.map((call, at) => ({
            id: `call_${body.messages.length}_${at}`,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.args) },
          })),
        }
      : {}),
  };
  response.end(
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : ('finish' in reply && reply.finish) || 'stop' }],
      usage: ('usage' in reply && reply.usage) || { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    }),
  );
}

/** What a capable model would do: list, delegate, answer; a sub-agent answers at once with `found`. */
function capable(found: (document: string) => Reply): (body: Body) => Reply {
  return (body) => {
    const document = /^Document: (.+)$/mu.exec(String(body.messages.find((each) => each.role === 'user')?.content))?.[1];
    if (document !== undefined) return found(document);
    const results = body.messages.filter((each) => each.role === 'tool').length;
    if (results === 0) return { calls: [{ name: 'list', args: {} }] };
    return results === 1 ? { calls: LEAD_CALLS } : { text: 'Apples (a.md:1) and cherries (c.md:1) are red; see z.md:9.' };
  };
}

test('--base-url and --model send OpenAI-shaped requests with the key from the environment', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      capable((document) => ({ text: document === 'b.md' ? 'No evidence in b.md.' : `It is red (${document}:1).` })),
      async (url, seen) => {
        const { code, stdout, stderr } = await run(
          ['--question', 'What is red?', '--base-url', url, '--model', 'test-model', '--api-key-env', 'ASK_KEY', '--json', folder],
          { ASK_KEY: 'secret-key' },
        );
        assert.equal(code, 0, stderr);
        const json = JSON.parse(stdout) as { answer: string; sources: unknown; statistics: { tokens: object } };
        assert.equal(json.answer, 'Apples (a.md:1) and cherries (c.md:1) are red; see z.md:9.');
        // Only what really is a line of a document is a source.
        assert.deepEqual(json.sources, [
          { document: 'a.md', line: 1, text: 'Apples are red.' },
          { document: 'c.md', line: 1, text: 'Cherries are red.' },
        ]);
        assert.deepEqual(json.statistics.tokens, { lead: 330, subAgents: 330, budget: 200_000 });
        assert.doesNotMatch(stdout + stderr, /secret-key/u);

        assert.equal(seen.length, 6);
        for (const each of seen) {
          assert.equal(each.url, '/v1/chat/completions');
          assert.equal(each.authorization, 'Bearer secret-key');
          assert.equal(each.body.model, 'test-model');
          assert.equal(each.body.messages[0]?.role, 'system');
        }
        const toolNames = (body: Body | undefined) => body?.tools.map((each) => each.function.name).sort();
        assert.deepEqual(toolNames(seen[0]?.body), ['SubAgent', 'list', 'read', 'search']);
        assert.deepEqual(toolNames(seen[2]?.body), ['list', 'read', 'search']);
        const subAgentTool = seen[0]?.body.tools.find((each) => each.function.name === 'SubAgent');
        assert.equal(subAgentTool?.function.parameters.type, 'object');
        const last =
          seen
            .at(-1)
            ?.body.messages.filter((each) => each.role === 'tool')
            .map((each) => each.content ?? '') ?? [];
        assert.equal(last.length, 4);
        assert.match(last[1] ?? '', /It is red \(a\.md:1\)/u);
        // A sub-agent gets its instructions and nothing of the lead's conversation.
        assert.deepEqual(
          seen[2]?.body.messages.map((each) => each.role),
          ['system', 'user'],
        );
      },
    ),
  ));

test('what a sub-agent has found and the lead leaves out is named', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      capable((document) => ({ text: document === 'c.md' ? 'No evidence in c.md.' : `It is red (${document}:1).` })),
      async (url) => {
        const { code, stdout } = await run(['--question', 'What is red?', '--base-url', url, '--model', 'm', folder]);
        assert.equal(code, 0);
        assert.match(stdout, /^Apples \(a\.md:1\) .*\n\nFound as well, and not named above: b\.md:1\.\n/mu);
      },
    ),
  ));

test('an endpoint that refuses is a clear message and exit code 1', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      () => ({ status: 401, message: 'wrong key' }),
      async (url) => {
        const { code, stdout } = await run(['--base-url', url, '--model', 'm', '--question', 'Q?', folder]);
        assert.equal(code, 1);
        assert.match(stdout, /Failed \(127\.0\.0\.1:\d+ \(HTTP 401\): wrong key\)/u);
      },
    ),
  ));

test('an endpoint that repeats the key, on many lines, has it printed nowhere', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      () => ({ status: 401, message: `wrong key:\n  Bearer secret-key\n${'x'.repeat(10_000)}` }),
      async (url) => {
        const args = ['--base-url', url, '--model', 'm', '--api-key-env', 'ASK_KEY', '--question', 'Q?', folder];
        const { code, stdout, stderr } = await run(args, { ASK_KEY: 'secret-key' });
        assert.equal(code, 1);
        assert.match(stdout, /^Failed \(127\.0\.0\.1:\d+ \(HTTP 401\): wrong key: Bearer \(key\) x+…\)$/mu);
        assert.doesNotMatch(stdout + stderr, /secret-key|x{1000}/u);
      },
    ),
  ));

test('keys and addresses that no request can carry are wrong usage, and are not repeated', () =>
  withFolder(FILES, async (folder) => {
    const cases: [string[], string, RegExp][] = [
      [['--base-url', 'http://127.0.0.1:9/v1', '--api-key-env', 'ASK_KEY'], 'secret\nkey', /^the key in ASK_KEY has blanks or/u],
      [['--base-url', 'http://127.0.0.1:9/v1', '--api-key-env', 'ASK_KEY'], '“secret-key”', /^the key in ASK_KEY has blanks or/u],
      [['--base-url', 'http://127.0.0.1:9/v1', '--api-key-env', 'secret-key'], '', /^--api-key-env takes the name/u],
      [['--base-url', 'http://me:secret-key@127.0.0.1:9/v1'], '', /^--base-url may hold no user and password/u],
    ];
    for (const [args, key, message] of cases) {
      const { code, stdout, stderr } = await run([...args, '--model', 'm', '--question', 'Q?', folder], { ASK_KEY: key });
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
      assert.doesNotMatch(stdout + stderr, /secret/u);
    }
  }));

test('https where only http is spoken says so', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      () => 'never',
      async (url) => {
        const { code, stdout } = await run(['--base-url', url.replace('http:', 'https:'), '--model', 'm', '--question', 'Q?', folder]);
        assert.equal(code, 1);
        assert.match(stdout, /^Failed \((127\.0\.0\.1:\d+): it does not speak https; is its address http:\/\/\1\? /mu);
      },
    ),
  ));

test('a delegation that is refused says why, and the answer is partial', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      (body) => {
        const results = body.messages.filter((each) => each.role === 'tool').length;
        if (results === 0) return { calls: [{ name: 'SubAgent', args: { instructions: 'Document: b.md', tools: ['shell'] } }] };
        return { text: 'Bananas are yellow (b.md:1).' };
      },
      async (url) => {
        const args = ['--question', 'What is yellow?', '--base-url', url, '--model', 'm', folder];
        const { code, stdout } = await run(args);
        assert.equal(code, 4);
        assert.match(stdout, /^ +\d+\.\d s {2}b\.md +refused: .*shell/mu);
        assert.match(stdout, /^Refused\n {2}b\.md: .*shell/mu);
        assert.match(stdout, /lead +completed, 2 turns, 220 tokens,/u);
        const { stdout: json } = await run([...args, '--json']);
        assert.match((JSON.parse(json) as { refused: { name: string; why: string }[] }).refused[0]?.why ?? '', /shell/u);
        if (!hasTerminal()) return;
        const { stdout: seen } = await startInTerminal(args).ended;
        assert.match(seen.replace(/\x1b\[[0-9;?]*[a-zA-Z]|\r/gu, ''), /\n└ ✘ b\.md {2,}refused: none of the requested/u);
      },
    ),
  ));

test('a sub-agent that fails makes the answer partial', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      capable((document) => (document === 'b.md' ? { status: 400, message: 'too long' } : { text: `Red (${document}:1).` })),
      async (url) => {
        const { code, stdout } = await run(['--question', 'What is red?', '--base-url', url, '--model', 'm', folder]);
        assert.equal(code, 4);
        assert.match(stdout, /b\.md +failed, .*too long/u);
        assert.match(stdout, /Apples \(a\.md:1\)/u);
      },
    ),
  ));

test('an answer at the limit of its length is partial, none at all says why', () =>
  withFolder(FILES, async (folder) => {
    const cases: [Reply, RegExp][] = [
      [
        { text: 'Apples and', finish: 'length' },
        /^Partial answer: .* \(the model's last turn was cut at a limit of tokens \(length\)\)\n\nApples and\n/mu,
      ],
      [
        { text: 'Apples are', finish: 'content_filter' },
        /^Partial answer: .* \(the provider held back the model's last turn \(content_filter\)\)\n/mu,
      ],
      [
        { text: 'Apples are', finish: 'error' },
        /^Partial answer: .* \(the provider ended the model's last turn with an error \(error\)\)\n/mu,
      ],
      [
        { text: '', finish: 'content_filter' },
        /^Partial answer: .* \(the provider held back the model's last turn \(content_filter\)\)\n/mu,
      ],
    ];
    for (const [reply, said] of cases) {
      await withEndpoint(
        () => reply,
        async (url) => {
          const { code, stdout } = await run(['--base-url', url, '--model', 'm', '--question', 'Q?', folder]);
          assert.equal(code, 4);
          assert.match(stdout, said);
        },
      );
    }
  }));

test('an endpoint that counts what cannot be is estimated', () =>
  withFolder(FILES, (folder) =>
    withEndpoint(
      (body) => {
        const reply = capable((document) => ({ text: `Red (${document}:1).` }))(body);
        return Object.assign(reply, { usage: { prompt_tokens: -90_000.5, completion_tokens: 1, total_tokens: 0 } });
      },
      async (url) => {
        const { code, stdout } = await run(['--base-url', url, '--model', 'm', '--json', '--question', 'Q?', folder]);
        assert.equal(code, 0, stdout);
        const { tokens } = (JSON.parse(stdout) as { statistics: { tokens: { lead: number; subAgents: number } } }).statistics;
        assert.ok(tokens.lead > 1_000 && tokens.subAgents > 300, JSON.stringify(tokens));
      },
    ),
  ));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} cancels the tree, keeps what was done and exits with 130`, { skip: noSignals }, () =>
    withFolder(FILES, (folder) =>
      withEndpoint(
        capable((document) => (document === 'a.md' ? { text: '- "Apples are red." (a.md:1)' } : 'never')),
        async (url, seen) => {
          const running = start(['--question', 'What is red?', '--base-url', url, '--model', 'm', folder]);
          await running.seen('a.md                           completed');
          while (seen.length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
          running.child.kill(signal);
          const { code, stdout } = await running.ended;
          assert.equal(code, 130);
          assert.match(stdout, /Cancelled; this was done before/u);
          assert.match(stdout, /- "Apples are red\." \(a\.md:1\)/u);
          assert.match(stdout, /1 of 3 sub-agents finished\./u);
          assert.match(stdout, /Not finished: b\.md \(cancelled\), c\.md \(cancelled\)\./u);
          // The calls in flight were given up, not only forgotten.
          await Promise.all(seen.map((each) => each.left));
        },
      ),
    ),
  );
}
