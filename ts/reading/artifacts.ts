// Artifacts: objects that a run returns besides its output. Owns which are retained, as JSON, and that reading a list
// of them takes bounded time.

import { describe, messageOf } from '../base/errors.js';
import { type Allowance, jsonWithin } from '../base/json.js';
import { wellFormedIn } from '../base/text.js';
import { listOf, MOST_TEXT } from '../options/arguments.js';

/** How many dropped artifacts are named one by one. */
const NAMED = 20;
/** A dropped artifact counts as at least this many characters read. */
const LEAST = 1_000;

/** Retained artifacts, and their JSON. */
export interface Artifacts {
  artifacts: readonly Record<string, unknown>[] | undefined;
  artifactsJson: string | undefined;
}

/**
 * Returns a function that makes JSON of artifacts, one after the other, up to the size for all of them. It throws for one that
 * must be dropped. It reads at most as much again for dropped ones.
 */
export function artifactWriter(allowance: Allowance = { left: 2 * MOST_TEXT }): (artifact: unknown) => string {
  let room = MOST_TEXT;
  return (artifact) => {
    const json = jsonWithin(artifact, room, `the artifacts have more than ${MOST_TEXT} characters`, allowance);
    if (json === undefined) throw new Error(`JSON has no ${describe(artifact)}`);
    room = Math.max(0, room - json.length - 1);
    return json;
  };
}

/**
 * The artifacts to retain: at most 16,777,216 characters of JSON. Each becomes JSON separately, so that one that can't become
 * JSON drops no other. `drop` gets a sentence about the dropped one and its name, and may throw. Throws if the value is no
 * list.
 */
export function readArtifacts(what: string, given: unknown, drop: (sentence: string, name: string) => void): Artifacts {
  const artifacts: Record<string, unknown>[] = [];
  const texts: string[] = [];
  const allowance = { left: 2 * MOST_TEXT };
  const jsonOf = artifactWriter(allowance);
  let lost = 0;
  listOf(what, 'a list', given, (artifact, name) => {
    if (lost >= NAMED && allowance.left === 0) {
      lost += 1;
      return;
    }
    try {
      texts.push(jsonOf(artifact));
      artifacts.push(wellFormedIn(artifact) as Record<string, unknown>);
    } catch (error) {
      lost += 1;
      allowance.left = Math.max(0, allowance.left - LEAST);
      if (lost <= NAMED) drop(`${name} could not be retained: ${messageOf(error)}`, name);
    }
  });
  if (lost > NAMED) drop(`${lost - NAMED} more artifacts could not be retained`, what);
  if (texts.length === 0) return { artifacts: undefined, artifactsJson: undefined };
  return { artifacts, artifactsJson: `[${texts.join(',')}]` };
}
