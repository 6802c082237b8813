// When a rate-limited provider may be called again, read from the error that a framework threw. Owns the forms of such
// errors: status, headers and messages of providers; knows no framework.

/** An error that says when to call again, and the milliseconds until then. */
export interface RateLimit {
  readonly error: object;
  readonly retryAfterMs: number;
}

/** How deep an error may be wrapped. */
const DEEPEST = 8;

/** The rate limit that an error states, or one that it wraps; undefined if neither states a time. */
export function rateLimitOf(error: unknown, depth = DEEPEST): RateLimit | undefined {
  if (typeof error !== 'object' || error === null || depth === 0) return undefined;
  const given = error as Record<string, unknown>;
  // A wrapped error has more data than the text made from it. The last of several attempts comes last.
  const wrapped = [given.cause, given.lastError, ...(Array.isArray(given.errors) ? given.errors.slice(-1) : []), given.error];
  for (const inner of wrapped) {
    const limit = rateLimitOf(inner, depth - 1);
    if (limit !== undefined) return limit;
  }
  const retryAfterMs = limitOf(given);
  return retryAfterMs === undefined ? undefined : { error, retryAfterMs };
}

function limitOf(error: Record<string, unknown>): number | undefined {
  const response = (typeof error.response === 'object' && error.response !== null ? error.response : {}) as Record<string, unknown>;
  const status = Number(error.statusCode ?? error.status ?? response.status ?? error.code);
  const read = headersOf(error.responseHeaders ?? error.headers ?? response.headers);
  // An overloaded provider counts as a rate limit only if it says for how long.
  if (status === 503 || status === 529) return retryAfter(read);
  const words = [error.message, error.responseBody].filter((text) => typeof text === 'string').join('\n');
  // pi, and others that keep no fields, begin their message with the status.
  if (status !== 429 && !/\b429\b/.test(words.slice(0, 80))) return undefined;
  return retryAfter(read) ?? resets(read) ?? said(words);
}

type Headers = ReadonlyMap<string, string>;

/** Reads headers, which are an object of fetch's, a plain one, or a map. */
function headersOf(given: unknown): Headers {
  if (typeof given !== 'object' || given === null) return new Map();
  const entries = Symbol.iterator in given ? [...(given as Iterable<[unknown, unknown]>)] : Object.entries(given);
  return new Map(entries.map((entry) => [String(entry[0]).toLowerCase(), String(entry[1])]));
}

function retryAfter(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms')?.trim() || Number.NaN);
  return ms >= 0 ? ms : momentOf(headers.get('retry-after'));
}

/** The latest reset of the limits that are used up. A limit with a remainder was not hit. */
function resets(headers: Headers): number | undefined {
  const times = [...headers]
    .filter(
      ([name]) =>
        name.includes('ratelimit') && name.includes('reset') && Number(headers.get(name.replace('reset', 'remaining')) ?? 0) === 0,
    )
    .map(([, value]) => momentOf(value))
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The time in Google's body, or in OpenAI's message. */
function said(words: string): number | undefined {
  const [, google] = /"retryDelay":\s*"([\d.]+s)"/.exec(words) ?? [];
  const [, openai] = /(?:try again|retry) (?:in|after) ((?:\d[\d.]*(?:ms|[hms])\s?)+)/i.exec(words) ?? [];
  const duration = google ?? openai;
  return duration === undefined ? undefined : momentOf(duration);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** A larger number is a point in time, in seconds or in milliseconds. */
const [LARGEST_SECONDS, LARGEST_EPOCH] = [1e9, 1e11];

/** Milliseconds from now, from seconds, a duration such as `6m0.5s`, a date, or a time since 1970. */
function momentOf(text: string | undefined): number | undefined {
  const given = text?.trim() ?? '';
  if (given === '') return undefined;
  const number = Number(given);
  if (number < LARGEST_SECONDS) return number >= 0 ? number * 1_000 : undefined;
  if (Number.isFinite(number)) return Math.max(0, (number < LARGEST_EPOCH ? number * 1_000 : number) - Date.now());
  const parts = [...given.matchAll(/(\d+(?:\.\d+)?)(ms|[hms])\s*/gy)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === given)
    return parts.reduce((total, [, amount, unit]) => total + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
