// Why a model's last turn ended, and which of these ends are failures (L3). Owns the finish reasons of all frameworks
// and providers, and the message for each; knows no framework.

/** A last turn that is no answer. */
export interface Failure {
  /** The status that the host function returns; the output is then partial. */
  readonly status: 'incomplete' | 'length' | 'content_filter' | 'refusal';
  /** The error's message. */
  readonly error: string;
}

/** How a turn ended, by the framework's finish reason. */
export interface Finish {
  readonly failure?: Failure | undefined;
  /** An unknown word; it becomes the host function's status. */
  readonly word?: string | undefined;
}

/** Words for a whole turn, in lower case, letters and digits alone. */
const WHOLE =
  'stop endturn stopsequence eos eostoken complete completed success finished done endofturn toolcalls toolcall tooluse functioncall';

/** Each kind of failure: its message, and the words for it. */
const FAILURES: readonly (readonly [status: Failure['status'], said: string, words: string])[] = [
  [
    'length',
    "the model's last turn was cut at a limit of tokens",
    'length maxtokens maxoutputtokens maxlength modellength maxtokensreached modelcontextwindowexceeded contextlength tokenlimit limitoutputtokens limittotaltokens',
  ],
  [
    'content_filter',
    "the provider held back the model's last turn",
    'contentfilter contentfiltered safety recitation blocklist prohibitedcontent spii language guardrailintervened guardrail sensitive ' +
      'imagesafety imageprohibitedcontent imagerecitation modelarmor errortoxic toxic',
  ],
  ['refusal', 'the model refused', 'refusal refused'],
  [
    'incomplete',
    "the provider ended the model's last turn with an error",
    'error failed failure errored errorlimit networkerror malformedfunctioncall malformedmodeloutput malformedtooluse ' +
      'unexpectedtoolcall toomanytoolcalls missingthoughtsignature malformedresponse insufficientsystemresource noimage',
  ],
  [
    'incomplete',
    "the model's last turn broke off",
    'interrupted interrupt incomplete checkpoint limitturns maxturnrequests pauseturn paused pending deferred aborted abort cancelled canceled timeout timedout retry suspended',
  ],
  [
    'incomplete',
    "the provider did not say why the model's last turn ended",
    'other imageother unknown finishreasonunspecified unspecified',
  ],
];

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const whole = new Set(WHOLE.split(' '));
const failures = new Map(FAILURES.flatMap(([status, said, words]) => words.split(' ').map((word) => [word, { status, said }] as const)));
/** A framework's words for a provider's reason that it doesn't know. */
const vague = new Set(['other', 'unknown']);

/** Longer than any word that is known here. */
const LONGEST_WORD = 60;

/** The word that a framework or a provider gives for the end of a turn; undefined if it gives none. */
function wordOf(reason: unknown): string | undefined {
  return typeof reason === 'string' && reason !== '' ? reason.slice(0, LONGEST_WORD) : undefined;
}

/**
 * How a turn ended.
 *
 * @param reason the framework's word for it, or the provider's if the framework passes that on
 * @param raw the provider's own word, which may say more
 */
export function finishOf(reason: unknown, raw?: unknown): Finish {
  const [given, own] = [wordOf(reason), wordOf(raw)];
  if (own === undefined && given === 'stop') return {};
  // If a framework doesn't know its provider's word, its own says nothing.
  const word = given !== undefined && own !== undefined && vague.has(plain(given)) ? own : (given ?? own);
  if (word === undefined) return {};
  const failure = (own && failures.get(plain(own))) || failures.get(plain(word));
  if (failure !== undefined) return { failure: { status: failure.status, error: `${failure.said} (${own ?? word})` } };
  return whole.has(plain(word)) ? {} : { word };
}

/** A last turn without text that no framework reports as failed. */
const EMPTY: Failure = { status: 'incomplete', error: "the model's last turn has no text" };

/** A host function's result for its model's last turn. */
export interface TurnResult {
  /** The text of that turn. */
  output: string;
  /** Left out if the turn ended as it should. */
  status?: string;
  /** Why it is no answer. */
  error?: string;
}

/**
 * The result of a host function with its own loop: `{ ...turnResult(text, answer.stop_reason), usage }`. A turn has failed if
 * it was cut, held back or refused, ended with an error, or has no text. Its text is then partial.
 *
 * @param text the text of the last turn alone: text of an earlier turn is no result
 * @param reason the finish reason, in the words of the framework or of the provider
 * @param raw the provider's own word, if the framework has another one
 */
export function turnResult(text: string, reason?: unknown, raw?: unknown): TurnResult {
  return resultOf(text, finishOf(reason, raw), false);
}

/** The same for a known end. `needsNoText`: a tool ended the turn, or it has a value. */
export function resultOf(text: string, { failure, word }: Finish, needsNoText: boolean): TurnResult {
  const failed = failure ?? (isBlank(text) && !needsNoText ? EMPTY : undefined);
  if (failed !== undefined) return { ...failed, output: isBlank(text) ? '' : text };
  return { output: text, ...(word !== undefined && { status: word }) };
}

/** The failure of a last turn whose tool call nothing answers. */
export function unanswered(tool: string, wayOut: string): Failure {
  return { status: 'incomplete', error: `the model's last turn calls the tool ${tool}, which nothing answers: ${wayOut}` };
}

/** Whether a text is blank. */
export function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || !/\S/.test(text);
}
