#!/usr/bin/env node
// `npx subagents inspect`: a manager's past and present, from its journal or its server. Owns the options, the output,
// and the exit codes.

import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type InspectorSource, type SubAgentEvent, View } from 'subagents/view';
import { type JournalContents, listSource } from '../src/contents.js';
import { isRedis, redisName } from './growing-redis.js';
import { isServer, OpenJournal, readJournal, serverAt } from './journal.js';
import { plain, plainJson } from './plain.js';
import { serveInspector } from './server.js';
import { show, timeOf } from './show.js';
import { Misused, messageOf, Unreadable } from './unreadable.js';

declare const PACKAGE_VERSION: string;

const USAGE = `subagents ${PACKAGE_VERSION}

usage: subagents inspect JOURNAL [options]   shows what a manager with a store did
       subagents inspect URL [options]       shows a manager that runs
       subagents inspect                     lists the journals of subagents mcp, and shows the one that is chosen
       subagents mcp --help                  a server of MCP whose sub-agents are the agents of this machine
       subagents doctor                      which agents there are, and what is missing
       subagents --version                   the version of this package

JOURNAL is one of these. It may be in use: nothing is written to it, and no lock is taken.
  the file of fileStore
  a SQLite database of sqliteStore (Node 22.13 or newer)
  a file of events as JSON, one a line
  the Redis of redisStore: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], rediss://… or unix:///PATH[?db=DATABASE]

Redis needs the package ioredis or redis in this folder. Its password may be in REDISCLI_AUTH.
URL is what serveInspector printed for a running manager, with #token=… at its end. The token may be in
SUBAGENTS_TOKEN instead: then no list of processes shows it.

  --at SEQ|TIME   as it was after the event of that number, or at that time (2026-01-31T12:00:00Z)
  --events        the events, one a line, up to --at
  --follow        also shows what follows, until you interrupt it
  --json          as JSON
  --web           serves the inspector on localhost and prints its address. A journal is read-only.
                  A running manager offers the calls that its server allows.
  --port N        the port of --web (a free one)
  --table NAME    the name that the tables of a SQLite database begin with (subagents)
  --key NAME      the key of a store in Redis (subagents)
  --rows N        lines in each part, at most: tree, timeline, budgets, notices (50)
  -h, --help      this text
  -v, --version   the version of this package

exit codes
  0  the journal is whole
  1  it is damaged: what is shown can be trusted
  2  the call is wrong
  3  it can't be read, or the output can't be written`;

const FOLLOW_MS = 300;
const [WHOLE, DAMAGED, MISUSED, UNREADABLE] = [0, 1, 2, 3];

interface Options {
  readonly path: string;
  readonly at: string | undefined;
  readonly events: boolean;
  readonly follow: boolean;
  readonly json: boolean;
  readonly web: boolean;
  readonly port: number;
  /** The prefix of a database's tables, or of the keys in Redis. */
  readonly key: string | undefined;
  readonly rows: number;
}

function optionsOf(args: string[]): Options | undefined {
  const boolean = { type: 'boolean', default: false } as const;
  const string = { type: 'string' } as const;
  let parsed: ReturnType<typeof parse>;
  const parse = () =>
    parseArgs({
      args,
      allowPositionals: true,
      options: {
        at: string,
        events: boolean,
        follow: boolean,
        json: boolean,
        web: boolean,
        port: string,
        table: string,
        key: string,
        rows: string,
        help: { ...boolean, short: 'h' },
      },
    });
  try {
    parsed = parse();
  } catch (error) {
    // Only the mistake: the rest is about options that begin with a dash.
    const [said = ''] = messageOf(error).split(/\.\s/u);
    const [, name] = /^Option '(--\w+)\b.*ambiguous$/u.exec(said) ?? [];
    throw new Misused(name === undefined ? said : `${name} takes a value, and none begins with a dash`);
  }
  const { values, positionals } = parsed;
  if (values.help || args.length === 0) return undefined;
  const [command, path, ...others] = positionals;
  if (command !== 'inspect')
    throw new Misused(
      command === undefined
        ? 'which command? There are `inspect`, `mcp` and `doctor`'
        : `${command} is no command of this program: it has \`inspect\`, \`mcp\` and \`doctor\``,
    );
  if (path === undefined) throw new Misused('which journal? Name its file, or the address of a server');
  if (others.length > 0) throw new Misused(`one journal at a time, and ${others.join(' ')} is another one`);
  const { at, events, follow, json, web } = values;
  if (web && (follow || events || json || at !== undefined || values.rows !== undefined))
    throw new Misused('--web goes with --port, --table and --key alone');
  if (!web && values.port !== undefined) throw new Misused('--port is of --web alone');
  if ((events || json) && values.rows !== undefined) throw new Misused('--rows goes with neither --events nor --json, which show all');
  if (isServer(path) && values.table !== undefined) throw new Misused('--table is of a SQLite database alone');
  if (isRedis(path) ? values.table !== undefined : values.key !== undefined)
    throw new Misused(isRedis(path) ? '--key names a store in Redis, --table tables' : '--key is of a store in Redis alone');
  const key = values.key ?? values.table;
  return { path, at, events, follow, json, web, key, port: whole('--port', values.port, 0), rows: whole('--rows', values.rows, 50) };
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  const most = name === '--port' ? 65_535 : Number.MAX_SAFE_INTEGER;
  if (text === '' || !Number.isSafeInteger(number) || number < 0 || number > most)
    throw new Misused(`${name} takes a whole number ${name === '--port' ? 'from 0 to 65535' : 'from 0 on'}`);
  return number;
}

/** The number of the event that `--at` gives, directly or by a time. */
function seqOf(view: View, at: string | undefined): number {
  if (at === undefined) return view.last;
  if (/^\d{1,12}$/u.test(at)) return Number(at);
  const time = timeIn(at);
  if (Number.isNaN(time)) throw new Misused(`--at takes the number of an event or a time, such as ${new Date(0).toISOString()}`);
  return view.seqAt(time);
}

function timeIn(at: string): number {
  // JavaScript reads a time in other texts, too: 1.5 is the fifth of January.
  return /^\d{13}$/u.test(at) ? Number(at) : /^\d{4}-\d\d/u.test(at) ? Date.parse(at) : Number.NaN;
}

async function inspect(options: Options): Promise<number> {
  const { path, key } = options;
  if (options.web) return isServer(path) ? webOfServer(options) : webOfJournal(options);
  if (isServer(path)) return print(options, await readJournal(path), (last, signal) => comingFrom(path, last, signal));
  const { journal, contents } = await OpenJournal.read(path, { key });
  try {
    return await print(options, contents, (last, signal) => grown(options, journal, last, signal));
  } finally {
    await journal.close();
  }
}

type Grown = Pick<JournalContents, 'events' | 'damage'>;

/** @param coming yields the contents after an event */
async function print(
  options: Options,
  contents: JournalContents,
  coming: (last: number, signal: AbortSignal) => AsyncIterable<Grown>,
): Promise<number> {
  const view = printMoment(options, contents);
  sayWhereItEnds(view, options.at, contents.base);
  report(contents);
  if (contents.damage !== undefined) return DAMAGED;
  if (options.follow) await follow(options, view.last, coming);
  return WHOLE;
}

/** Prints a moment, or the events up to it. */
function printMoment({ at, events, json, rows }: Options, contents: JournalContents): View {
  try {
    const view = viewOf(contents);
    const seq = seqOf(view, at);
    if (events) for (const event of view.events(0, seq)) out(eventLine(event, json));
    else if (json) out(jsonOf(view, contents, seq));
    else if (contents.damage === undefined || view.last > 0)
      out(show(view, view.at(seq), { columns: columnsOfTerminal(), rows, since: contents.base?.at }).trimEnd());
    return view;
  } catch (error) {
    // A store's records are checked when they are read. In a list of events, any field may be missing or wrong.
    if (error instanceof Misused || contents.kind !== 'events') throw error;
    throw new Unreadable(`these events can't be shown, a field of one is missing or of another type: ${messageOf(error)}`);
  }
}

/** Reports it if the journal doesn't have the requested moment. */
function sayWhereItEnds(view: View, at: string | undefined, base: JournalContents['base']): void {
  if (at === undefined) return;
  const isNumber = /^\d{1,12}$/u.test(at);
  const asked = isNumber ? Number(at) : timeIn(at);
  const place = ({ seq, at }: { readonly seq: number; readonly at: number }): number => (isNumber ? seq : at);
  const first = base ?? view.eventAt(0);
  const nothing = isNumber ? 0 : Number.NEGATIVE_INFINITY;
  if (first === undefined) {
    if (asked > nothing) say(`--at ${at}: there is no event yet`);
  } else if (asked > place(view.now)) {
    say(`--at ${at} is after the last event, ${view.last}, of ${timeOf(view.now.at)}: what is shown is how it stood after that one`);
  } else if (asked < place(first) && base !== undefined) {
    say(`--at ${at} is before the snapshot of ${timeOf(base.at)}: what is shown is the snapshot, after event ${base.seq}`);
  } else if (asked < place(first) && !(isNumber && first.seq === 1)) {
    say(`--at ${at} is before the first event, ${first.seq}, of ${timeOf(first.at)}: what is shown is how it stood before that one`);
  }
}

/** Infinite, so that nothing is cut, if the output is no terminal, or one of unknown width. */
function columnsOfTerminal(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}

function viewOf({ base, events, refusals = [] }: JournalContents): View {
  const view = new View({ maxEvents: Number.POSITIVE_INFINITY });
  if (base !== undefined) view.begin(base);
  view.add(events);
  view.refuse(refusals);
  return view;
}

/** Mistakes go to standard error, so that a program can read the rest. */
function report({ kind, damage, cut, base }: Pick<JournalContents, 'damage' | 'cut' | 'base'> & { kind?: JournalContents['kind'] }): void {
  // Before the first sub-agent nothing has happened that anyone misses.
  if (base !== undefined && base.tasks.length + base.runsEnded > 0) say(missing(kind, base.seq));
  if (cut > 0) say(`the last ${cut === 1 ? 'byte is' : `${cut} bytes are`} torn, as a crash leaves it: what is torn is left out`);
  if (damage === undefined) return;
  say(`DAMAGED: ${plain(damage.message)}`);
  say(
    damage.lastSeq === 0
      ? 'nothing in it can be trusted'
      : `what is shown can be trusted: it ends with event ${damage.lastSeq}; nothing after that can`,
  );
}

/** The text about the missing part of the past. */
function missing(kind: JournalContents['kind'] | undefined, seq: number): string {
  const why = kind === 'server' ? 'the server began to record when it was started' : 'the journal was compacted';
  return `${why}: of the events up to ${seq} only their outcome is shown`;
}

/** Shows new events as they come, until it is interrupted. */
async function follow({ json }: Options, last: number, coming: Parameters<typeof print>[2]): Promise<void> {
  const over = new AbortController();
  void interrupted().then(() => over.abort());
  let shown = last;
  try {
    for await (const { events, damage } of coming(last, over.signal)) {
      for (const event of events) {
        if (event.seq <= shown) continue;
        out(eventLine(event, json));
        shown = event.seq;
      }
      if (damage === undefined) continue;
      report({ damage, cut: 0, base: undefined });
      process.exitCode = DAMAGED;
      return;
    }
  } finally {
    over.abort();
  }
}

/** New events of a server, after an event; throws if the server is gone. */
async function* comingFrom(path: string, last: number, signal: AbortSignal): AsyncGenerator<Grown> {
  try {
    for await (const { events } of serverAt(path).events(last + 1, signal)) yield { events: [...events], damage: undefined };
  } catch (error) {
    if (!signal.aborted) throw new Unreadable(messageOf(error));
  }
}

/** New contents of a journal, as they come: only new records are read. */
async function* grown({ path, key }: Options, journal: OpenJournal, last: number, signal: AbortSignal): AsyncGenerator<Grown> {
  let shown = last;
  let open = journal;
  try {
    while (!signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
      const events = await open.next();
      shown = Math.max(shown, events.at(-1)?.seq ?? 0);
      yield { events, damage: open.damage };
      if (!open.isStale && !open.isCopy) continue;
      await open.close();
      open = await OpenJournal.open(path, { key });
      const { seq = 0 } = open.base ?? {};
      if (seq > shown) say(`the journal was compacted after that: events ${shown + 1} to ${seq} are known by their outcome alone`);
      shown = Math.max(shown, seq);
    }
  } finally {
    if (open !== journal) await open.close();
  }
}

/** Serves the page over the current contents of a journal. */
async function webOfJournal(options: Options): Promise<number> {
  const { path, key } = options;
  const contents = await readJournal(path, { key });
  report(contents);
  await serve(listSource(redisName(path), contents), options);
  return contents.damage === undefined ? WHOLE : DAMAGED;
}

/** Serves the page over a remote server: passes on the calls that the remote server allows. */
async function webOfServer(options: Options): Promise<number> {
  const source = serverAt(options.path);
  await source.info().catch((error: unknown) => {
    throw new Unreadable(messageOf(error));
  });
  await serve(source, options);
  return WHOLE;
}

/** Serves the page until it is interrupted. */
async function serve(source: InspectorSource, { port }: Options): Promise<void> {
  const server = await serveInspector(source, { port }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
    const { code } = error.cause ?? {};
    throw code === undefined ? error : new Misused(`port ${port} can't be had (${code}): --port takes another one, or none`);
  });
  out(server.url);
  say('Ctrl-C ends it');
  await interrupted();
  await server.close();
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

function eventLine(event: SubAgentEvent, json: boolean): string {
  if (json) return plainJson(event);
  const { type, seq, at, ...fields } = event;
  const label = 'label' in event ? (event.label ?? '') : '';
  const shown = Object.entries(fields).filter(
    ([name, value]) => !['label', 'metadata', 'parentId'].includes(name) && value !== null && value !== false,
  );
  const text = shown.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
  return `${timeOf(at)} ${String(seq).padStart(6)} ${plain(type, 40).padEnd(16)} ${plain(label, 24)} ${plain(text, 200)}`.trimEnd();
}

function jsonOf(view: View, { kind, cut, damage }: JournalContents, seq: number): string {
  const frame = view.at(seq);
  const nodes = [...frame.tree()].map((node) => {
    const { epoch: _, ...known } = node as typeof node & { epoch?: number };
    return { ...known, times: frame.times(node), obstacle: obstacleOf(frame.obstacle(node)), lane: view.lane(node.index, seq) };
  });
  const { counts, slots, limits, cooldowns, drain } = frame;
  const shown = {
    kind,
    seq: frame.seq,
    at: frame.at,
    last: view.last,
    cut,
    damage: damage ?? null,
    counts,
    slots,
    limits,
    cooldowns,
    drain,
  };
  // JSON has no infinity: an absent cap is null.
  return plainJson({ ...shown, ledger: frame.ledger(), nodes, inbox: frame.inbox() });
}

function obstacleOf(obstacle: ReturnType<ReturnType<View['at']>['obstacle']>): unknown {
  return obstacle?.kind === 'parked' ? { ...obstacle, tasks: obstacle.tasks.map(({ id }) => id) } : obstacle;
}

function out(text: string): void {
  process.stdout.write(`${text}\n`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Lists the journals of `subagents mcp`. At a terminal, resolves to the arguments with the chosen journal. */
async function chosen(args: string[]): Promise<string[] | undefined> {
  const { knownJournals } = await import('../../command/main.js');
  const known = knownJournals();
  for (const [at, { path, client, folder, changedAt, inUse }] of known.entries())
    out(`${at + 1}  ${changedAt.toISOString()}  ${plain(client, 40)}  ${plain(folder, 200)}${inUse ? '  in use' : ''}\n   ${path}`);
  if (known.length === 0) out('There is no journal of `subagents mcp` yet; name another journal: subagents inspect JOURNAL');
  if (known.length === 0 || !process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asking.question('Which one? ');
  asking.close();
  const journal = known[Number(answer) - 1];
  if (journal === undefined) throw new Misused(`there is no journal ${plain(answer, 40)}: type a number of the list`);
  return ['inspect', journal.path, ...(journal.inUse ? ['--follow'] : []), ...args];
}

async function main(): Promise<number> {
  try {
    const [command, ...rest] = process.argv.slice(2);
    if ([command, rest[0]].some((arg) => arg === '--version' || arg === '-v')) {
      out(PACKAGE_VERSION);
      return WHOLE;
    }
    if (command === 'mcp' || command === 'doctor') {
      const { run } = await import('../../command/main.js');
      const code = await run(command, rest, out, say);
      // An agent's open handles must not keep the process alive.
      if (command === 'mcp') process.exit(code);
      return code;
    }
    const isBare = command === 'inspect' && rest.every((arg) => arg === '--json' || arg === '--web' || arg === '--follow');
    const args = isBare ? await chosen(rest) : process.argv.slice(2);
    if (args === undefined) return WHOLE;
    const options = optionsOf(args);
    if (options === undefined) {
      out(USAGE);
      return WHOLE;
    }
    return await inspect(options);
  } catch (error) {
    if (error instanceof Misused) {
      say(`${plain(error.message)}\nsubagents inspect --help says what there is`);
      return MISUSED;
    }
    if (!(error instanceof Unreadable)) throw error;
    say(plain(error.message));
    return UNREADABLE;
  }
}

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(WHOLE);
  say(`the output can't be written: ${code ?? message}`);
  process.exit(UNREADABLE);
});
process.exitCode = (await main()) || (process.exitCode ?? 0);
