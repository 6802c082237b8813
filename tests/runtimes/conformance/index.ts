// The conformance suite: written once, run by every runtime, and the same digest everywhere. Owns the order
// of the chapters and the report.

import { Book, sha256 } from './book.js';
import { ending } from './ending.js';
import { golden } from './golden.js';
import { hostile } from './hostile.js';
import { many } from './many.js';
import { session } from './session.js';
import { type Kit, traps } from './traps.js';

export interface Report {
  /** Of all lines; null where a chapter failed. */
  readonly digest: string | null;
  readonly chapters: readonly { readonly name: string; readonly lines: number; readonly digest: string; readonly ms: number }[];
  readonly error: string | null;
  /** All that was written, for a comparison where digests differ. */
  readonly lines: readonly string[];
}

/** Only so that a hang is said: nothing may depend on how fast a machine is. */
const CHAPTER_MS = 120_000;

const CHAPTERS: Readonly<Record<string, (book: Book, kit: Kit) => void | Promise<void>>> = {
  golden,
  session,
  hostile,
  many,
  ending,
  traps,
};

/** What hangs is said, also where a runtime would just end: the timer keeps it. */
async function withinTime(chapter: void | Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs after ${CHAPTER_MS} ms`)), CHAPTER_MS);
  });
  await Promise.race([chapter, late]).finally(() => clearTimeout(timer));
}

export async function conform(kit: Kit): Promise<Report> {
  const chapters: { name: string; lines: number; digest: string; ms: number }[] = [];
  const lines: string[] = [];
  let error: string | null = null;
  for (const [name, chapter] of Object.entries(CHAPTERS)) {
    const book = new Book();
    const start = Date.now();
    try {
      await withinTime(chapter(book, kit));
    } catch (failure) {
      const { message, stack } = failure as Error;
      error = `${name}, after "${book.lines.at(-1)}": ${message}\n${stack}`;
    }
    chapters.push({ name, lines: book.lines.length, digest: await book.digest(), ms: Date.now() - start });
    lines.push(`── ${name}`, ...book.lines);
    if (error !== null) break;
  }
  return { digest: error === null ? await sha256(lines.join('\n')) : null, chapters, error, lines };
}
