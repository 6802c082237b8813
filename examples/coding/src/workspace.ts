// The repository that is worked on: a copy in a temporary folder, the tools over it, and what has changed in it.
// No tool reaches outside of the copy; the original is never touched.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Tool } from './loop.js';

const MAX_OUTPUT = 2_000;
/** What Node's test runner says where it has found none. */
const NO_TESTS = /^\S+ tests 0$/mu;
const TEXT = { type: 'string' } as const;

export class Workspace {
  readonly folder: string;
  private readonly changes = new EventEmitter();
  private readonly original: string;

  /** `folder`: where the copy is to be, or is; else it is in a temporary one. */
  constructor(original: string, folder?: string) {
    this.original = original;
    const isThere = folder !== undefined && existsSync(folder);
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    this.folder = realpathSync(folder ?? mkdtempSync(path.join(tmpdir(), 'coding-')));
    this.changes.setMaxListeners(0);
    if (isThere) return;
    cpSync(original, this.folder, { recursive: true, filter: (source) => !/[/\\](?:node_modules|\.git)$/u.test(source) });
  }

  remove(): void {
    // What was cancelled may just be letting go of it.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The tools by name. What they refuse is text for the model. */
  tools(): Record<string, Tool> {
    const make = (name: string, description: string, fields: readonly string[], execute: Tool['execute']): [string, Tool] => {
      const properties = Object.fromEntries(fields.map((field) => [field, TEXT]));
      const parameters = { type: 'object', properties, required: fields, additionalProperties: false };
      return [name, { name, description, parameters, execute: (args, context) => attempt(fields, args, () => execute(args, context)) }];
    };
    return Object.fromEntries([
      make('list_files', 'Lists all files.', [], () => this.files(this.folder).join('\n')),
      make('read_file', 'Reads a file.', ['path'], ({ path }) => readFileSync(this.at(path), 'utf8')),
      make('edit_file', 'Replaces every occurrence of `find` in a file.', ['path', 'find', 'replace'], ({ path, find, replace }) => {
        const parts = readFileSync(this.at(path), 'utf8').split(String(find));
        if (find === '' || parts.length === 1) return `${path} does not hold ${JSON.stringify(find)}.`;
        writeFileSync(this.at(path), parts.join(String(replace)));
        this.changes.emit('change', path);
        return `${path}: ${parts.length - 1} replaced.`;
      }),
      make('delete_file', 'Deletes a file. The user is asked first.', ['path'], ({ path }) => {
        rmSync(this.at(path));
        this.changes.emit('change', path);
        return `${path} is deleted.`;
      }),
      make('run_tests', 'Runs all tests.', [], (_, { signal }) => this.runTests(signal)),
      make('wait_for_change', 'Waits until a file has changed.', [], async (_, { signal }) => {
        const [changed] = (await once(this.changes, 'change', { signal })) as [string];
        return `${changed} has changed.`;
      }),
    ]);
  }

  /** What has changed, line by line. */
  diff(): string[] {
    const names = [...new Set([...this.files(this.original), ...this.files(this.folder)])].sort();
    return names.flatMap((name) => {
      const [before, after] = [this.original, this.folder].map((folder) => linesOf(path.join(folder, name)));
      if (after === undefined) return [`${name}: deleted`];
      if (before === undefined) return [`${name}: new`];
      const gone = before.filter((line) => !after.includes(line)).map((line) => `  - ${line}`);
      const come = after.filter((line) => !before.includes(line)).map((line) => `  + ${line}`);
      return gone.length + come.length === 0 ? [] : [name, ...gone, ...come];
    });
  }

  private files(folder: string): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path
          .relative(folder, path.join(entry.parentPath ?? entry.path, entry.name))
          .split(path.sep)
          .join('/'),
      )
      .sort();
  }

  private at(name: unknown): string {
    const absolute = path.resolve(this.folder, String(name));
    const isInside = (place: string): boolean => place.startsWith(this.folder + path.sep);
    if (isInside(absolute) && !existsSync(absolute)) throw new Error(`there is no ${name}`);
    // A link is followed before it is judged where a file is.
    if (!isInside(absolute) || !isInside(realpathSync(absolute))) throw new Error(`${name} is outside of the repository`);
    return absolute;
  }

  private async runTests(signal: AbortSignal): Promise<string> {
    // Without what a test run around this one leaves in the environment.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(process.execPath, ['--test'], { cwd: this.folder, env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
    // The signal ends `once` first, and with it what listens for this.
    child.on('error', () => undefined);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const [code] = (await once(child, 'close', { signal })) as [number | null];
    if (code !== 0) return `Tests fail:\n${output.slice(0, MAX_OUTPUT)}`;
    return NO_TESTS.test(output) ? 'There are no tests.' : 'All tests pass.';
  }
}

async function attempt(fields: readonly string[], args: Record<string, unknown>, work: () => unknown): Promise<unknown> {
  const missing = fields.find((field) => typeof args[field] !== 'string');
  if (missing !== undefined) return `Not done: \`${missing}\` has to be a text.`;
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    return `Not done: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function linesOf(file: string): string[] | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : undefined;
}
