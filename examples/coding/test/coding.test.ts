// The command line end to end: the built-in model, a person in a terminal, an endpoint on the loopback address, signals.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Workspace } from '../dist/workspace.js';
import { hasTerminal, noSignals, start, startInTerminal } from './process.js';

const REPOSITORY = fileURLToPath(new URL('../repository', import.meta.url));

function copyIn(stdout: string): string {
  return /^.*: (\/\S+)\s*$/mu.exec(stdout)?.[1] ?? assert.fail(stdout);
}

test('it renames, asks, deletes with leave, cancels the watcher, and the tests pass', async () => {
  const before = readFileSync(path.join(REPOSITORY, 'src/price.js'), 'utf8');
  const { code, stdout } = await start(['--approve', 'yes', '--keep']).ended;
  const copy = copyIn(stdout);
  try {
    assert.equal(code, 0, stdout);
    assert.equal(existsSync(path.join(copy, 'src/old-price.js')), false);
    assert.match(readFileSync(path.join(copy, 'src/price.js'), 'utf8'), /import \{ area \}[\s\S]*let total = 0;/u);
    assert.match(stdout, /rename tot +ask_parent "Which name shall `tot` have/u);
    assert.match(stdout, /lead +send_message "rename tot" "total"/u);
    assert.match(stdout, /lead +cancel_agent "watch the tests"/u);
    assert.match(stdout, /^ {2}watch the tests +cancelled /mu);
    assert.match(
      stdout,
      /\n- rename tot: src\/price\.js: 3 replaced\. test\/price\.test\.js: 2 replaced\.\n- delete .* is deleted\.\nAll tests pass\.\n$/u,
    );
    assert.equal(readFileSync(path.join(REPOSITORY, 'src/price.js'), 'utf8'), before);
    assert.ok(existsSync(path.join(REPOSITORY, 'src/old-price.js')));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test('without a terminal nothing is approved: the file stays, and the answer says so', async () => {
  const { code, stdout } = await start([]).ended;
  assert.equal(code, 0);
  assert.match(stdout, /^May a sub-agent delete src\/old-price\.js\? no \(--approve\)$/mu);
  assert.match(stdout, /^- delete src\/old-price\.js: Refused: the user said no$/mu);
  assert.doesNotMatch(stdout, /old-price\.js: deleted/u);
  assert.equal(existsSync(copyIn(stdout)), false, 'the copy is removed');
});

for (const [typed, result] of [
  ['y', 'src/old-price.js is deleted.'],
  ['n', 'Refused: the user said no'],
] as const) {
  test(`a person in a terminal is asked, and says ${typed}`, { skip: hasTerminal() ? false : 'needs util-linux script' }, async () => {
    const running = startInTerminal(['--pace', '1']);
    await running.seen('[y/N]');
    running.child.stdin?.write(`${typed}\r`);
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.ok(stdout.includes(`- delete src/old-price.js: ${result}`), stdout);
  });
}

test('Ctrl-C at the question cancels all', { skip: hasTerminal() ? false : 'needs util-linux script' }, async () => {
  const running = startInTerminal(['--pace', '1']);
  await running.seen('[y/N]');
  running.child.stdin?.write('\x03');
  const { code, stdout } = await running.ended;
  assert.equal(code, 130);
  assert.match(stdout, /delete src\/old-price\.js +cancelled/u);
  assert.equal(existsSync(copyIn(stdout)), false);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} cancels all, shows what was done and removes the copy`, { skip: noSignals }, async () => {
    const running = start(['--pace', '400']);
    await running.seen('rename calculateArea     started');
    running.child.kill(signal);
    const { code, stdout } = await running.ended;
    assert.equal(code, 130);
    assert.match(stdout, /^ {2}rename calculateArea +cancelled/mu);
    assert.match(stdout, /\nStopped before it was done\.\n$/u);
    assert.equal(existsSync(copyIn(stdout)), false);
  });
}

// Where its sub-agents have just been asked for, where a question was answered, and where a task has ended.
for (const moment of [
  'watch the tests          started',
  'lead                     send_message',
  'rename calculateArea     completed',
  'rename tot               completed',
]) {
  test(`SIGTERM with --state at "${moment}": the next start goes on, and what had ended is not done again`, {
    skip: noSignals,
  }, async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'coding-state-'));
    const args = ['--approve', 'yes', '--pace', '300', '--state', state];
    const callsIn = (stdout: string): string[] => stdout.match(/(?:edit_file|delete_file) "[^\n]*/gu) ?? [];
    try {
      const running = start(args);
      await running.seen(moment);
      running.child.kill('SIGTERM');
      const first = await running.ended;
      assert.equal(first.code, 143, first.stdout + first.stderr);
      assert.match(first.stdout, /lead +stops within 3 s[\s\S]*\nStopped\. The same command continues from .*\.\n$/u);
      assert.ok(existsSync(path.join(state, 'copy/TASKS.md')));

      const second = await start(args).ended;
      assert.equal(second.code, 0, second.stdout + second.stderr);
      assert.match(second.stdout, /lead +continues from/u);
      assert.match(second.stdout, /\n- rename tot: src\/price\.js: 3 replaced\.[\s\S]* is deleted\.\nAll tests pass\.\n$/u);
      // Three files, two files, and one that is deleted.
      const calls = [...callsIn(first.stdout), ...callsIn(second.stdout)];
      assert.equal(calls.length, 6, calls.join('\n'));
      assert.equal(new Set(calls).size, 6);
      assert.deepEqual(readdirSync(state), []);
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });
}

test('a folder of --state that is none, is of another repository, or is broken is named', { skip: noSignals }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'coding-state-'));
  try {
    const [file, state, other] = ['file', 'state', 'other'].map((name) => path.join(folder, name)) as [string, string, string];
    writeFileSync(file, '');
    for (const [given, said] of [
      [file, 'it is not a folder'],
      [path.join(file, 'below'), 'ENOTDIR'],
    ] as const) {
      const { code, stderr } = await start(['--state', given]).ended;
      assert.deepEqual({ code, stderr }, { code: 2, stderr: `--state ${given}: ${said}\nSee --help.\n` });
    }

    const running = start(['--pace', '300', '--state', state]);
    await running.seen('watch the tests          started');
    running.child.kill('SIGTERM');
    assert.equal((await running.ended).code, 143);
    mkdirSync(other);
    writeFileSync(path.join(other, 'TASKS.md'), '- Delete a.js\n');
    const wrong = await start(['--state', state, '--repository', other]).ended;
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^--state \S+ has work on \S+repository: --repository names that, or --state another folder\n/u);

    const kept = path.join(state, 'lead.json');
    for (const text of ['{"role":', '{}']) {
      writeFileSync(kept, text);
      const { code, stderr } = await start(['--state', state]).ended;
      assert.deepEqual(
        { code, stderr },
        {
          code: 1,
          stderr: `${kept} is broken, so the work can't continue: another --state begins anew\n`,
        },
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a second Ctrl-C cancels, with --state too, and nothing is kept', { skip: noSignals }, async () => {
  const state = mkdtempSync(path.join(tmpdir(), 'coding-state-'));
  try {
    const running = start(['--pace', '2000', '--state', state]);
    await running.seen('rename calculateArea     started');
    running.child.kill('SIGINT');
    await running.seen('stops within 3 s');
    await new Promise((resolve) => setTimeout(resolve, 700));
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    assert.equal(code, 130);
    assert.match(stdout, /^ {2}rename calculateArea +cancelled/mu);
    assert.deepEqual(readdirSync(state), []);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});

test('a question that is open at the end does not keep the process', {
  skip: hasTerminal() ? false : 'needs util-linux script',
}, async () => {
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const call = (name: string, args: object) => ({
    content: null,
    tool_calls: [{ id: name, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  });
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const { messages, tools } = JSON.parse(text) as { messages: { role: string }[]; tools: { function: { name: string } }[] };
      const isLead = tools.some((each) => each.function.name === 'spawn_agent');
      let message: object = call('delete_file', { path: 'src/old-price.js' });
      if (isLead) message = call('spawn_agent', { instructions: 'Delete it', background: true });
      if (isLead && messages.some(({ role }) => role === 'tool')) {
        // The main agent answers while a person is being asked.
        await asked;
        message = { content: 'Enough.' };
      }
      response.end(JSON.stringify({ choices: [{ message }], usage: { total_tokens: 10 } }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const running = startInTerminal(['--base-url', `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, '--model', 'm']);
    await running.seen('[y/N]');
    isAsked();
    const { code, stdout } = await running.ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\n {2}Delete it +cancelled[\s\S]*\nEnough\.\s/u);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('an endpoint gets the messages and the tools; its failure is said without the key', async () => {
  const seen: {
    key: string | undefined;
    body: { model: string; messages: { role: string }[]; tools: { function: { name: string } }[] };
  }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      seen.push({ key: request.headers.authorization, body: JSON.parse(text) });
      const calls = [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"../../etc/hostname"}' } }];
      const message = seen.length === 1 ? { content: null, tool_calls: calls } : { content: 'Nothing to do.' };
      if (seen.length > 2) response.statusCode = 401;
      response.end(
        JSON.stringify(seen.length > 2 ? { error: 'wrong key\nsecret-key' } : { choices: [{ message }], usage: { total_tokens: 10 } }),
      );
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const args = ['--base-url', url, '--model', 'm', '--api-key-env', 'CODING_KEY'];
    const { code, stdout } = await start(args, { CODING_KEY: 'secret-key' }).ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\nChanges\nnone\n[\s\S]*\nNothing to do\.\n$/u);
    assert.equal(seen[0]?.key, 'Bearer secret-key');
    assert.equal(seen[0]?.body.model, 'm');
    const names = seen[0]?.body.tools.map((each) => each.function.name) ?? [];
    for (const name of ['read_file', 'run_tests', 'spawn_agent', 'wait_agents', 'send_message', 'cancel_agent'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(seen[1]?.body.messages.at(-1), {
      role: 'tool',
      tool_call_id: 'a',
      content: 'Not done: ../../etc/hostname is outside of the repository.',
    });

    const failed = await start(args, { CODING_KEY: 'secret-key' }).ended;
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /^127\.0\.0\.1:\d+ \(HTTP 401\): .*wrong key/u);
    assert.doesNotMatch(failed.stdout + failed.stderr, /secret-key/u);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('wrong usage exits with 2 and one clear line', async () => {
  const cases: [string[], RegExp][] = [
    [['--bogus'], /^Unknown option '--bogus'\nSee --help\.\n$/u],
    [['--approve', 'maybe'], /^--approve is ask, yes or no, got "maybe"\n/u],
    [['--model', 'm'], /^--base-url and --model belong together\n/u],
    [['--base-url', 'file:///etc', '--model', 'm'], /^--base-url needs an http or https address\n/u],
    [['--pace', 'slow'], /^--pace needs a whole number of milliseconds, got "slow"\n/u],
    [['--repository', '/missing'], /^\/missing: no such folder\n/u],
    [['--repository', tmpdir()], /: no TASKS\.md in it, which lists the work\n/u],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await start(args).ended;
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
    assert.equal(stdout, '');
  }
});

test('where there are no tests it does not say that they pass', async () => {
  const original = mkdtempSync(path.join(tmpdir(), 'coding-test-'));
  writeFileSync(path.join(original, 'TASKS.md'), '- Delete a.bin\n');
  writeFileSync(path.join(original, 'a.bin'), new Uint8Array([0, 159, 146, 150]));
  try {
    const { code, stdout } = await start(['--approve', 'yes', '--repository', original]).ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /a\.bin: deleted\n[\s\S]*\n- delete a\.bin: a\.bin is deleted\.\nThere are no tests\.\n$/u);
  } finally {
    rmSync(original, { recursive: true, force: true });
  }
});

test('no tool reaches out of the copy, by name or by link', async () => {
  const original = mkdtempSync(path.join(tmpdir(), 'coding-test-'));
  mkdirSync(path.join(original, 'src'));
  writeFileSync(path.join(original, 'src/a.js'), 'a\n');
  const workspace = new Workspace(original);
  try {
    symlinkSync('/etc/hostname', path.join(workspace.folder, 'link'));
    const tools = workspace.tools();
    const context = { signal: new AbortController().signal, toolCallId: 't' };
    for (const name of ['../x', 'link', '/etc/hostname', `${original}/src/a.js`, '.']) {
      for (const tool of ['read_file', 'delete_file']) {
        assert.match(String(await tools[tool]?.execute({ path: name }, context)), /^Not done: /u, `${tool} ${name}`);
      }
    }
    assert.match(String(await tools.edit_file?.execute({ path: 'src/a.js', find: 'b', replace: 'c' }, context)), /does not hold "b"/u);
    assert.match(String(await tools.edit_file?.execute({ path: 'src/a.js' }, context)), /^Not done: `find` has to be a text\.$/u);
    assert.equal(await tools.read_file?.execute({ path: 'src/a.js' }, context), 'a\n');
    assert.deepEqual(workspace.diff(), []);
  } finally {
    workspace.remove();
    rmSync(original, { recursive: true, force: true });
  }
});
