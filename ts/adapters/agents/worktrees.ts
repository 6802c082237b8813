// A git worktree for each sub-agent. Owns when one is made, its name, and that no change in it is ever removed.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import process from 'node:process';
import type { SubAgentManagerOptions } from '../../api/manager.js';
import type { Run } from '../../api/run.js';
import type { HostResult } from '../../options/host-result.js';
import type { TaskSnapshot } from '../../snapshots/types.js';
import { expectKnown } from '../any-tool.js';
import { mistake } from '../mistake.js';
import { stateFolder } from './process-records.js';

/** Options of `worktrees`. */
export interface WorktreeOptions {
  /** A folder of the repository. Default: this process's folder. */
  cwd?: string | undefined;
  /** The folder that holds the worktrees. Default: `subagents/worktrees` in the user's state directory. */
  folder?: string | undefined;
  /** Whether a sub-agent gets one. Default: all do */
  when?: ((task: TaskSnapshot) => boolean) | undefined;
}

/** The options of a manager that make worktrees. */
export interface Worktrees {
  /** Makes the branch and the worktree of a sub-agent. */
  readonly acquire: NonNullable<SubAgentManagerOptions['acquire']>;
  /** Removes the worktree and its branch if they have no changes. */
  readonly release: NonNullable<SubAgentManagerOptions['release']>;
}

/** A worktree, as JSON. */
interface Worktree {
  readonly folder: string;
  readonly branch: string;
  /** The commit that it began with. */
  readonly base: string;
}

const KNOWN = ['cwd', 'folder', 'when'] as const satisfies (keyof WorktreeOptions)[];
/** The name of the worktree in `run.acquired`. */
const WORKTREE = 'worktree';
/** How often git is called while another process has the lock that it needs, and the pause between calls, in milliseconds. */
const TRIES = 10;
const WAIT_MS = 200;
/** Variables that make git take another repository than its folder's. */
const OTHERS = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR'];

/**
 * Options of a manager that give each sub-agent a git worktree and a branch of its own:
 * `new SubAgentManager({ ...worktrees({ cwd }), spawnSubAgent: acpAgent({ profile: 'codex', isolation: 'worktree' }) })`. When
 * the sub-agent is closed or forgotten, its worktree is removed if nothing in it has changed since it was made, and stays
 * otherwise. Throws `invalid_argument` for a wrong option. If git can't make a worktree, the run fails with git's message.
 *
 * @param options the repository, and the folder of the worktrees
 */
export function worktrees(options: WorktreeOptions = {}): Worktrees {
  expectKnown('worktrees', Object(options) as object, KNOWN);
  const { cwd = process.cwd(), folder = join(stateFolder(), 'worktrees'), when } = options;
  const placeOf = async (taskId: string): Promise<{ root: string; made: Omit<Worktree, 'base'> }> => {
    const root = await git(cwd, 'rev-parse', '--show-toplevel');
    const name = /^[\w-]+$/.test(taskId) ? taskId : createHash('sha256').update(taskId).digest('hex').slice(0, 32);
    const repository = createHash('sha256').update(root).digest('hex').slice(0, 12);
    return { root, made: { folder: join(resolve(folder), repository, name), branch: `subagents/${name}` } };
  };
  return {
    acquire: (task) =>
      inTurn(async () => {
        if (when !== undefined && !when(task)) return null;
        const { root, made } = await placeOf(task.taskId);
        // Remains of a process that was lost in the middle of this.
        await remove(root, made);
        const base = await git(root, 'rev-parse', '--quiet', '--verify', 'HEAD').catch(() => {
          throw new Error(`a worktree begins with a commit, and ${root} has none: commit something first`);
        });
        mkdirSync(join(made.folder, '..'), { recursive: true, mode: 0o700 });
        await git(root, 'worktree', 'add', '--quiet', '-b', made.branch, made.folder, base);
        return { [WORKTREE]: { ...made, base } };
      }),
    release: (taskId, data) =>
      inTurn(async () => {
        const { root, made } = await placeOf(taskId);
        // None was made, or nothing ran in it.
        if (data === undefined) return remove(root, made);
        const worktree = worktreeIn(data);
        // The `release` of another repository releases its own worktrees.
        if (worktree === undefined || repositoryOf(worktree) !== repositoryOf(made)) return;
        if (existsSync(worktree.folder) && (await isChanged(worktree))) return;
        await remove(root, worktree);
      }),
  };
}

/** The folder in which an agent works: the place of `cwd` in its sub-agent's worktree. */
export async function folderIn(helper: string, run: Run, cwd: string): Promise<string> {
  const worktree = worktreeIn(run.acquired);
  if (worktree === undefined)
    throw mistake(`${helper}: \`isolation\` takes a manager that makes worktrees: new SubAgentManager({ ...worktrees(), spawnSubAgent })`);
  const within = relative(await git(cwd, 'rev-parse', '--show-toplevel'), realpathSync(cwd));
  if (within.startsWith('..') || isAbsolute(within)) return worktree.folder;
  const folder = join(worktree.folder, within);
  if (!existsSync(folder)) throw new Error(`${cwd} is not in the commit that its worktree began with: commit it, or give another \`cwd\``);
  return folder;
}

/** Adds the worktree to a result: an artifact, and a line of the output if anything in it has changed. */
export async function withWorktree(run: Run, result: HostResult): Promise<HostResult> {
  const worktree = worktreeIn(run.acquired);
  if (worktree === undefined) return result;
  const { folder, branch, base } = worktree;
  const changes = await changesOf(worktree).catch(() => '');
  const artifacts = [...(result.artifacts ?? []), { type: WORKTREE, folder, branch, base, changes }];
  if (changes === '' || run.schema !== undefined) return { ...result, artifacts };
  return { ...result, output: `${result.output}\n\nChanged on the branch ${branch}, in ${folder}: ${changes}`.trim(), artifacts };
}

/** The end of `inTurn`'s last body. */
let last: Promise<unknown> = Promise.resolve();

/** Runs one body at a time: two calls of git at once would wait for each other's locks, or remove files the other reads. */
function inTurn<T>(body: () => Promise<T>): Promise<T> {
  const made = last.then(body, body);
  last = made.catch(() => undefined);
  return made;
}

/** The name of its repository among the worktrees. */
function repositoryOf({ folder }: Pick<Worktree, 'folder'>): string {
  return basename(dirname(folder));
}

function worktreeIn(data: unknown): Worktree | undefined {
  const found = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[WORKTREE] : undefined;
  return found as Worktree | undefined;
}

/** Includes changes that the user's configuration leaves out of a status. */
const ALL = '--ignore-submodules=none';

async function isChanged({ folder, branch, base }: Worktree): Promise<boolean> {
  const tips = await git(folder, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  const isMoved = [tips || base, await git(folder, 'rev-parse', 'HEAD')].some((commit) => commit !== base);
  return isMoved || (await git(folder, 'status', '--porcelain', '--untracked-files=normal', ALL)) !== '';
}

/** The changes, such as `2 files changed, 3 insertions(+), 1 new file`; empty if nothing has changed. */
async function changesOf({ folder, base }: Worktree): Promise<string> {
  const changed = await git(folder, 'diff', '--shortstat', ALL, base);
  const added = (await git(folder, 'ls-files', '--others', '--exclude-standard')).split('\n').filter((path) => path !== '').length;
  const files = added === 0 ? [] : [`${added} new ${added === 1 ? 'file' : 'files'}`];
  return [...(changed === '' ? [] : [changed]), ...files].join(', ');
}

/** Removes a worktree and its branch, if they are there. */
async function remove(root: string, { folder, branch }: Omit<Worktree, 'base'>): Promise<void> {
  const listed = (await git(root, 'worktree', 'list', '--porcelain')).split('\n').includes(`worktree ${folder}`);
  if (listed) await git(root, 'worktree', 'remove', '--force', '--force', folder);
  if ((await git(root, 'for-each-ref', '--format=%(refname)', `refs/heads/${branch}`)) !== '')
    await git(root, 'branch', '--quiet', '-D', branch);
}

/** Git's output. Calls git again while another process has the lock that it needs. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const { error, out, said } = await called(cwd, args);
    if (error === undefined) return out.trim();
    if (attempt >= TRIES || !/\.lock|cannot lock/.test(said)) throw new Error(`git ${args[0]}: ${said.trim() || error.message}`);
    await new Promise((done) => setTimeout(done, WAIT_MS));
  }
}

function called(cwd: string, args: string[]): Promise<{ error: Error | undefined; out: string; said: string }> {
  const env = { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' } as Record<string, string | undefined>;
  for (const name of OTHERS) delete env[name];
  return new Promise((done) => {
    execFile('git', args, { cwd, env, maxBuffer: 64 << 20 }, (error, out, said) => done({ error: error ?? undefined, out, said }));
  });
}
