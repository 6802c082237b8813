// What a chapter of the conformance suite writes down: every line that any runtime must write alike. Owns
// the lines and their digest. Names stand for ids, which are random.

/** Fails the suite where something isn't as it must be. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

export class Book {
  readonly lines: string[] = [];
  readonly #names = new Map<string, string>();

  /** A name in place of an id. */
  call(id: string, name: string): void {
    this.#names.set(id, name);
  }

  /** Writes a line: words as they are, anything else as JSON, ids by their names. */
  note(...said: unknown[]): void {
    const line = said.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ');
    this.lines.push(line.replaceAll(/sub_[0-9a-f]+/g, (id) => this.#names.get(id) ?? 'sub_?'));
  }

  /** Writes a line, and fails unless the value is the expected one. */
  expect(what: string, value: unknown, expected: unknown): void {
    this.note(what, value);
    const [got, wanted] = [JSON.stringify(value), JSON.stringify(expected)];
    if (got !== wanted) throw new Mismatch(`${what}: expected ${wanted}, got ${got}`);
  }

  async digest(): Promise<string> {
    return sha256(this.lines.join('\n'));
  }
}

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The code of what is thrown or rejected, or what was given instead. */
export async function codeOf(body: () => unknown): Promise<string> {
  try {
    const value = await body();
    return `no error, but ${typeof value}`;
  } catch (error) {
    const { code } = error as { code?: unknown };
    return typeof code === 'string' ? code : `an error without a code: ${String(error)}`;
  }
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
