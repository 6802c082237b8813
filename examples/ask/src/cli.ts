// The command line: what may be given, what is wrong about it, and what each exit code means.
// It never reads a document and never starts anything.
import { parseArgs } from 'node:util';

/** What the process ends with. `--help` prints this table. */
export const EXIT = {
  answered: 0,
  unexpected: 1,
  usage: 2,
  noEvidence: 3,
  partial: 4,
  cancelled: 130,
} as const;
/** By SIGTERM, with a journal: there is no report then. */
export const STOPPED = 143;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT] | typeof STOPPED;

/** A mistake of the caller: printed as one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An OpenAI-compatible endpoint instead of the built-in model. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKeyEnv: string;
}

export interface Options {
  readonly question: string;
  /** Folders or files; empty means the documents that ship with the dependencies. */
  readonly paths: readonly string[];
  readonly maxConcurrent: number;
  /** Tokens that the lead and all its sub-agents share. */
  readonly budget: number;
  readonly delegate: boolean;
  readonly json: boolean;
  /** Where the work is kept, so that the next process goes on with it. */
  readonly journal: string | undefined;
  /** Pause before each turn of the built-in model, in ms; undefined leaves it to the output. */
  readonly paceMs: number | undefined;
  readonly endpoint: Endpoint | undefined;
}

export const DEFAULT_QUESTION = 'After how many steps does an agent stop by default?';
export const DEFAULT_BUDGET = 200_000;
const DEFAULT_CONCURRENT = 3;
const MAX_QUESTION_LENGTH = 2_000;

export const HELP = `Answers a question over documents: a lead agent delegates one sub-agent per document.

Usage: npm start -- [OPTIONS] [FOLDER or FILES…]
Without a folder: the agent guides of the AI SDK, as they ship in its npm package.

  --question TEXT      over your own documents it is needed, or asked for in a terminal; without a
                       folder the default is "${DEFAULT_QUESTION}"
  --max-concurrent N   sub-agents at the same time, default ${DEFAULT_CONCURRENT}
  --budget TOKENS      shared by the lead and its sub-agents, default ${DEFAULT_BUDGET}
  --no-delegate        the lead without the sub-agent tool, to compare
  --json               answer, sources and statistics as JSON on stdout; npm puts lines of its own
                       before it, which npm start --silent -- --json leaves out
  --base-url URL       an OpenAI-compatible endpoint; the documents' text is sent there
  --model NAME         the model there
  --api-key-env NAME   the environment variable with its key, default OPENAI_API_KEY
  --journal FILE       keeps the work there: Ctrl-C or SIGTERM lets what runs end for some seconds, and
                       the same command goes on where it stopped; a second Ctrl-C cancels. Another
                       question, folder, budget or model needs another file, and changed documents do
  --pace MS            pause before each turn of the built-in model, so that the tree can be
                       watched; default 150 in a terminal, 0 elsewhere
  --help

Without --base-url and --model the built-in extractive-ranker answers. It is not a language
model: it ranks the documents' sentences against the question's words and quotes the best.

Exit codes:
  ${EXIT.answered}    answered
  ${EXIT.unexpected}    unexpected error
  ${EXIT.usage}    wrong usage: an unknown option, a missing folder, nothing readable in it
  ${EXIT.noEvidence}    no evidence found
  ${EXIT.partial}    partial answer: the budget ran out, a sub-agent failed, an answer was cut off,
       or a document vanished
  ${EXIT.cancelled}  cancelled by Ctrl-C or SIGTERM; with --journal, stopped by Ctrl-C
  ${STOPPED}  with --journal, stopped by SIGTERM
`;

/** The options as they were given: over documents of one's own, a question may be missing. */
export type GivenOptions = Omit<Options, 'question'> & { readonly question: string | undefined };

/** Reads the arguments; undefined means that help was asked for. Throws UsageError. */
export function parseCommandLine(argv: readonly string[]): GivenOptions | undefined {
  const { values, positionals } = readArguments(argv);
  if (values.help) return undefined;

  const question = values.question ?? (positionals.length === 0 ? DEFAULT_QUESTION : undefined);
  if (values.journal === '') throw new UsageError('--journal is empty');
  return {
    question: question === undefined ? undefined : checkedQuestion(question),
    paths: positionals,
    maxConcurrent: count('--max-concurrent', values['max-concurrent']) ?? DEFAULT_CONCURRENT,
    budget: count('--budget', values.budget) ?? DEFAULT_BUDGET,
    delegate: !values['no-delegate'],
    json: values.json ?? false,
    journal: values.journal,
    paceMs: values.pace === '0' ? 0 : count('--pace', values.pace),
    endpoint: endpointOf(values['base-url'], values.model, values['api-key-env']),
  };
}

/** A question in one line. Throws UsageError. */
export function checkedQuestion(given: string): string {
  const question = given.replace(/\s+/gu, ' ').trim();
  if (question === '') throw new UsageError('--question is empty');
  if (question.length > MAX_QUESTION_LENGTH) {
    throw new UsageError(`--question is longer than ${MAX_QUESTION_LENGTH} characters`);
  }
  return question;
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        question: { type: 'string' },
        'max-concurrent': { type: 'string' },
        budget: { type: 'string' },
        'no-delegate': { type: 'boolean' },
        json: { type: 'boolean' },
        journal: { type: 'string' },
        'base-url': { type: 'string' },
        model: { type: 'string' },
        'api-key-env': { type: 'string' },
        pace: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    // parseArgs explains at length how to pass a positional that begins with a dash; its first sentence is enough.
    throw new UsageError((error as Error).message.split('. ')[0] ?? 'wrong arguments');
  }
}

function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replaceAll('_', ''));
  if (!/^[\d_]+$/u.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new UsageError(`${option} needs a whole number of at least 1, got "${text}"`);
  }
  return value;
}

function endpointOf(baseUrl: string | undefined, model: string | undefined, apiKeyEnv: string | undefined): Endpoint | undefined {
  if (baseUrl === undefined && model === undefined) {
    if (apiKeyEnv !== undefined) throw new UsageError('--api-key-env needs --base-url and --model');
    return undefined;
  }
  if (baseUrl === undefined || model === undefined) throw new UsageError('--base-url and --model belong together');
  const protocol = URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new UsageError(`--base-url needs an http or https address, got "${baseUrl}"`);
  }
  // What may be a secret is not repeated.
  const { username, password } = new URL(baseUrl);
  if (username !== '' || password !== '') throw new UsageError('--base-url may hold no user and password; --api-key-env names the key');
  if (model.trim() === '') throw new UsageError('--model is empty');
  if (apiKeyEnv !== undefined && !/^[A-Za-z_]\w*$/u.test(apiKeyEnv)) {
    throw new UsageError('--api-key-env takes the name of an environment variable, not the key itself');
  }
  return { baseUrl, model, apiKeyEnv: apiKeyEnv ?? 'OPENAI_API_KEY' };
}
