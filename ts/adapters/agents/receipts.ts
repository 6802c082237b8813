// The receipts of an agent's tool calls, read from its protocol and never from its text (R9). Owns each agent's names for
// tools, files and exit codes.

import { isAbsolute, relative } from 'node:path';
import type { FileChange, Receipt } from '../../base/receipt.js';
import type { HostResult } from '../../options/host-result.js';
import type { AcpUpdate } from './acp-types.js';
import { type Fields, list, record, text } from './said.js';

/** How many receipts are retained, as in the manager. */
const MOST = 500;

/** The receipts of one run. */
export class Receipts {
  private readonly cwd: string;
  private readonly kept: Receipt[] = [];
  private omitted = 0;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /** How many receipts there were so far. */
  get count(): number {
    return this.kept.length + this.omitted;
  }

  /** `begun`: the count when the call began. A command goes to that place: it saw no change that was made during it. */
  add(receipts: readonly Receipt[], begun = this.count): void {
    for (const receipt of receipts) {
      if ('path' in receipt) this.kept.push({ ...receipt, path: this.below(receipt.path) });
      else this.kept.splice(Math.max(0, begun - this.omitted), 0, receipt);
    }
    const more = this.kept.length - MOST;
    if (more <= 0) return;
    this.kept.splice(0, more);
    this.omitted += more;
  }

  /** The result of `work`, with these receipts. If there are any, an error of `work` becomes a failure with them. */
  async with(work: Promise<HostResult>): Promise<HostResult> {
    try {
      const result = await work;
      return this.kept.length === 0 ? result : { ...result, receipts: this.all };
    } catch (error) {
      if (this.kept.length === 0) throw error;
      return { status: 'failed', output: '', error: error as Error, receipts: this.all };
    }
  }

  private get all(): Receipt[] {
    return [...(this.omitted > 0 ? [{ omitted: this.omitted }] : []), ...this.kept];
  }

  /** The path from the agent's folder, if it is below that. */
  private below(path: string): string {
    if (!isAbsolute(path)) return path;
    const from = relative(this.cwd, path);
    return from === '' || from.startsWith('..') ? path : from;
  }
}

/** A tool call over ACP, whose updates describe it bit by bit. */
export class ToolCall {
  private kind: string | undefined;
  private title = '';
  private command: string | undefined;
  private exitCode: number | null = null;
  private isSoft = false;
  private readonly changed = new Map<string, FileChange>();
  private readonly places = new Set<string>();

  read({ kind, title, rawInput, rawOutput, content, locations, _meta }: AcpUpdate): void {
    this.kind = text(kind) ?? this.kind;
    this.title = text(title) ?? this.title;
    this.command = commandIn(record(rawInput)) ?? this.command;
    // claude-agent-acp reports 0 for a code that Claude Code takes as no failure.
    this.isSoft ||= softCodeIn(record(record(record(_meta).claudeCode).toolResponse)) === 1;
    this.exitCode = exitCodeIn(record(record(_meta).terminal_exit)) ?? exitCodeIn(record(rawOutput)) ?? this.exitCode;
    for (const { type, path, oldText, _meta: beside } of list(content)) {
      const isNew = typeof oldText !== 'string' || record(beside).kind === 'add';
      if (type === 'diff' && typeof path === 'string') this.changed.set(path, isNew ? 'add' : 'update');
    }
    for (const { path } of list(locations)) if (typeof path === 'string') this.places.add(path);
  }

  /** Its receipts, once it is over. A failed call counts as having changed no file. */
  receipts(isFailed: boolean): Receipt[] {
    const { kind } = this;
    if (kind === 'execute') return [{ command: this.command ?? this.title, exitCode: this.isSoft ? 1 : this.exitCode }];
    if (isFailed) return [];
    const change = kind === 'delete' || kind === 'move' ? kind : undefined;
    const paths = change === undefined && this.changed.size > 0 ? [...this.changed.keys()] : [...this.places];
    if (change === undefined && kind !== 'edit' && this.changed.size === 0) return [];
    return paths.map((path) => ({ path, kind: change ?? this.changed.get(path) ?? 'update' }));
  }
}

/** The receipts of a completed item of `codex exec`. */
export function ofCodex(item: Fields): Receipt[] {
  if (item.type === 'command_execution') return [{ command: unwrapped(text(item.command) ?? ''), exitCode: codeOf(item.exit_code) }];
  if (item.type !== 'file_change' || item.status === 'failed') return [];
  return list(item.changes).flatMap(({ path, kind }) =>
    typeof path === 'string' ? [{ path, kind: kind === 'add' || kind === 'delete' ? kind : 'update' }] : [],
  );
}

/** The receipts of a tool of Claude Code, from its call, its result, and the data that comes with it. */
export function ofClaude({ name, input }: Fields, result: Fields, beside: Fields): Receipt[] {
  const { command, file_path, notebook_path } = record(input);
  if (name === 'Bash') {
    const said = /^Exit code (\d+)/.exec(contentOf(result.content));
    const isKnown = result.is_error !== true && beside.backgroundTaskId === undefined && beside.interrupted !== true;
    // Its shell prints a code only if a command fails.
    return [{ command: text(command) ?? '', exitCode: said ? Number(said[1]) : isKnown ? softCodeIn(beside) : null }];
  }
  const path = text(file_path) ?? text(notebook_path);
  if (path === undefined || result.is_error === true || !/^(Write|Edit|MultiEdit|NotebookEdit)$/.test(String(name))) return [];
  return [{ path, kind: beside.type === 'create' ? 'add' : 'update' }];
}

/** The receipts of a tool call of `opencode run`. */
export function ofOpencode({ tool, state }: Fields): Receipt[] {
  const { status, input, metadata } = record(state);
  const { command, filePath } = record(input);
  const { exit, exists, files } = record(metadata);
  if (tool === 'bash') return [{ command: text(command) ?? '', exitCode: codeOf(exit) }];
  if (status !== 'completed') return [];
  if (tool === 'write' || tool === 'edit' || tool === 'multiedit') {
    return [{ path: text(filePath) ?? '', kind: tool === 'write' && exists === false ? 'add' : 'update' }];
  }
  if (tool !== 'patch' && tool !== 'apply_patch') return [];
  return list(files).flatMap(({ filePath: path, type }) =>
    typeof path === 'string' ? [{ path, kind: type === 'add' || type === 'delete' || type === 'move' ? type : 'update' }] : [],
  );
}

/** The receipts of a tool of the Gemini CLI, from its call and its result. It reports no exit codes. */
export function ofGemini({ tool_name: name, parameters }: Fields, { status }: Fields): Receipt[] {
  const { command, file_path } = record(parameters);
  if (name === 'run_shell_command') return [{ command: text(command) ?? '', exitCode: null }];
  const isChange = (name === 'write_file' || name === 'replace') && status === 'success';
  return isChange ? [{ path: text(file_path) ?? '', kind: 'update' }] : [];
}

function commandIn({ command, cmd }: Fields): string | undefined {
  const given = command ?? cmd;
  if (Array.isArray(given)) {
    const [shell, flag, script] = given as unknown[];
    return SHELL.test(String(shell)) && /^-\w*c$/.test(String(flag)) && typeof script === 'string' ? script : given.join(' ');
  }
  return typeof given === 'string' ? unwrapped(given) : undefined;
}

const SHELL = /^(?:\S*\/)?(?:ba|z|da|k)?sh$/;

/** A command line without the shell that runs it. */
function unwrapped(command: string): string {
  const [, script] = /^(?:\S*\/)?(?:ba|z|da|k)?sh -\w*c ([\s\S]+)$/.exec(command) ?? [];
  if (script === undefined) return command;
  const [, single] = /^'([^']*)'$/.exec(script) ?? [];
  const [, double] = /^"((?:[^"\\$`]|\\.)*)"$/.exec(script) ?? [];
  return single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? script;
}

function exitCodeIn({ exit_code, exitCode, exit, metadata }: Fields): number | null {
  return codeOf(exit_code) ?? codeOf(exitCode) ?? codeOf(exit) ?? (metadata === undefined ? null : exitCodeIn(record(metadata)));
}

/** Claude Code doesn't take a 1 of `test`, `grep`, `diff` and `find` as a failure, and explains it in words. */
function softCodeIn({ returnCodeInterpretation }: Fields): 0 | 1 {
  return typeof returnCodeInterpretation === 'string' ? 1 : 0;
}

function codeOf(code: unknown): number | null {
  return Number.isSafeInteger(code) ? (code as number) : null;
}

function contentOf(content: unknown): string {
  return typeof content === 'string'
    ? content
    : list(content)
        .map(({ text: part }) => text(part) ?? '')
        .join('');
}
