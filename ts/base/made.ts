// Classes whose instances the package alone makes. Owns the refusal of `new` by a program.

import { SubAgentError } from './error-class.js';

/** Refuses `new` without what only the package has; `way` says what gives an instance. */
export function expectMade(part: unknown, what: string, way: string): void {
  if (part === undefined) throw new SubAgentError('invalid_argument', `${what} is not made with \`new\`: ${way}`);
}
