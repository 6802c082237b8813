// Numbers, times and names as the page writes them: short, of a steady width, the same for every reader. Owns no state.

import type { Receipt } from 'subagents';
import type { NodeView } from 'subagents/view';

/** `12.3 s`, `2 min 05 s`; a dash if it is unknown. */
export function duration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '–';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)} m`;
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)} h`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `950`, `12.3k`, `4.56M`: at most five letters. */
export function count(value: number | null): string {
  if (value === null) return '–';
  if (!Number.isFinite(value)) return '∞';
  if (value < 10_000) return String(Math.round(value));
  if (value < 1_000_000) return `${(value / 1_000).toFixed(value < 100_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(value < 100_000_000 ? 2 : 0)}M`;
}

/** All digits, in groups. */
export function digits(value: number | null): string {
  if (value === null) return '–';
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '∞';
}

/** `1 turn`, `2 turns`. */
export function counted(value: number | null, noun: string, written = digits): string {
  return `${written(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The reported tokens by kind; empty if none was reported. */
export function kindsText(kinds: NodeView['kinds'], written = digits): string {
  const part = (tokens: number | null, what: string): string => (tokens === null || tokens === 0 ? '' : `${written(tokens)} ${what}`);
  const side = (tokens: number | null, what: string, parts: string[]): string => {
    const within = parts.filter((each) => each !== '').join(', ');
    return tokens === null ? '' : `${written(tokens)} ${what}${within === '' ? '' : ` (${within})`}`;
  };
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens } = kinds;
  const about = kinds.estimated ? 'an estimate' : '';
  return [
    about,
    side(inputTokens, 'in', [
      part(cacheReadTokens, 'read from the cache'),
      part(cacheWriteTokens, 'written to it'),
      part(cacheWrite1hTokens, 'of these for an hour'),
    ]),
    side(outputTokens, 'out', [part(reasoningTokens, 'to reason')]),
  ]
    .filter((each) => each !== '')
    .join(', ');
}

export function money(value: number | null): string {
  if (value === null) return '–';
  if (!Number.isFinite(value)) return '∞';
  if (value === 0) return '$0';
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US')}`;
}

/** `14:03:27.120`, in the reader's own time zone. */
export function clock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** `timed_out` as `timed out`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Control characters, and those that turn the direction of the text after them. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const LONG = 20_000;

/** A text of an agent for the page: invisible characters are shown by their number. Lines stay. */
export function shown(text: string): string {
  return text.replace(UNSEEN, (letter) => `\u27e8${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`);
}

/** The same on one line, at most `length` characters of it: labels, previews. */
export function line(text: string, length = 200): string {
  const cut = text.length > length ? `${text.slice(0, length)}…` : text;
  return shown(cut.replace(/\s+/gu, ' ')).trim();
}

/** The beginning of a long text, and the length of the rest. */
export function beginning(text: string): { readonly text: string; readonly more: number } {
  return text.length <= LONG ? { text: shown(text), more: 0 } : { text: shown(text.slice(0, LONG)), more: text.length - LONG };
}

/** The actions of tool calls, a line each; `json` as in a result. */
export function receiptsText(json: string | null): string {
  return json === null ? '' : (JSON.parse(json) as Receipt[]).map(receiptText).join('\n');
}

function receiptText(receipt: Receipt): string {
  if ('path' in receipt) return `${receipt.kind} ${receipt.path}`;
  if ('omitted' in receipt) return `${counted(receipt.omitted, 'earlier one')} left out`;
  return `$ ${receipt.command}  → ${receipt.exitCode ?? 'no exit code said'}`;
}
