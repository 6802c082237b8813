// Codex and opencode themselves as sub-agents, against a scripted model on loopback: `npm run test:agents`. Fetches them from npm
// into a folder of its own. One that can't be had is said loudly; if none can, this fails. Ends by itself.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acpAgent, commandAgent } from '../../dist/adapters/agents/index.js';
import { SubAgentManager } from '../../dist/index.js';
import { CLIENTS, fetched } from './fetched.mjs';
import { startModel } from './model-server.mjs';

/** In all; an agent takes some seconds for each run. */
const PATIENCE_MS = 400_000;
const folder = mkdtempSync(join(tmpdir(), 'subagents-real-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
setTimeout(() => {
  process.stderr.write(`not done after ${PATIENCE_MS} ms\n`);
  process.exit(1);
}, PATIENCE_MS).unref();
const model = await startModel();
const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(join(project, 'a.txt'), 'word-42\n');
/** What each is told to call first, and what else its configuration has. */
const calls = {
  codex: { call: { tool: 'exec_command', args: { cmd: 'cat a.txt' } } },
  opencode: { call: { tool: 'bash', args: { command: 'cat a.txt', description: 'reads it' } }, more: { permission: { bash: 'ask' } } },
};
const script = (...steps) => `SCRIPT:${JSON.stringify(steps)}`;

let tried = 0;
for (const [name, { call, more }] of Object.entries(calls)) {
  const { packages, acp, exec, configure } = CLIENTS[name];
  const inst = join(folder, name);
  mkdirSync(join(inst, 'home'), { recursive: true });
  if (!fetched(inst, packages)) continue;
  tried += 1;
  const env = configure(join(inst, 'home'), model, undefined, more);
  const recordsFolder = join(inst, 'records');
  const commandOf = ([file, ...args]) => [join(inst, 'node_modules/.bin', file), ...args];
  const shared = { profile: name, cwd: project, env, recordsFolder };
  const hosts = {
    acpAgent: acpAgent({ ...shared, command: commandOf(acp), permission: 'allow', idleProcessMs: 0 }),
    commandAgent: commandAgent({ ...shared, command: commandOf(exec) }),
  };
  for (const [how, spawnSubAgent] of Object.entries(hosts)) {
    const manager = new SubAgentManager({ spawnSubAgent, graceMs: 10_000 });
    const task = manager.spawn(script(how === 'acpAgent' ? call : { text: 'word-42' }, { text: 'it says SEEN' }));
    const first = await task.wait();
    assert.equal(first.status, 'completed', `${name}, ${how}: ${first.error}`);
    assert.match(first.output, /word-42/, `${name}, ${how}`);
    assert.ok(first.usage.tokens >= 100, `${name}, ${how}: ${JSON.stringify(first.usage)}`);
    manager.send(task, script({ text: 'the second answer' }));
    const second = await task.wait();
    assert.equal(second.output, 'the second answer', `${name}, ${how}: ${second.error}`);

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
    process.stderr.write(`${name}, ${how}: a run, a second message, a cancel; ${first.usage.tokens} and ${second.usage.tokens} tokens\n`);
  }
}
model.end();
assert.ok(tried > 0, 'no agent could be fetched from npm');

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
