// Shows a lead that delegates one sub-agent per document, with the AI SDK, in one budget. This file is the process: standard
// streams, signals, exit code.
import { createRequire } from 'node:module';
import path from 'node:path';

import { ask } from './ask.js';
import { EXIT, type ExitCode, HELP, parseCommandLine, UsageError } from './cli.js';
import { Library } from './documents.js';
import { chooseModel } from './endpoint.js';
import { firstOf } from './model/evidence.js';
import { count } from './model/words.js';
import { asText } from './report.js';
import { printable } from './terminal.js';

/** npm passes Ctrl-C on to us although the terminal has sent it already; one press is one signal. */
const SAME_PRESS_MS = 500;
const TERMINAL_PACE_MS = 150;

async function main(argv: readonly string[]): Promise<ExitCode> {
  const options = parseCommandLine(argv);
  if (options === undefined) {
    process.stdout.write(HELP);
    return EXIT.answered;
  }
  const paths = options.paths.length > 0 ? options.paths : [shippedDocuments()];
  const library = await Library.open(paths, process.cwd());
  const skipped = firstOf(library.skipped.map((each) => `${each.name}: ${each.reason}`));
  for (const each of skipped) process.stderr.write(`skipped ${each}\n`);
  const pace = options.paceMs ?? (process.stdout.isTTY && !options.json ? TERMINAL_PACE_MS : 0);
  const chosen = chooseModel(options.endpoint, pace, process.env);
  // With --json, stdout carries the JSON alone.
  const out = options.json ? process.stderr : process.stdout;
  out.write(printable(`${options.question}\n${count(library.documents.length, 'document')}, ${chosen.description}\n\n`));
  const report = await ask(options, library, chosen, out, stopOnSignal());
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : asText(report, process.stdout.columns));
  return EXIT[report.outcome];
}

/** The agent guides in the `ai` package: real documents that every installation has. */
function shippedDocuments(): string {
  const manifest = createRequire(import.meta.url).resolve('ai/package.json');
  return path.join(path.dirname(manifest), 'docs', '03-agents');
}

/** The first Ctrl-C or SIGTERM cancels, the second one exits at once. */
function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  let lastAt = Number.NEGATIVE_INFINITY;
  const onSignal = (): void => {
    const now = Date.now();
    if (now - lastAt <= SAME_PRESS_MS) return;
    lastAt = now;
    if (stop.signal.aborted) process.exit(EXIT.cancelled);
    stop.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return stop.signal;
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
  const isUsage = error instanceof UsageError;
  const said = isUsage ? `${printable(error.message)}\nSee --help.` : error instanceof Error ? (error.stack ?? error.message) : error;
  process.stderr.write(`${said}\n`);
  process.exitCode = isUsage ? EXIT.usage : EXIT.unexpected;
}
