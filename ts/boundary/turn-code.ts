// The core allows a turn by one number: the count of turns, whether texts must be injected, and why it is the last
// one. Owns how this number is read; `turn_code` in `src/wasm/hot.rs` writes it.

import { ONE_TURN, TURN_INJECTS } from '../generated/codes.js';
import { STOP_REASONS, type StopReason } from '../generated/names.js';

/** Decodes the number. */
export function turnOf(code: number): { turn: number; injects: boolean; wrapUp: StopReason | undefined } {
  const reason = code % TURN_INJECTS;
  return {
    turn: Math.floor(code / ONE_TURN),
    injects: code % ONE_TURN >= TURN_INJECTS,
    wrapUp: reason === 0 ? undefined : STOP_REASONS[reason - 1],
  };
}
