// Codex, opencode, Claude Code and Gemini CLI as sub-agents, against a scripted model: `npm run test:agents`; one of
// them with its name behind `--`. Fetches them from npm into a folder of its own. Reports an agent that can't be
// installed; fails if none can. Ends by itself.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acpAgent, commandAgent } from '../../dist/adapters/agents/index.js';
import { SubAgentManager } from '../../dist/index.js';
import { AGENTS, fetched } from './fetched.mjs';
import { startModel } from './model-server.mjs';
import { runTeam, TEAM_PLAYS } from './team.mjs';

/** In all; an agent takes some seconds for each run. */
const PATIENCE_MS = 900_000;
const folder = mkdtempSync(join(tmpdir(), 'subagents-real-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
setTimeout(() => {
  process.stderr.write(`not done after ${PATIENCE_MS} ms\n`);
  process.exit(1);
}, PATIENCE_MS).unref();
const model = await startModel(TEAM_PLAYS, true);
const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(join(project, 'a.txt'), 'word-42\n');
const patchOf = (path) => `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+made\n*** End Patch\nEOF\n`;
/** What each is asked to call to make a file; what it calls that; what else it is given. */
const calls = {
  codex: {
    makes: (path) => ({ tool: 'exec_command', args: { cmd: patchOf(path) } }),
    kinds: { acpAgent: 'add', commandAgent: 'add' },
    mode: 'workspace-write',
  },
  opencode: {
    makes: (filePath) => ({ tool: 'write', args: { filePath, content: 'made\n' } }),
    // Over ACP it doesn't say that a file is new.
    kinds: { acpAgent: 'update', commandAgent: 'add' },
    more: { permission: { bash: 'ask' } },
  },
  claude: {
    makes: (file_path) => ({ tool: 'Write', args: { file_path, content: 'made\n' } }),
    kinds: { acpAgent: 'add', commandAgent: 'add' },
    mode: 'acceptEdits',
    args: ['--allowedTools', 'Bash(test:*)'],
  },
  gemini: {
    makes: (file_path) => ({ tool: 'write_file', args: { file_path, content: 'made\n' } }),
    // Only over ACP it says that a file is new.
    kinds: { acpAgent: 'add', commandAgent: 'update' },
    mode: 'yolo',
    saysNoCodes: true,
  },
};
const script = (...steps) => `SCRIPT:${JSON.stringify(steps)}`;

/** The folders of those that are there. */
const agents = [];
const [wanted] = process.argv.slice(2);
for (const [name, { makes, kinds, mode, args, more, saysNoCodes }] of Object.entries(calls)) {
  if (wanted !== undefined && wanted !== name) continue;
  const { packages, acp, exec, configure, runs } = AGENTS[name];
  const inst = join(folder, name);
  mkdirSync(join(inst, 'home'), { recursive: true });
  if (!fetched(inst, packages)) continue;
  agents.push(inst);
  const env = configure(join(inst, 'home'), model, undefined, more);
  const recordsFolder = join(inst, 'records');
  const commandOf = ([file, ...args]) => [...model.within, join(inst, 'node_modules/.bin', file), ...args];
  const shared = { profile: name, cwd: project, env, recordsFolder };
  const hosts = {
    acpAgent: acpAgent({ ...shared, command: commandOf(acp), permission: 'allow', idleProcessMs: 0 }),
    commandAgent: commandAgent({ ...shared, command: commandOf(exec) }),
  };
  /** What its tool calls did is what its result says they did, and `mustHave` is judged by that. */
  const provesReceipts = async (name, how) => {
    const cwd = join(inst, `changed by ${how}`);
    const home = join(inst, 'permitted');
    for (const made of [cwd, home]) mkdirSync(made, { recursive: true });
    const options = { ...shared, cwd, env: configure(home, model) };
    const spawnSubAgent =
      how === 'acpAgent'
        ? acpAgent({ ...options, command: commandOf(acp), permission: 'allow', idleProcessMs: 0 })
        : commandAgent({ ...options, command: commandOf(exec), ...(mode && { mode }), ...(args && { arguments: args }) });
    const manager = new SubAgentManager({ spawnSubAgent });
    const ended = (mustHave, ...steps) => manager.spawn({ instructions: script(...steps, { text: 'All is well.' }), mustHave }).wait();
    const tests = [{ command: /test -e b\.txt/, exitCode: 0 }];
    const done = await ended(tests, makes('b.txt'), runs('test -e b.txt'), runs('test -e no.txt'));
    assert.equal(done.status, saysNoCodes ? 'failed' : 'completed', `${name}, ${how}: ${done.error}`);
    assert.deepEqual(done.receipts, [
      { path: 'b.txt', kind: kinds[how] },
      { command: 'test -e b.txt', exitCode: saysNoCodes ? null : 0 },
      { command: 'test -e no.txt', exitCode: saysNoCodes ? null : 1 },
    ]);
    const noCode = [[/test -e b\.txt/, [runs('test -e b.txt')], /this agent doesn't say what a command ended with$/]];
    const wrong = saysNoCodes
      ? noCode
      : [
          [/npm test/, [makes('c.txt'), runs('test -e c.txt')], /npm test/],
          [/test -e b\.txt/, [runs('test -e b.txt'), makes('d.txt')], /not run after d\.txt was changed/],
          [/test -e no\.txt/, [runs('test -e no.txt')], /ended with 1$/],
        ];
    for (const [command, steps, words] of wrong) {
      const result = await ended([{ command, exitCode: 0 }], ...steps);
      assert.deepEqual([result.status, result.stopReason], ['failed', 'invalid_result'], `${name}, ${how}: ${result.error}`);
      assert.match(result.error, words);
      assert.ok(result.receipts.length > 0);
    }
    await manager[Symbol.asyncDispose]();
  };
  /** The server of this package that its own configuration has is not started inside of it. */
  const provesServerIsOff = async (make, how) => {
    const home = join(inst, 'with server');
    mkdirSync(home, { recursive: true });
    const started = join(inst, 'started');
    const server = { command: '/bin/sh', args: ['-c', `echo > '${started}'; exec cat > /dev/null`], env: {} };
    const options = { ...shared, command: commandOf(how), env: configure(home, model, server, more) };
    // These wait for one that doesn't answer.
    for (const nested of name === 'opencode' || name === 'gemini' ? [false] : [true, false]) {
      rmSync(started, { force: true });
      const manager = new SubAgentManager({ spawnSubAgent: make({ ...options, nested }) });
      let isStarted;
      // Behind its turn codex-acp asks for a title, in a thread that has the servers of its configuration.
      manager.subscribe(({ message }) => {
        if (/^done/.test(message)) isStarted ??= existsSync(started);
      });
      const result = await manager.spawn(script({ text: 'done', slowMs: 1_000 })).wait();
      assert.match(result.output, /^done/, `${name}: ${result.error}`);
      assert.equal(isStarted, nested, `${name}, ${how}: its server`);
      await manager[Symbol.asyncDispose]();
    }
  };
  await provesServerIsOff((options) => acpAgent({ ...options, idleProcessMs: 0 }), acp);
  await provesServerIsOff(commandAgent, exec);
  for (const [how, spawnSubAgent] of Object.entries(hosts)) {
    let host = spawnSubAgent;
    const manager = new SubAgentManager({ spawnSubAgent: (params, run) => host(params, run), graceMs: 10_000 });
    const task = manager.spawn(script(how === 'acpAgent' ? runs('cat a.txt') : { text: 'word-42' }, { text: 'it says SEEN' }));
    const first = await task.wait();
    assert.equal(first.status, 'completed', `${name}, ${how}: ${first.error}`);
    assert.match(first.output, /word-42/, `${name}, ${how}`);
    // Two calls of the model, or one.
    assert.ok(first.usage.tokens >= (how === 'acpAgent' ? 200 : 100), `${name}, ${how}: ${JSON.stringify(first.usage)}`);
    const { tokens, inputTokens, outputTokens } = first.usage;
    // Those of an estimate are rounded.
    assert.ok(inputTokens > 0 && Math.abs(inputTokens + outputTokens - tokens) <= 1, `${name}, ${how}: ${JSON.stringify(first.usage)}`);
    manager.send(task, script({ text: 'the second answer' }));
    const second = await task.wait();
    assert.equal(second.output, 'the second answer', `${name}, ${how}: ${second.error}`);

    if (how === 'commandAgent') {
      const elsewhere = join(inst, 'elsewhere');
      mkdirSync(elsewhere);
      // There it doesn't know the conversation.
      host = commandAgent({ ...shared, env: configure(elsewhere, model, undefined, more), command: commandOf(exec) });
      manager.send(task, script({ text: 'the third answer' }));
      const third = await task.wait();
      assert.equal(third.output, 'the third answer', `${name}: ${third.error}`);
      host = spawnSubAgent;
    }

    const slow = manager.spawn({ instructions: script({ text: 'slow', slowMs: 60_000 }), background: true });
    await new Promise((resolve) => {
      const stop = manager.subscribe(({ type }) => {
        if (type !== 'run_reported' && !/report/.test(type)) return;
        stop();
        resolve();
      });
      // An agent that says nothing until its turn ends is cancelled all the same.
      setTimeout(resolve, 8_000).unref();
    });
    await manager.cancel(slow);
    assert.equal((await slow.wait()).status, 'cancelled', `${name}, ${how}`);
    await manager[Symbol.asyncDispose]();
    assert.deepEqual(running(inst), [], `${name}, ${how}: processes are left`);
    assert.deepEqual(readdirSync(recordsFolder), [], `${name}, ${how}: records are left`);
    await provesReceipts(name, how);
    const lost = how === 'commandAgent' ? ', one whose conversation is gone' : '';
    process.stderr.write(
      `${name}, ${how}: a run, a second message${lost}, a cancel, its receipts; ${first.usage.tokens} and ${second.usage.tokens} tokens\n`,
    );
  }
}
const team = ['codex', 'opencode'].map((name) => join(folder, name));
if (!team.every((inst) => agents.includes(inst))) process.stderr.write('NOT TRIED: examples/team, which takes both agents\n');
else if (await runTeam({ folder, agents: team, model })) {
  assert.deepEqual(running(folder), [], 'examples/team: processes are left');
  process.stderr.write('examples/team: a lead of the AI SDK with Codex and opencode\n');
}
model.end();
assert.ok(agents.length > 0, 'no agent could be fetched from npm');

/** Processes whose command lies in the folder. */
function running(inst) {
  const commands = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  return commands.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command.includes(`${inst}/`) ? [command] : [];
    } catch {
      return [];
    }
  });
}
