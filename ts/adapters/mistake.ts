// A mistake of the program, as an error of the package's shape. Adapters are bundled apart: an import of the package's
// own error would take the core with it.

/** An error with the `name`, the `code` and the `details` of a `SubAgentError`. */
export function mistake(message: string, details: Record<string, unknown> = {}): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: 'SubAgentError', enumerable: false, configurable: true, writable: true });
  return Object.assign(error, { code: 'invalid_argument', details });
}

/** Refuses a missing or wrong part of a framework: it lacks the method, or is itself no function. */
export function expectPart(helper: string, argument: string, expected: string, part: unknown, method?: string): void {
  const called: unknown = method === undefined ? part : (part as Record<string, unknown> | null | undefined)?.[method];
  if (typeof called !== 'function') throw mistake(`${helper}: \`${argument}\` must be ${expected}`, { argument, expected });
}

/**
 * Returns the function that gives a run its agent: the given one, or one that the given function makes. Refuses an agent that
 * lacks the method of its kind: at once, or when a function returns it.
 */
export function agentSource<A, Given extends unknown[]>(
  adapter: string,
  kind: string,
  method: string,
  agent: A | ((...given: Given) => A | Promise<A>),
): (...given: Given) => Promise<A> {
  const expected = (made: A): A => {
    if (typeof (made as Record<string, unknown> | null | undefined)?.[method] === 'function') return made;
    const got = made === undefined || made === null ? String(made) : `something without \`${method}\``;
    throw mistake(`${adapter} takes ${kind}, or a function that returns one; it got ${got}`, { argument: 'agent', expected: kind });
  };
  if (typeof agent === 'function') {
    const make = agent as (...given: Given) => A | Promise<A>;
    return async (...given) => expected(await make(...given));
  }
  expected(agent);
  return async () => agent;
}
