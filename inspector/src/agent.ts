// A sub-agent in words and an icon: what it does, why it waits, whether it needs a person. Owns these words; reads a
// node of the view.

import type { ParkReason, WaitingFor } from 'subagents';
import type { NodeView } from 'subagents/view';
import { line, words } from './format.js';

/** The sign of a state. */
export type Look = 'queued' | 'running' | 'parked' | 'stopping' | 'idle' | 'done' | 'stopped' | 'bad';

export interface State {
  readonly look: Look;
  /** One word or two: `running`, `timed out`. */
  readonly word: string;
  /** Its reason to wait, its work or the reason of its end; empty if there is none. */
  readonly why: string;
  /** A person can do something about it. */
  readonly needs: boolean;
}

const PARKED: Record<ParkReason, string> = {
  children: 'waits for its sub-agents',
  input: 'asks',
  approval: 'waits for an approval',
  cooldown: 'waits for a rate limit',
  reentry: 'waits for a slot to continue',
  rate: 'waits for the rate of its key',
};

const WAITS: Record<WaitingFor, string> = {
  abandoned: 'too many host functions were given up',
  host: 'its last host function has not returned',
  held: 'its messages are paused until the next one is sent',
  retry: 'waits for its next attempt',
  cooldown: 'waits for a rate limit',
  stagger: 'waits its turn to start',
  budget: 'waits for budget that others have reserved',
  slot: 'waits for a slot',
  session: 'its session to be registered again',
  definition: 'the definition of its agent or its profile',
  rate: 'waits for the rate of its key',
  program: 'your program, which is to start it',
};

/** `waitingFor`: the current reason why its queued run waits; `needs`: a person can do something about it. */
export function stateOf(node: NodeView, waitingFor: WaitingFor | null, needs: boolean): State {
  const { run } = node;
  if (run !== null && (run.phase === 'queued' || run.phase === 'backoff')) {
    const why = waitingFor === null ? (run.phase === 'backoff' ? WAITS.retry : '') : WAITS[waitingFor];
    return { look: 'queued', word: 'queued', why, needs };
  }
  if (run !== null && run.phase === 'open') return openState(node, needs);
  const late = node.lingering.some(({ phase }) => phase === 'abandoned')
    ? 'its host function was given up'
    : node.lingering.length > 0
      ? 'its host function still runs'
      : '';
  const reason = node.stopReason === null || node.stopReason === 'finished' ? '' : words(node.stopReason);
  const why = [node.error === null ? reason : line(node.error, 160), late].filter((part) => part !== '').join(' · ');
  switch (node.status) {
    case 'completed':
      return { look: 'done', word: 'completed', why, needs };
    case 'failed':
    case 'timed_out':
      return { look: 'bad', word: words(node.status), why, needs };
    case 'cancelled':
    case 'interrupted':
    case 'closed':
      return { look: 'stopped', word: node.status, why, needs };
    case 'pending':
    case 'running':
    case 'idle':
      return { look: 'idle', word: 'idle', why: '', needs };
  }
}

function openState(node: NodeView, needs: boolean): State {
  const { run } = node;
  const parked = run?.slot === 'parked' ? run.parks[0] : undefined;
  if (run?.stop) return { look: 'stopping', word: 'stopping', why: words(run.stop.reason), needs };
  if (parked !== undefined) {
    const why = parked === 'input' && node.question !== null ? `asks: ${line(node.question, 160)}` : PARKED[parked];
    return { look: 'parked', word: 'parked', why, needs };
  }
  const tools = run === null || run.tools.length === 0 ? '' : `uses ${line(run.tools.join(', '), 80)}`;
  const wraps = run?.wrapUpReason ? `wraps up: ${words(run.wrapUpReason)}` : '';
  const waits = run?.turnWaiting ? 'its next turn waits' : '';
  const why = [wraps, waits, tools].find((part) => part !== '') ?? (node.progress === null ? '' : line(node.progress, 160));
  return { look: 'running', word: run?.returned ? 'returned' : 'running', why, needs };
}
