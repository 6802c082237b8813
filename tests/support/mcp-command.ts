// `subagents mcp` as a process, and a client of it that speaks the protocol by hand.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'dist/cli.js');

/** A folder of a user, with a project in it. */
export class User {
  readonly home = mkdtempSync(join(tmpdir(), 'subagents-command-'));
  readonly project = join(this.home, 'project');
  readonly log = join(this.home, 'fake.log');
  readonly env: Record<string, string>;

  constructor() {
    mkdirSync(this.project);
    mkdirSync(join(this.home, 'bin'));
    this.env = { PATH: `${join(this.home, 'bin')}:/usr/bin:/bin`, HOME: this.home, XDG_STATE_HOME: join(this.home, 'state') };
  }

  /** An agent of a configuration that does as it is told. */
  get fake(): object {
    const command = [process.execPath, join(root, 'tests/support/agents/fake-agent.mjs')];
    return { command, env: { FAKE_LOG: this.log }, permission: 'allow' };
  }

  /** Lets agents go on that wait. */
  go(): void {
    writeFileSync(`${this.log}.go`, '');
  }

  /** The arguments with a configuration: what is given, and an agent that does as it is told. */
  configured(more: object = {}): string[] {
    return this.configuredBy(JSON.stringify({ agents: { fake: this.fake }, ...more }));
  }

  configuredBy(text: string): string[] {
    const path = join(this.home, 'config.json');
    writeFileSync(path, text);
    return ['--config', path];
  }

  /** Runs a command to its end. */
  run(args: readonly string[], env: Record<string, string> = {}): { code: number | null; out: string; err: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
      cwd: this.project,
      env: { ...this.env, ...env },
      input: '',
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  }

  serve(args: readonly string[], env: Record<string, string> = {}): Served {
    return this.start([process.execPath, cli, 'mcp', ...args], env);
  }

  /** Starts it by a script of a shell, whose arguments are the command. */
  serveUnder(script: string, args: readonly string[], env: Record<string, string>): Served {
    return this.start(['sh', '-c', script, 'sh', process.execPath, cli, 'mcp', ...args], env);
  }

  /** Runs a command at a terminal, whose output counts as what it says. */
  inTerminal(args: readonly string[]): Served {
    const command = [process.execPath, cli, ...args].map((part) => `'${part}'`).join(' ');
    return this.start(['sh', '-c', 'exec script -qefc "$1" /dev/null 1>&2', 'sh', `exec ${command}`], { TERM: 'dumb' });
  }

  private start([program = '', ...args]: string[], env: Record<string, string>): Served {
    return new Served(spawn(program, args, { cwd: this.project, env: { ...this.env, ...env } }));
  }
}

interface Message {
  id?: number;
  method?: string;
  params?: { message: string };
  result?: Record<string, unknown>;
  error?: { message: string };
}

export class Served {
  readonly child: ChildProcess;
  /** Resolves once it has ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** Lines of standard output that were no message of the protocol. */
  readonly strange: string[] = [];
  said = '';
  /** Answers for the person at the client; set before `initialize`. */
  elicit: ((params: { message: string }) => object) | undefined;
  private readonly open = new Map<number, (message: Message) => void>();
  private readonly heard: (() => void)[] = [];
  private count = 0;

  constructor(child: ChildProcess) {
    this.child = child;
    this.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
    child.stdin?.on('error', () => undefined);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
      for (const hear of this.heard) hear();
    });
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      try {
        const message = JSON.parse(line) as Message;
        const { id, method, params } = message;
        if (method === undefined) this.open.get(id ?? -1)?.(message);
        else if (id !== undefined && params !== undefined) this.send({ id, result: this.elicit?.(params) });
      } catch {
        this.strange.push(line);
      }
    });
  }

  /** Resolves once its standard error has said this. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.said);
      if (found !== null) return found;
      await new Promise<void>((resolve) => this.heard.push(resolve));
    }
  }

  /** The id of the next request. */
  next(): number {
    this.count += 1;
    return this.count;
  }

  async request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = this.next();
    const answer = new Promise<Message>((resolve) => this.open.set(id, resolve));
    this.send({ id, method, params });
    const { result, error } = await Promise.race([
      answer,
      this.ended.then((): Message => ({ error: { message: `it ended: ${this.said}` } })),
    ]);
    if (result === undefined) throw new Error(error?.message);
    return result;
  }

  send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async initialize(name = 'test', protocolVersion = '2025-06-18'): Promise<this> {
    const capabilities = this.elicit ? { elicitation: {} } : {};
    await this.request('initialize', { protocolVersion, capabilities, clientInfo: { name, version: '1' } });
    this.send({ method: 'notifications/initialized' });
    return this;
  }

  async call(name: string, args: object = {}): Promise<string> {
    const { content } = (await this.request('tools/call', { name, arguments: args })) as { content: { text: string }[] };
    return content.map(({ text }) => text).join('');
  }
}

/** Processes whose environment has this text. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
}
