#!/usr/bin/env node
// `npx subagents inspect JOURNAL`: what a manager did, from its journal, at any moment. Owns the options, what is printed
// where, and the exit codes.

import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { COMMANDS, type InspectorBatch, type InspectorSource, type SubAgentEvent, View } from 'subagents/view';
import { type JournalContents, messageOf, readJournal, Unreadable } from './journal.js';
import { plain } from './plain.js';
import { serveInspector } from './server.js';
import { show, timeOf } from './show.js';

const USAGE = `usage: subagents inspect JOURNAL [options]

JOURNAL is the file of fileStore, a SQLite database of sqliteStore (Node 22.13 or newer), or events as JSON,
one a line. Nothing is written into it, and it may be in use.

  --at SEQ|TIME   as it was after the event of that number, or at that time (2026-01-31T12:00:00Z)
  --events        the events themselves, one a line, up to --at
  --follow        shows what follows, too, until it is interrupted
  --json          as JSON
  --web           serves the inspector's page over the journal, on this host alone, and prints its address
  --port N        the port of --web; one that is free without it
  --table NAME    the name that the tables of a SQLite database begin with (subagents)
  --rows N        so many sub-agents at most (50)
  --help          this text

exit codes: 0 the journal is whole, 1 it is damaged: what is shown is what can be trusted, 2 the call is wrong,
3 it can't be read`;

const FOLLOW_MS = 300;
const [WHOLE, DAMAGED, MISUSED, UNREADABLE] = [0, 1, 2, 3];

class Misused extends Error {}

interface Options {
  readonly path: string;
  readonly at: string | undefined;
  readonly events: boolean;
  readonly follow: boolean;
  readonly json: boolean;
  readonly web: boolean;
  readonly port: number;
  readonly table: string | undefined;
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
        rows: string,
        help: boolean,
      },
    });
  try {
    parsed = parse();
  } catch (error) {
    throw new Misused(messageOf(error));
  }
  const { values, positionals } = parsed;
  if (values.help || args.length === 0) return undefined;
  const [command, path, ...others] = positionals;
  if (command !== 'inspect') throw new Misused(`${command ?? 'nothing'} is no command of this program: it has \`inspect\``);
  if (path === undefined) throw new Misused('which journal?');
  if (others.length > 0) throw new Misused(`one journal at a time, and ${others.join(' ')} is another one`);
  if (values.web && (values.follow || values.events || values.json || values.at !== undefined))
    throw new Misused('--web goes with --port and --table alone');
  const { at, events, follow, json, web, table } = values;
  return { path, at, events, follow, json, web, table, port: whole('--port', values.port, 0), rows: whole('--rows', values.rows, 50) };
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (text === '' || !Number.isSafeInteger(number) || number < 0 || (name === '--port' && number > 65_535))
    throw new Misused(`${name} takes a whole number`);
  return number;
}

/** The number of an event that was asked for by itself or by a time. */
function seqOf(view: View, at: string | undefined): number {
  if (at === undefined) return view.last;
  if (/^\d{1,12}$/u.test(at)) return Number(at);
  const time = /^\d{13}$/u.test(at) ? Number(at) : Date.parse(at);
  if (Number.isNaN(time)) throw new Misused(`--at takes the number of an event or a time, such as ${new Date(0).toISOString()}`);
  return view.seqAt(time);
}

async function inspect(options: Options): Promise<number> {
  const contents = await readJournal(options.path, { key: options.table });
  if (options.web) return web(options, contents);
  const view = viewOf(contents);
  const seq = seqOf(view, options.at);
  if (options.events) for (const event of view.events(0, seq)) out(eventLine(event, options.json));
  else if (options.json) out(jsonOf(view, contents, seq));
  else out(show(view, view.at(seq), { columns: process.stdout.columns ?? 120, rows: options.rows }).trimEnd());
  report(contents);
  if (options.follow) await follow(options, view);
  return contents.damage === undefined ? WHOLE : DAMAGED;
}

function viewOf({ base, events }: JournalContents): View {
  const view = new View({ maxEvents: Number.POSITIVE_INFINITY });
  if (base !== undefined) view.begin(base);
  view.add(events);
  return view;
}

/** What is wrong goes where errors go, so that the rest can be read by a program. */
function report({ damage, cut, base }: JournalContents): void {
  if (base !== undefined) say(`the journal was compacted: what happened up to event ${base.seq} is known by its outcome alone`);
  if (cut > 0) say(`the last ${cut} bytes are torn, as a crash leaves them: they are left out`);
  if (damage === undefined) return;
  say(`DAMAGED: ${plain(damage.message)}`);
  say(
    damage.lastSeq === 0
      ? 'nothing in it can be trusted'
      : `what is shown can be trusted: it ends with event ${damage.lastSeq}; nothing after that can`,
  );
}

async function follow(options: Options, view: View): Promise<void> {
  // Read once more: it may have grown while what it had was shown.
  let size = -1;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
    const now = await stat(options.path).catch(() => undefined);
    // A database writes ahead, so its own size says nothing.
    if (now === undefined || (now.size === size && !/\.(?:db|sqlite3?)$/u.test(options.path))) continue;
    size = now.size;
    const contents = await readJournal(options.path, { key: options.table }).catch(() => undefined);
    if (contents === undefined) continue;
    const last = view.last;
    for (const event of contents.events.filter(({ seq }) => seq > last)) out(eventLine(event, options.json));
    view.add(contents.events);
    if (contents.damage !== undefined) {
      report(contents);
      process.exitCode = DAMAGED;
      return;
    }
  }
}

async function web(options: Options, contents: JournalContents): Promise<number> {
  report(contents);
  const server = await serveInspector(sourceOf(contents, options.path), { port: options.port });
  out(server.url);
  say('Ctrl-C ends it');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  return contents.damage === undefined ? WHOLE : DAMAGED;
}

/** A journal that was read, for the page. */
function sourceOf({ base, events, damage }: JournalContents, title: string): InspectorSource {
  const STEP = 2_000;
  const none = COMMANDS.slice(0, 0);
  const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? base?.seq ?? 0];
  return {
    info: async () => ({ title, live: false, commands: none, first: base === undefined ? first : first - 1, last }),
    async *events(from): AsyncGenerator<InspectorBatch> {
      let at = from - first;
      if (base !== undefined && from < first) yield { base, events: [] };
      for (at = Math.max(0, at); at < events.length; at += STEP) yield { events: events.slice(at, at + STEP) };
      if (damage !== undefined) yield { events: [], damage: { message: damage.message } };
    },
    command: async () => ({ ok: false, code: 'read_only', message: 'this is a journal: there is no manager to ask' }),
  };
}

function eventLine(event: SubAgentEvent, json: boolean): string {
  if (json) return JSON.stringify(event);
  const { type, seq, at, ...fields } = event;
  const label = 'label' in event ? (event.label ?? '') : '';
  const shown = Object.entries(fields).filter(
    ([name, value]) => !['label', 'metadata', 'parentId'].includes(name) && value !== null && value !== false,
  );
  const text = shown.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
  return `${timeOf(at)} ${String(seq).padStart(6)} ${type.padEnd(16)} ${plain(label, 24)} ${plain(text, 200)}`.trimEnd();
}

function jsonOf(view: View, { kind, cut, damage }: JournalContents, seq: number): string {
  const frame = view.at(seq);
  const nodes = [...frame.tree()].map((node) => {
    const { epoch: _, ...known } = node as typeof node & { epoch?: number };
    return { ...known, times: frame.times(node), obstacle: obstacleOf(frame.obstacle(node)), lane: view.lane(node.index, seq) };
  });
  const { counts, slots, limits, cooldowns, drain } = frame;
  const told = {
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
  // JSON has no infinity: what is not capped is null.
  return JSON.stringify({ ...told, ledger: frame.ledger(), nodes, inbox: frame.inbox() });
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

async function main(): Promise<number> {
  try {
    const options = optionsOf(process.argv.slice(2));
    if (options === undefined) {
      out(USAGE);
      return WHOLE;
    }
    return await inspect(options);
  } catch (error) {
    if (error instanceof Misused) {
      say(`${plain(error.message)}\n\n${USAGE}`);
      return MISUSED;
    }
    if (!(error instanceof Unreadable)) throw error;
    say(plain(error.message));
    return UNREADABLE;
  }
}

// A reader that has seen enough, as `head` has, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : UNREADABLE));
process.exitCode = (await main()) || (process.exitCode ?? 0);
