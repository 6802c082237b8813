// Codex and opencode themselves as sub-agents, against a scripted model on loopback: `npm run test:agents`. Fetches them from npm
// into a folder of its own. One that can't be had is said loudly; if none can, this fails. Ends by itself.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acpAgent, commandAgent } from '../../dist/adapters/agents/index.js';
import { SubAgentManager } from '../../dist/index.js';
import { npm } from '../../scripts/system.mjs';
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
// Whatever an agent fetches elsewhere leads nowhere.
const nowhere = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' };

const agents = {
  codex: {
    packages: ['@openai/codex@0.171.0', '@agentclientprotocol/codex-acp@2.6.0'],
    acp: ['codex-acp'],
    exec: ['codex'],
    call: { tool: 'exec_command', args: { cmd: 'cat a.txt' } },
    configure(home) {
      const lines = [
        'model = "scripted"',
        'model_provider = "local"',
        'check_for_update_on_startup = false',
        '[analytics]\nenabled = false',
        `[model_providers.local]\nname = "local"\nbase_url = "${model.address}"\nwire_api = "responses"\nenv_key = "LOCAL_KEY"`,
      ];
      writeFileSync(join(home, 'config.toml'), lines.join('\n'));
      return { CODEX_HOME: home, LOCAL_KEY: 'none', NO_BROWSER: '1' };
    },
  },
  opencode: {
    packages: ['opencode-ai@1.18.33'],
    acp: ['opencode', 'acp'],
    exec: ['opencode'],
    call: { tool: 'bash', args: { command: 'cat a.txt', description: 'reads it' } },
    configure(home) {
      const provider = { npm: '@ai-sdk/openai-compatible', name: 'local', options: { baseURL: model.address, apiKey: 'none' } };
      const models = { scripted: { name: 'scripted', limit: { context: 100_000, output: 10_000 } } };
      const names = { model: 'local/scripted', small_model: 'local/scripted' };
      const config = {
        autoupdate: false,
        share: 'disabled',
        ...names,
        provider: { local: { ...provider, models } },
        permission: { bash: 'ask' },
      };
      writeFileSync(join(home, 'opencode.json'), JSON.stringify(config));
      return { OPENCODE_CONFIG: join(home, 'opencode.json'), OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
    },
  },
};
const script = (...steps) => `SCRIPT:${JSON.stringify(steps)}`;

let tried = 0;
for (const [name, { packages, acp, exec, call, configure }] of Object.entries(agents)) {
  const inst = join(folder, name);
  mkdirSync(join(inst, 'home'), { recursive: true });
  writeFileSync(join(inst, 'package.json'), '{"private":true}');
  try {
    execFileSync(...npm(['install', '--no-audit', '--no-fund', '--silent', ...packages]), { cwd: inst, timeout: 150_000 });
  } catch (error) {
    process.stderr.write(`NOT TRIED: ${name} could not be fetched from npm (${error.message.split('\n')[0]})\n`);
    continue;
  }
  tried += 1;
  const env = { ...nowhere, HOME: join(inst, 'home'), ...configure(join(inst, 'home')) };
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
