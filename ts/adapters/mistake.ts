// What the program did wrong, told as the package tells it. Owns the shape alone: adapters are bundled apart, and an import of
// the package's own error would take the core with it.

/** An error with the `name`, the `code` and the `details` of a `SubAgentError`. */
export function mistake(message: string, details: Record<string, unknown> = {}): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: 'SubAgentError', enumerable: false, configurable: true, writable: true });
  return Object.assign(error, { code: 'invalid_argument', details });
}
