// The command line: what may be given, what is wrong about it, and what each exit code means.
import { parseArgs } from 'node:util';

/** What the process ends with. `--help` prints this table. */
export const EXIT = { answered: 0, unexpected: 1, usage: 2, noEvidence: 3, partial: 4, cancelled: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A mistake of the caller: printed as one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Options = NonNullable<ReturnType<typeof parseCommandLine>>;

/** Tokens that are set aside for a turn, unless the one before has used more; a smaller budget is refused. */
export const TURN_ESTIMATE = 2_000;
const DEFAULT_QUESTION = 'After how many steps does an agent stop by default?';
const DEFAULT_BUDGET = 200_000;
const DEFAULT_CONCURRENT = 3;

export const HELP = `Answers a question over documents: a lead agent delegates one sub-agent per document.

Usage: npm start -- [OPTIONS] [FOLDER or FILES…]
Without a folder: the agent guides of the AI SDK, as they ship in its npm package.

  --question TEXT      over your own documents it is needed; without a folder the default is
                       "${DEFAULT_QUESTION}"
  --max-concurrent N   sub-agents at the same time, default ${DEFAULT_CONCURRENT}
  --budget TOKENS      shared by the lead and its sub-agents, default ${DEFAULT_BUDGET}
  --json               answer, sources and statistics as JSON: npm start --silent -- --json
  --base-url URL       an OpenAI-compatible endpoint; the documents' text is sent there
  --model NAME         the model there
  --api-key-env NAME   the environment variable with its key, default OPENAI_API_KEY
  --pace MS            pause before each turn of the built-in model, default 150 in a terminal, else 0
  --help

Without --base-url and --model the built-in extractive-ranker answers. It is not a language
model: it ranks the documents' sentences against the question's words and quotes the best.

Exit codes:
  ${EXIT.answered}    answered
  ${EXIT.unexpected}    unexpected error
  ${EXIT.usage}    wrong usage: an unknown option, a missing folder, nothing readable in it
  ${EXIT.noEvidence}    no evidence found
  ${EXIT.partial}    partial answer: the budget ran out, or something failed, was cut off, or vanished
  ${EXIT.cancelled}  cancelled by Ctrl-C or SIGTERM
`;

/** Reads the arguments; undefined means that help was asked for. Throws UsageError. */
export function parseCommandLine(argv: readonly string[]) {
  const { values, positionals } = readArguments(argv);
  if (values.help) return undefined;
  // Of one's own documents the default question makes no sense.
  const given = values.question ?? (positionals.length === 0 ? DEFAULT_QUESTION : undefined);
  if (given === undefined) throw new UsageError('which question? --question "…" asks it of these documents');
  const question = given.replace(/\s+/gu, ' ').trim();
  if (question === '') throw new UsageError('--question is empty');
  return {
    question,
    /** Folders or files; empty means the documents that ship with the dependencies. */
    paths: positionals,
    maxConcurrent: whole('--max-concurrent', values['max-concurrent'], 1) ?? DEFAULT_CONCURRENT,
    /** Tokens that the lead and all its sub-agents share. */
    budget: whole('--budget', values.budget, TURN_ESTIMATE) ?? DEFAULT_BUDGET,
    json: values.json ?? false,
    /** Pause before each turn of the built-in model, in ms; undefined leaves it to the output. */
    paceMs: whole('--pace', values.pace, 0),
    endpoint: endpointOf(values['base-url'], values.model, values['api-key-env']),
  };
}

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const endpoint = { 'base-url': text, model: text, 'api-key-env': text };
  const options = { question: text, 'max-concurrent': text, budget: text, json: flag, ...endpoint, pace: text, help: flag };
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options });
  } catch (error) {
    // parseArgs explains at length how to pass a positional that begins with a dash; its first sentence is enough.
    throw new UsageError((error as Error).message.split('. ')[0] ?? 'wrong arguments');
  }
}

function whole(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replaceAll('_', ''));
  if (!/^[\d_]+$/u.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${option} needs a whole number of at least ${least}, got "${text}"`);
  }
  return value;
}

/** An OpenAI-compatible endpoint instead of the built-in model. */
function endpointOf(baseUrl: string | undefined, model: string | undefined, apiKeyEnv: string | undefined) {
  if (baseUrl === undefined && model === undefined && apiKeyEnv === undefined) return undefined;
  if (baseUrl === undefined || model === undefined) throw new UsageError('--base-url and --model belong together, for --api-key-env too');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`--base-url needs an http or https address, got "${baseUrl}"`);
  }
  // What may be a secret is not repeated.
  if (url.username + url.password !== '') throw new UsageError('--base-url may hold no user and password; --api-key-env names the key');
  if (model.trim() === '') throw new UsageError('--model is empty');
  if (apiKeyEnv !== undefined && !/^[A-Za-z_]\w*$/u.test(apiKeyEnv)) {
    throw new UsageError('--api-key-env takes the name of an environment variable, not the key itself');
  }
  return { baseUrl, model, apiKeyEnv: apiKeyEnv ?? 'OPENAI_API_KEY' };
}
