// Shows a lead that delegates one sub-agent per document, with the AI SDK, in one budget. This file is the process: standard
// streams, signals, exit code.
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';

import { ask } from './ask.js';
import { checkedQuestion, EXIT, type ExitCode, HELP, parseCommandLine, STOPPED, UsageError } from './cli.js';
import { Library } from './documents.js';
import { chooseModel } from './endpoint.js';
import { firstOf } from './model/evidence.js';
import { asText, exitCodeOf } from './report.js';
import { count, printable } from './terminal.js';

/** npm passes Ctrl-C on to us although the terminal has sent it already; one press is one signal. */
const SAME_PRESS_MS = 500;
const TERMINAL_PACE_MS = 150;

async function main(argv: readonly string[]): Promise<ExitCode> {
  const given = parseCommandLine(argv);
  if (given === undefined) {
    process.stdout.write(HELP);
    return EXIT.answered;
  }
  const paths = given.paths.length > 0 ? given.paths : [shippedDocuments()];
  const library = await Library.open(paths, process.cwd());
  for (const each of firstOf(library.skipped.map((each) => `${each.name}: ${each.reason}`))) {
    process.stderr.write(`skipped ${each}\n`);
  }
  const options = { ...given, question: given.question ?? (await questionFromTerminal()) };

  const pace = options.paceMs ?? (process.stdout.isTTY && !options.json ? TERMINAL_PACE_MS : 0);
  const chosen = chooseModel(options.endpoint, pace, process.env);
  // With --json, stdout carries the JSON alone.
  const out = options.json ? process.stderr : process.stdout;
  out.write(printable(`${options.question}\n${count(library.documents.length, 'document')}, ${chosen.description}\n\n`));

  const stops = stopOnSignal(options.journal !== undefined);
  const report = await ask(options, library, chosen, out, stops.cancel, stops.leave);
  if (report === undefined) {
    out.write(`Stopped. The same command goes on from ${printable(options.journal ?? '')}.\n`);
    return stops.leave.reason === 'SIGTERM' ? STOPPED : EXIT.cancelled;
  }
  process.stdout.write(
    options.json ? `${JSON.stringify(report, null, 2)}\n` : asText(report, process.stdout.isTTY ? process.stdout.columns : undefined),
  );
  return exitCodeOf(report);
}

/** Asks for the question. Throws UsageError if there is no terminal to ask in, or the terminal ends its input. */
async function questionFromTerminal(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('which question? --question "…" asks it of these documents');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const over = new AbortController();
  terminal.once('close', () => over.abort());
  // Ctrl-C at the prompt means no question, and Ctrl-D too.
  const answer = await terminal.question('Your question: ', { signal: over.signal }).catch(() => '');
  terminal.close();
  return checkedQuestion(answer);
}

/** The agent guides in the `ai` package: real documents that every installation has. */
function shippedDocuments(): string {
  const manifest = createRequire(import.meta.url).resolve('ai/package.json');
  return path.join(path.dirname(manifest), 'docs', '03-agents');
}

/** The first Ctrl-C or SIGTERM leaves the work to the next process, where a journal is; the next cancels, one more exits. */
function stopOnSignal(keeps: boolean): { readonly leave: AbortSignal; readonly cancel: AbortSignal } {
  const [leave, cancel] = [new AbortController(), new AbortController()];
  const steps = keeps ? [leave, cancel] : [cancel];
  let lastAt = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: NodeJS.Signals): void => {
    const now = Date.now();
    if (now - lastAt <= SAME_PRESS_MS) return;
    lastAt = now;
    const step = steps.shift();
    if (step === undefined) process.exit(EXIT.cancelled);
    step.abort(signal);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return { leave: leave.signal, cancel: cancel.signal };
}

// A reader that goes away, as `head` does, is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.answered);
  process.stderr.write(`the output could not be written: ${error.code ?? error.message}\n`);
  process.exit(EXIT.unexpected);
});
// Here is only progress: the answer goes to stdout all the same.
process.stderr.on('error', () => {});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${printable(error.message)}\nSee --help.\n`);
    process.exitCode = EXIT.usage;
  } else {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = EXIT.unexpected;
  }
}
