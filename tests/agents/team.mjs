// `examples/team` as a person runs it: installed from npm beside the packed package, with Codex and opencode themselves, all against
// the scripted model. Owns what the program has to have done.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../../scripts/system.mjs';
import { CLIENTS, fetched } from './fetched.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = ['ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92', '@agentclientprotocol/sdk@2.4.0', 'zod@4.6.7'];
const git = (cwd, ...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' });

/** What the lead and its sub-agents do, by name. */
export const TEAM_PLAYS = {
  team: [
    { tool: 'spawn_agent', args: { instructions: 'PLAY:review', agent: 'reviewer', label: 'the review', background: true } },
    { tool: 'spawn_agent', args: { instructions: 'PLAY:change', agent: 'coder', label: 'the change', background: true } },
    { tool: 'wait_agents', args: { timeout_ms: 60_000 } },
    { tool: 'wait_agents', args: { timeout_ms: 60_000 } },
    { text: 'Both are done.' },
  ],
  review: [{ tool: 'exec_command', args: { cmd: 'test -e a.txt' } }, { text: 'a is there' }],
  change: [
    { tool: 'write', args: { filePath: 'b.txt', content: 'made\n' } },
    { tool: 'bash', args: { command: 'test -e b.txt', description: 'looks' } },
    { text: 'b is made' },
  ],
};

/**
 * Runs it; says false if a package could not be fetched.
 *
 * @param folder the folder of the test
 * @param agents the folders in which the agents are installed
 * @param model the scripted model
 */
export async function runTeam({ folder, agents, model }) {
  const inst = join(folder, 'team');
  if (!fetched(inst, PACKAGES)) return false;
  execFileSync(...npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', inst]), { cwd: root });
  const tarball = readdirSync(inst).find((name) => name.endsWith('.tgz'));
  execFileSync(...npm(['install', '--no-audit', '--no-fund', '--silent', join(inst, tarball)]), { cwd: inst });
  copyFileSync(join(root, 'examples/team/team.mjs'), join(inst, 'team.mjs'));
  const [home, project] = [join(inst, 'home'), join(inst, 'project')];
  for (const made of [home, project]) mkdirSync(made);
  git(project, 'init', '--quiet');
  writeFileSync(join(project, 'a.txt'), 'a\n');
  git(project, 'add', '.');
  git(project, 'commit', '--quiet', '-m', 'a');
  const env = {
    ...Object.assign({}, ...Object.values(CLIENTS).map(({ configure }) => configure(home, model))),
    XDG_STATE_HOME: join(home, 'state'),
    PATH: [...agents.map((agent) => join(agent, 'node_modules/.bin')), process.env.PATH].join(delimiter),
    MODEL_URL: model.address,
    MODEL: 'scripted',
  };
  const [file, ...args] = [...model.within, process.execPath, join(inst, 'team.mjs'), 'PLAY:team'];
  const child = spawn(file, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = ['', ''];
  for (const [at, stream] of [child.stdout, child.stderr].entries()) {
    stream.setEncoding('utf8').on('data', (text) => {
      said[at] += text;
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  const [out, err] = said;
  assert.equal(code, 0, err);
  assert.match(out, /^Both are done\./);
  assert.match(out, /the review: completed, \d+ tokens\n {2}test -e a\.txt → 0/);
  assert.match(out, /the change: completed, \d+ tokens\n {2}update b\.txt\n {2}test -e b\.txt → 0/);
  assert.match(err, /run_started: the review[\s\S]*run_ended/);
  // The lead has read what they said, and no more of the model's calls were theirs.
  const received = model.heard.join('\n');
  assert.match(received, /a is there/);
  assert.match(received, /b is made/);
  assert.equal(existsSync(join(project, 'b.txt')), false, 'the change is in a worktree');
  assert.equal(git(project, 'worktree', 'list').trim().split('\n').length, 2);
  return true;
}
