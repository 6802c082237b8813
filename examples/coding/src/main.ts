// Shows a lead and its sub-agents with a loop of their own, no framework: they edit a small repository, and a person approves.
// This file is the process: arguments, the person, signals, the exit code.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { builtIn } from './built-in.js';
import { endpoint } from './endpoint.js';
import type { Model } from './model.js';
import { KEPT, type Outcome, work } from './team.js';
import { Workspace } from './workspace.js';

const SAME_PRESS_MS = 500;
const NAME_WIDTH = 24;
const LINE_LENGTH = 200;

const HELP = `A lead agent delegates the tasks of a small repository to sub-agents. They work on a copy.

Usage: npm run start:coding -- [OPTIONS]

  --approve HOW        what to do when a sub-agent wants to delete a file: ask, yes or no;
                       default ask in a terminal, no elsewhere
  --base-url URL       an OpenAI-compatible endpoint; the repository's text is sent there
  --model NAME         the model there
  --api-key-env NAME   the environment variable with its key, default OPENAI_API_KEY
  --repository FOLDER  another repository with a TASKS.md; default the one of the example
  --state FOLDER       keeps the work and the copy there. Ctrl-C or SIGTERM waits some seconds for what runs.
                       The same command continues where it stopped. A second Ctrl-C cancels
  --keep               leave the copy, to look at it
  --pace MS            pause before each turn of the built-in model; default 150 in a terminal, 0 elsewhere
  --help

Without an endpoint a built-in model works: it renames, deletes and watches, and understands nothing else.

Exit codes: 0 there is an answer, which also says what was not done, 1 it failed, 2 wrong usage.
130 cancelled by Ctrl-C or SIGTERM. With --state, 130 stopped by Ctrl-C, 143 by SIGTERM.
`;

class UsageError extends Error {}

const stop = new AbortController();
const leave = new AbortController();
/** What each press does; where the work is kept, the first one leaves it to the next process. */
const presses = [stop];
let asked: Promise<unknown> = Promise.resolve();
/** Lines that wait while a person is asked. */
let held: string[] | undefined;
let lastAt = Number.NEGATIVE_INFINITY;
function press(signal: NodeJS.Signals): void {
  // npm passes Ctrl-C on although the terminal has sent it already; one press is one signal. A last press ends it.
  if (Date.now() - lastAt <= SAME_PRESS_MS) return;
  lastAt = Date.now();
  const next = presses.shift();
  if (next === undefined) process.exit(130);
  next.abort(signal);
}
process.on('SIGINT', press).on('SIGTERM', press);
process.stdout.on('error', () => process.exit(0));

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${printable(error instanceof Error ? error.message : String(error))}\n`);
  if (error instanceof UsageError) process.stderr.write('See --help.\n');
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main(): Promise<number> {
  const options = read();
  if (options === undefined) {
    process.stdout.write(HELP);
    return 0;
  }
  const { model, description, approve, repository, keep, state } = options;
  const workspace = open(repository, state);
  if (state !== undefined) presses.unshift(leave);
  /** What is kept has no use any more. */
  let isOver = state === undefined;
  try {
    print(`${description}, in a copy of the repository: ${workspace.folder}\n`);
    const started = Date.now();
    const say = (who: string, what: string): void => {
      const columns = process.stdout.isTTY ? process.stdout.columns - 1 : LINE_LENGTH;
      const name = cut(who, Math.min(NAME_WIDTH, Math.floor(columns / 3)));
      const time = `${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s`;
      print(cut(`${time}  ${name} ${printable(what).replace(/\s+/gu, ' ')}`, columns).trimEnd());
    };
    const outcome = await work({ model, workspace, approve, say, stop: stop.signal, leave: leave.signal, state });
    if (outcome.isLeft) {
      print(`\nStopped. The same command continues from ${state}.`);
      return leave.signal.reason === 'SIGTERM' ? 143 : 130;
    }
    isOver = true;
    print(report(outcome, workspace.diff()));
    return stop.signal.aborted ? 130 : outcome.answer === undefined ? 1 : 0;
  } finally {
    // A question whose answer is no longer needed would keep the process alive.
    stop.abort();
    if (isOver && !keep) workspace.remove();
    if (isOver && !keep && state !== undefined) for (const name of KEPT) rmSync(path.join(state, name), { force: true });
  }
}

function open(repository: string, state: string | undefined): Workspace {
  if (!existsSync(repository)) throw new UsageError(`${repository}: no such folder`);
  if (!existsSync(path.join(repository, 'TASKS.md'))) throw new UsageError(`${repository}: no TASKS.md in it, which lists the work`);
  if (state !== undefined) expectSame(repository, state);
  try {
    return new Workspace(repository, state && path.join(state, 'copy'));
  } catch (error) {
    throw new UsageError(`${repository}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}

/** The work that a folder keeps is on one repository: its name is written there before the copy. */
function expectSame(repository: string, state: string): void {
  const named = path.join(state, 'repository');
  try {
    mkdirSync(state, { recursive: true });
    if (existsSync(named)) {
      const before = readFileSync(named, 'utf8');
      if (before !== repository)
        throw new UsageError(`--state ${state} has work on ${before}: --repository names that, or --state another folder`);
    } else if (!existsSync(path.join(state, 'copy'))) writeFileSync(named, repository);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--state ${state}: ${code === 'EEXIST' ? 'it is not a folder' : (code ?? error)}`);
  }
}

function report({ answer, agents }: Outcome, diff: readonly string[]): string {
  const lines = agents.map(
    ({ label, status, tokens }) => `  ${label.padEnd(NAME_WIDTH)} ${status.padEnd(10)} ${tokens.toLocaleString('en-US')} tokens`,
  );
  return printable(
    ['', 'Changes', ...(diff.length === 0 ? ['none'] : diff), '', 'Sub-agents', ...lines, '', answer ?? 'Stopped before it was done.'].join(
      '\n',
    ),
  );
}

function read() {
  const { 'base-url': baseUrl, 'api-key-env': keyName = 'OPENAI_API_KEY', model: name, approve, pace, ...values } = parsed();
  if (values.help === true) return undefined;
  if ((baseUrl === undefined) !== (name === undefined)) throw new UsageError('--base-url and --model belong together');
  if (baseUrl !== undefined && !/^https?:$/u.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    throw new UsageError('--base-url needs an http or https address');
  }
  if (pace !== undefined && !/^\d+$/u.test(pace)) throw new UsageError(`--pace needs a whole number of milliseconds, got "${pace}"`);
  const how = approve ?? (process.stdin.isTTY ? 'ask' : 'no');
  if (!['ask', 'yes', 'no'].includes(how)) throw new UsageError(`--approve is ask, yes or no, got "${how}"`);
  const model: Model =
    baseUrl === undefined || name === undefined
      ? builtIn(Number(pace ?? (process.stdout.isTTY ? 150 : 0)))
      : endpoint(baseUrl, name, process.env[keyName]?.trim() || undefined);
  const shipped = fileURLToPath(new URL('../repository', import.meta.url));
  return {
    model,
    description: baseUrl === undefined ? 'The built-in model, which is no language model' : `${name} at ${new URL(baseUrl).host}`,
    approve: how === 'ask' ? askPerson : async (question: string) => answered(question, how),
    repository: values.repository === undefined ? shipped : path.resolve(values.repository),
    keep: values.keep === true,
    state: values.state === undefined ? undefined : path.resolve(values.state),
  };
}

function parsed() {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    const names = {
      'base-url': text,
      model: text,
      'api-key-env': text,
      approve: text,
      repository: text,
      pace: text,
      state: text,
      keep: flag,
      help: flag,
    };
    return parseArgs({ options: names }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0]);
  }
}

/** One question after the other, since there is one person; what happens meanwhile is printed after the answer. */
function askPerson(question: string): Promise<boolean> {
  const answer = asked.then(async () => {
    held ??= [];
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    // Ctrl-C at the question is for the whole work.
    lines.on('SIGINT', () => press('SIGINT'));
    try {
      return /^y(?:es)?$/iu.test(
        (await lines.question(`${printable(question)} [y/N] `, { signal: AbortSignal.any([stop.signal, leave.signal]) })).trim(),
      );
    } catch {
      // No answer is none: the next process asks again.
      return leave.signal.aborted && !stop.signal.aborted ? new Promise<boolean>(() => undefined) : false;
    } finally {
      lines.close();
      const waiting = held ?? [];
      held = undefined;
      for (const line of waiting) print(line);
    }
  });
  asked = answer;
  return answer;
}

function answered(question: string, how: string): boolean {
  print(`${printable(question)} ${how} (--approve)`);
  return how === 'yes';
}

function print(line: string): void {
  if (held !== undefined) held.push(line);
  else process.stdout.write(`${line}\n`);
}

/** In exactly so many letters. */
function cut(text: string, length: number): string {
  const letters = [...text];
  return letters.length <= length ? text.padEnd(length) : `${letters.slice(0, length - 1).join('')}…`;
}

/** What files and models say must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}
