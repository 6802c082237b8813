// `worktrees` and `isolation: 'worktree'` of the built package, with real git and a real child process (J7): where an agent works,
// what its result says, and what stays of it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acpAgent, worktrees } from '../../../dist/adapters/agents/index.js';
import { SubAgentManager, type TaskSnapshot } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { Bench, does } from '../../support/agents/agents.js';

let bench: Bench;
let repository: string;
let managers: SubAgentManager[];
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: repository, encoding: 'utf8' }).trim();
const branches = (): string[] => git('branch', '--list', 'subagents/*').split('\n').filter(Boolean);

beforeEach(() => {
  bench = new Bench();
  managers = [];
  repository = join(realpathSync(bench.folder), 'repository');
  mkdirSync(join(repository, 'part'), { recursive: true });
  writeFileSync(join(repository, 'part/a.txt'), 'one\n');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
});
afterEach(async () => {
  for (const manager of managers) await manager[Symbol.asyncDispose]();
  bench.remove();
});

/** Options of a manager whose agents work in worktrees. */
function isolated(cwd = repository) {
  const folder = join(realpathSync(bench.folder), 'worktrees');
  return {
    ...worktrees({ cwd, folder }),
    spawnSubAgent: bench.host({ cwd, isolation: 'worktree', idleProcessMs: 0 }),
  };
}

function made(options: ReturnType<typeof isolated>): SubAgentManager {
  const manager = new SubAgentManager(options);
  managers.push(manager);
  return manager;
}

/** The worktrees beside the repository's own folder. */
const others = (): string[] =>
  git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .slice(1);

describe.skipIf(process.platform === 'win32')('J7 a worktree of its own', { timeout: 60_000 }, () => {
  test('is where the agent works; it stays if something in it has changed, and the result says what', async () => {
    const manager = made(isolated(join(repository, 'part')));
    const [one, other] = [does({ write: 'a.txt' }, { write: 'b.txt' }, { say: 'wrote' }), does({ say: 'read' })].map((text) =>
      manager.spawn(text),
    );
    const [wrote, read] = [await one?.wait(), await other?.wait()];
    const branch = `subagents/${one?.taskId}`;
    const [artifact] = wrote?.artifacts ?? [];
    expect(artifact).toMatchObject({ type: 'worktree', branch, changes: '1 file changed, 1 insertion(+), 1 deletion(-), 1 new file' });
    expect(wrote?.output).toMatch(new RegExp(`^wrote\n\nChanged on the branch ${branch}, in .*: 1 file changed`));
    expect(read).toMatchObject({ output: 'read', artifacts: [{ type: 'worktree', changes: '' }] });
    const folder = artifact?.folder as string;
    expect(bench.logged('cwd').sort()).toEqual([join(folder, 'part'), join(String(read?.artifacts[0]?.folder), 'part')].sort());
    expect(readFileSync(join(repository, 'part/a.txt'), 'utf8')).toBe('one\n');
    expect(branches()).toHaveLength(2);
    await Promise.all([one?.close(), other?.close()]);
    await manager[Symbol.asyncDispose]();
    expect(branches()).toEqual([expect.stringContaining(branch)]);
    expect(others()).toEqual([`worktree ${folder}`]);
    expect(existsSync(join(folder, 'part/b.txt'))).toBe(true);
  });

  test('with a commit stays too', async () => {
    const manager = made(isolated());
    const task = manager.spawn(does({ say: 'x' }));
    const { artifacts } = await task.wait();
    const folder = artifacts[0]?.folder as string;
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--quiet', '--allow-empty', '-m', 'more'], { cwd: folder });
    await task.close();
    await manager[Symbol.asyncDispose]();
    expect(others()).toEqual([`worktree ${folder}`]);
  });

  test.each([
    ['a file that git is told not to show', 'config status.showUntrackedFiles no', [['rev-parse', 'HEAD']]],
    [
      'a commit on its branch, which is no longer checked out',
      'config x.y z',
      [
        ['commit', '-q', '--allow-empty', '-m', 'more'],
        ['checkout', '-q', '--detach', 'HEAD~1'],
      ],
    ],
  ])('with %s stays too', async (name, before, after) => {
    git(...before.split(' '));
    const manager = made(isolated());
    const task = manager.spawn(does(...(name.startsWith('a file') ? [{ write: 'new.txt' }] : []), { say: 'x' }));
    const { artifacts } = await task.wait();
    const folder = artifacts[0]?.folder as string;
    for (const args of after) execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder });
    await task.close();
    await manager[Symbol.asyncDispose]();
    expect(others()).toEqual([`worktree ${folder}`]);
    expect(branches()).toHaveLength(1);
  });

  test('takes a commit, and a folder that is in it', async () => {
    mkdirSync(join(repository, 'untracked'));
    const { error } = await made(isolated(join(repository, 'untracked')))
      .spawn('x')
      .wait();
    expect(error).toMatch(/untracked is not in the commit that its worktree began with: commit it, or give another `cwd`$/);
    git('update-ref', '-d', 'HEAD');
    const { error: none } = await made(isolated()).spawn('x').wait();
    expect(none).toMatch(/^a worktree begins with a commit, and .* has none: commit something first$/);
  });

  test('is the same one after a restart; what a lost process left half made is made anew', async () => {
    const store = memoryStore();
    const first = await SubAgentManager.open({ ...isolated(), store });
    const task = first.spawn({ instructions: does({ write: 'new.txt' }, { say: 'x' }), background: true });
    await first.wait([task]);
    await first[Symbol.asyncDispose]();
    const second = await SubAgentManager.open({ ...isolated(), store });
    managers.push(second);
    second.send(task.taskId, does({ say: 'y' }));
    const [again] = (await second.wait([task.taskId])).completed;
    expect(again?.output).toContain('1 new file');
    expect(new Set(bench.logged('cwd')).size).toBe(1);
    const half = worktrees({ cwd: repository, folder: join(realpathSync(bench.folder), 'worktrees') });
    const asked = { taskId: 'mine' } as Parameters<typeof half.acquire>[0];
    const made = await half.acquire(asked);
    expect(await half.acquire(asked)).toEqual(made);
    await half.release('mine', undefined);
    expect(branches()).toHaveLength(1);
    expect(readdirSync(join((made as unknown as { worktree: { folder: string } }).worktree.folder, '..'))).toHaveLength(1);
  });

  test('is released by several at once: two folders of one repository, and another repository', async () => {
    const folder = join(realpathSync(bench.folder), 'worktrees');
    const other = join(realpathSync(bench.folder), 'other');
    execFileSync('git', ['clone', '--quiet', repository, other]);
    const all = [repository, join(repository, 'part'), other].map((cwd) => worktrees({ cwd, folder }));
    const tasks = Array.from({ length: 9 }, (_, at) => ({ taskId: `sub_${at}` }) as TaskSnapshot);
    const acquired = await Promise.all(tasks.map((task, at) => all[at % 3]?.acquire(task)));
    await Promise.all(tasks.map(({ taskId }, at) => Promise.all(all.map(({ release }) => release(taskId, acquired[at] as never)))));
    expect(acquired.map((data) => existsSync((data as { worktree: { folder: string } }).worktree.folder))).not.toContain(true);
    expect([branches(), others(), execFileSync('git', ['branch', '--list', 'subagents/*'], { cwd: other }).toString()]).toEqual([
      [],
      [],
      '',
    ]);
  });

  test('that can not be made fails the run with what git says; without the hooks the error names them', async () => {
    const errors: unknown[] = [];
    const { folder } = bench;
    const manager = new SubAgentManager({
      ...worktrees({ cwd: folder }),
      spawnSubAgent: acpAgent({ ...bench.options, isolation: 'worktree' }),
      onError: (error) => errors.push(error),
    });
    managers.push(manager);
    expect(await manager.spawn('x').wait()).toMatchObject({ status: 'failed', error: expect.stringContaining('not a git repository') });
    const bare = new SubAgentManager({ spawnSubAgent: bench.host({ cwd: repository, isolation: 'worktree' }) });
    managers.push(bare);
    expect(await bare.spawn('x').wait()).toMatchObject({
      error: expect.stringContaining('new SubAgentManager({ ...worktrees(), spawnSubAgent })'),
    });
    expect(() => bench.host({ isolation: 'container' as never })).toThrow("`isolation` must be 'worktree', or left out");
  });
});
