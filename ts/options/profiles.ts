// Profiles: the source of a sub-agent's system prompt if neither its spawn nor its definition has one. Owns the text
// of `minimal` and the call of the host's own; never decides which profile a task has.

import { describe, invalid, messageOf, SubAgentError } from '../base/errors.js';
import type { TaskSnapshot } from '../snapshots/types.js';
import { nameOf, optionsOf } from './arguments.js';
import { DEFAULT_PROFILE } from './generated/spawn.js';

/** Makes a system prompt for a task. Called when a run first reads its `systemPrompt`. */
export type Profile = (task: TaskSnapshot) => string;

/** If an agent may have sub-agents of its own, its prompt doesn't deny that. */
function minimal(mayDelegate: boolean): string {
  return [
    'You are a sub-agent: another agent gave you one task, and you see nothing else of its work.',
    '- Work on this task and on nothing else.',
    '- You can not send messages to the user or ask them anything.',
    ...(mayDelegate ? [] : ['- You can not start sub-agents.']),
    '- End with a clear and concise summary of what you did and what you found. It is all that the other agent gets.',
  ].join('\n');
}

export class Profiles {
  readonly #known = new Map<string, (task: () => TaskSnapshot, mayDelegate: boolean) => string>([
    [DEFAULT_PROFILE, (_, mayDelegate) => minimal(mayDelegate)],
  ]);

  /** @param profiles the option of a manager */
  constructor(profiles: unknown) {
    if (profiles === undefined) return;
    for (const [name, profile] of Object.entries(optionsOf('`profiles`', profiles as object, 'an object of functions'))) {
      nameOf('the name of a profile', name);
      if (typeof profile !== 'function') throw invalid(`\`profiles.${name}\``, 'a function that makes a system prompt', profile);
      this.#known.set(name, (task) => (profile as Profile)(task()));
    }
  }

  /** The names, `minimal` first. */
  get names(): string[] {
    return [...this.#known.keys()];
  }

  /** Throws if the profile is unknown. */
  check(name: string): void {
    if (this.#known.has(name)) return;
    const known = [...this.#known.keys()];
    throw new SubAgentError('unknown_profile', `there is no profile called ${describe(name)}; there are ${known.join(', ')}`, {
      profile: name,
      known,
    });
  }

  /** The system prompt of a task with this profile and without its own prompt. `mayDelegate`: it may have sub-agents. */
  prompt(name: string, task: () => TaskSnapshot, mayDelegate: boolean): string {
    this.check(name);
    let prompt: unknown;
    try {
      prompt = this.#known.get(name)?.(task, mayDelegate);
    } catch (error) {
      throw new SubAgentError('invalid_argument', `the profile ${describe(name)} failed: ${messageOf(error)}`, {}, { cause: error });
    }
    if (typeof prompt !== 'string') throw invalid(`what the profile ${describe(name)} returns`, 'a string', prompt);
    return prompt;
  }
}
