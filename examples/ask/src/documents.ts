// The documents and their boundary: which files the question is asked over, and the only way to their text.
// Every read resolves symbolic links again and serves nothing but the files that were found at the start.
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from './cli.js';
import type { Listed, Opened } from './look.js';
import { firstOf } from './model/evidence.js';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_DOCUMENTS = 200;
/** What no text is made of: controls but those of layout and colour, and characters that mean nothing to anyone else. */
const NO_TEXT = /[^\P{Cc}\t\n\r\f\b\x1b\x85]|[\p{Cn}\p{Co}\ufffd]/gu;
/** A text may hold a few of them. */
const MAX_SHARE_OF_NO_TEXT = 0.02;
/** What a terminal would obey, and what ends a line: no name with these could be listed and cited safely. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Its name is what tools, citations and the view use: the path below `Library.base`, with slashes. */
export interface DocumentInfo extends Listed {
  readonly realPath: string;
}

/** A refusal that a model may read: it names what was asked for, never a path outside the folder. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** The documents under the given folders and files. Reads go to the disk each time, through the same checks. */
export class Library {
  readonly documents: DocumentInfo[] = [];
  /** What was found and left out. */
  readonly skipped: { readonly name: string; readonly reason: string }[] = [];
  /** The documents that could no longer be read when they were asked for. */
  readonly lost = new Set<string>();

  private constructor(readonly base: string) {}

  /** Throws UsageError when a path is missing or nothing readable is left. */
  static async open(paths: readonly string[], cwd: string): Promise<Library> {
    const given = await Promise.all(paths.map((each) => locate(each, cwd)));
    const library = new Library(commonFolder(given.map((each) => (each.isFolder ? each.absolute : path.dirname(each.absolute)))));
    for (const { absolute, isFolder } of given) await (isFolder ? library.addFolder(absolute) : library.addFile(absolute));
    if (library.documents.length > 0) return library;
    const skipped = firstOf(library.skipped.map((each) => `${each.name} (${each.reason})`)).join(', ');
    const named = paths.join(', ');
    throw new UsageError(skipped === '' ? `no documents in ${named}: it is empty` : `nothing readable in ${named}: ${skipped}`);
  }

  /** The lines of one document. Throws DocumentError for anything that is not one of them. */
  async read(name: string): Promise<Opened> {
    const asked = path.resolve(this.base, name);
    const document = this.documents.find((each) => path.resolve(this.base, each.name) === asked);
    if (document === undefined) throw new DocumentError(`no such document, or outside of what was given: ${name}; list names them`);
    // The link is resolved now, not only when the folder was scanned: a file may have become a link since.
    const real = await realpath(asked).catch(() => undefined);
    const read = real === document.realPath ? await readText(real) : 'it is gone, or leads outside the given folder';
    if (typeof read !== 'string') return { name: document.name, lines: read.lines };
    this.lost.add(document.name);
    throw new DocumentError(`${document.name}: ${read}`);
  }

  private async addFolder(folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) return this.skip(folder, 'unreadable folder');
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const absolute = path.join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      // What it points to is met at its own place, if it is inside; following links could also go in circles.
      if (entry.isSymbolicLink()) this.skip(absolute, 'symbolic link');
      else await (entry.isDirectory() ? this.addFolder(absolute) : this.addFile(absolute));
    }
  }

  private async addFile(absolute: string): Promise<void> {
    const realPath = await realpath(absolute).catch(() => absolute);
    if (this.documents.some((each) => each.realPath === realPath)) return;
    const name = this.nameOf(absolute);
    if (name.search(CONTROL) >= 0) return this.skip(absolute, 'control characters in its name');
    if (this.documents.length >= MAX_DOCUMENTS) return this.skip(absolute, `more than ${MAX_DOCUMENTS} documents`);
    const read = await readText(realPath);
    if (typeof read === 'string') return this.skip(absolute, read);
    this.documents.push({ name, realPath, bytes: read.bytes, lines: read.lines.length });
  }

  private skip(absolute: string, reason: string): void {
    this.skipped.push({ name: this.nameOf(absolute).replace(CONTROL, '?'), reason });
  }

  private nameOf(absolute: string): string {
    return path.relative(this.base, absolute).split(path.sep).join('/') || '.';
  }
}

async function locate(given: string, cwd: string) {
  // What a variable that is not set leaves; it would mean the whole working folder.
  if (given === '') throw new UsageError('a folder or file with an empty name');
  const absolute = path.resolve(cwd, given);
  try {
    return { absolute, isFolder: (await stat(absolute)).isDirectory() };
  } catch (error) {
    throw new UsageError(`${given}: ${reasonOf(error)}`);
  }
}

function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((each) => each.split(path.sep));
  const differs = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return (differs === -1 ? first : first.slice(0, differs)).join(path.sep) || path.sep;
}

/** The text of a regular file, or the reason why there is none. */
async function readText(real: string): Promise<{ bytes: number; lines: string[] } | string> {
  try {
    const info = await stat(real);
    if (!info.isFile()) return 'not a regular file';
    if (info.size > MAX_FILE_BYTES) return `larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
    // `real` has no link in its last part; O_NOFOLLOW keeps it so between the check and the read.
    await using file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW);
    const bytes = await file.readFile();
    if (bytes.includes(0)) return 'binary';
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') return 'empty';
    if ((text.match(NO_TEXT)?.length ?? 0) > text.length * MAX_SHARE_OF_NO_TEXT) return 'binary: control characters';
    if (!/[\p{L}\p{N}]/u.test(text)) return 'no words in it';
    return { bytes: bytes.length, lines: text.replace(/\r?\n$/u, '').split(/\r\n|\n|\r/u) };
  } catch (error) {
    return error instanceof TypeError ? 'binary: not UTF-8 text' : reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'no such file or folder';
  if (code === 'EACCES' || code === 'EPERM') return 'unreadable: permission denied';
  return `unreadable: ${code ?? String(error)}`;
}
