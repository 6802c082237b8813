// The part of a conversation that outlives the program: its id, its booked usage and the work done in it. Owns where it is
// saved, which runs get it, and the recap for the conversation that replaces it.

import type { Run } from '../../api/run.js';
import type { ContinuedReason } from '../../generated/names.js';
import type { Booked } from './usage.js';

/** An attempt after these ends continues the work; after others it begins from nothing. */
const CONTINUED: Record<ContinuedReason, true> = { host_lost: true, drained: true };

/** Tool calls in a recap, and characters of each and of the last words. */
const DID = 20;
const DID_CHARS = 200;
const SAID_CHARS = 2_000;

/** The saved data of any conversation, as JSON. */
export interface SavedConversation {
  booked: Booked;
  /** The last tool calls of the conversation. */
  did: string[];
  /** The agent's last text. */
  said: string;
}

/** Notes a tool call of the agent. */
export function noteToolCall({ did }: Pick<SavedConversation, 'did'>, title: string): void {
  did.push(title.slice(0, DID_CHARS));
  if (did.length > DID) did.shift();
}

/** Notes the agent's last text. */
export function noteLastText(saved: Pick<SavedConversation, 'said'>, text: string): void {
  if (/\S/.test(text)) saved.said = text.slice(-SAID_CHARS);
}

/** The recap of a conversation that can't continue, for a new one. */
export function recapOf({ did, said }: SavedConversation): string {
  const list = did.length === 0 ? 'It called no tools.' : `Its last tool calls:\n${did.map((title) => `- ${title}`).join('\n')}`;
  const words = said === '' ? '' : `\nIts last words:\n${said}`;
  return `You began this work in an earlier conversation, which can't continue. Look at what is there before you do anything twice. ${list}${words}`;
}

/** The data that earlier runs saved. */
export function savedBy<Saved extends object>(run: Run): Saved | undefined {
  const { previousError, saved } = run;
  if (previousError !== undefined && !(previousError.reason in CONTINUED)) return undefined;
  return typeof saved === 'object' && saved !== null ? (saved as unknown as Saved) : undefined;
}

/**
 * Makes a checkpoint when a run begins, so that it is not given up, however often it is lost (`maxLost`). Its agent has a
 * process of its own, which can't have ended this one.
 */
export async function beginFor(run: Run): Promise<void> {
  await run.checkpoint({ conversation: savedBy<{ id?: string }>(run)?.id ?? null }).catch(() => undefined);
}

/** Saves data for later runs. */
export async function saveFor(run: Run, saved: object): Promise<void> {
  await run.save({ ...saved }).catch(() => undefined);
}

/** Saves data once a turn has been answered: that turn's texts needn't be sent again (J3). */
export async function answeredFor(run: Run, saved: { id?: string | undefined }): Promise<void> {
  await Promise.all([saveFor(run, saved), run.checkpoint({ conversation: saved.id ?? null }).catch(() => undefined)]);
}
