// The documents and their boundary: which files the question is asked over, and the only way to their text.
// Every read resolves symbolic links again and serves nothing outside what the user named.
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { digestOf } from './asked.js';
import { UsageError } from './cli.js';
import { firstOf } from './model/evidence.js';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_DOCUMENTS = 200;
const MAX_DEPTH = 16;
/** What no text is made of: controls but those of layout and colour, and characters that mean nothing to anyone else. */
const NO_TEXT = /[^\P{Cc}\t\n\r\f\b\x1b\x85]|[\p{Cn}\p{Co}\ufffd]/gu;
/** A text may hold a few of them. */
const MAX_SHARE_OF_NO_TEXT = 0.02;
/** What a terminal would obey, and what ends a line: no name with these could be listed and cited safely. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

export interface DocumentInfo {
  /** The name that tools, citations and the view use: the path below `Library.base`, with slashes. */
  readonly name: string;
  readonly realPath: string;
  readonly bytes: number;
  readonly lines: number;
  /** Of what it held when the folder was scanned. */
  readonly digest: string;
}

export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** A refusal that a model may read: it names what was asked for, never a path outside the folder. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** The documents under the given folders and files. Reads go to the disk each time, through the same checks. */
export class Library {
  /** The documents that could no longer be read when they were asked for. */
  readonly lost = new Set<string>();

  private constructor(
    readonly base: string,
    private readonly roots: readonly string[],
    readonly documents: readonly DocumentInfo[],
    readonly skipped: readonly Skipped[],
  ) {}

  /** Throws UsageError when a path is missing or nothing readable is left. */
  static async open(paths: readonly string[], cwd: string): Promise<Library> {
    const given = await Promise.all(paths.map((each) => locate(each, cwd)));
    const base = commonFolder(given.map((each) => (each.isFolder ? each.absolute : path.dirname(each.absolute))));
    const roots = given.map((each) => each.real);
    const scan = new Scan(base, roots);
    for (const each of given) {
      if (each.isFolder) await scan.folder(each.absolute, 0);
      else await scan.file(each.absolute, each.real);
    }
    if (scan.documents.length === 0) {
      const named = paths.join(', ');
      throw new UsageError(
        scan.skipped.length === 0
          ? `no documents in ${named}: it is empty`
          : `nothing readable in ${named}: ${firstOf(scan.skipped.map((each) => `${each.name} (${each.reason})`)).join(', ')}`,
      );
    }
    return new Library(base, roots, scan.documents, scan.skipped);
  }

  /** The lines of one document. Throws DocumentError for anything that is not one of them. */
  async lines(name: string): Promise<{ document: DocumentInfo; lines: string[] }> {
    try {
      const document = await this.find(name);
      const read = await readText(document.realPath);
      if (typeof read === 'string') throw new DocumentError(`${document.name}: ${read}`);
      return { document, lines: read.lines };
    } catch (error) {
      const asked = path.resolve(this.base, name);
      const listed = this.documents.find((each) => path.resolve(this.base, each.name) === asked);
      if (listed !== undefined) this.lost.add(listed.name);
      throw error;
    }
  }

  private async find(name: string): Promise<DocumentInfo> {
    if (name === '' || name.includes('\0')) throw new DocumentError('not a document name');
    const asked = path.resolve(this.base, name);
    // The link is resolved now, not only when the folder was scanned: a file may have become a link since.
    const real = await realpath(asked).catch(() => undefined);
    if (real === undefined) throw new DocumentError(`no such document: ${name}`);
    if (!isInside(real, this.roots)) throw new DocumentError(`${name} is outside the given folder`);
    const document = this.documents.find((each) => each.realPath === real);
    if (document === undefined) throw new DocumentError(`${name} is not one of the documents; list names them`);
    return document;
  }
}

/** One walk over what the user named; collects documents and the reasons for what it leaves out. */
class Scan {
  readonly documents: DocumentInfo[] = [];
  readonly skipped: Skipped[] = [];

  constructor(
    private readonly base: string,
    private readonly roots: readonly string[],
  ) {}

  async folder(folder: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) return this.skip(folder, `deeper than ${MAX_DEPTH} folders`);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) return this.skip(folder, 'unreadable folder');
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const absolute = path.join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isSymbolicLink()) await this.link(absolute);
      else if (entry.isDirectory()) await this.folder(absolute, depth + 1);
      else await this.file(absolute, await realpath(absolute).catch(() => absolute));
    }
  }

  async file(absolute: string, real: string): Promise<void> {
    if (this.documents.some((each) => each.realPath === real)) return;
    if (this.nameOf(absolute).search(CONTROL) >= 0) return this.skip(absolute, 'control characters in its name');
    if (this.documents.length >= MAX_DOCUMENTS) return this.skip(absolute, `more than ${MAX_DOCUMENTS} documents`);
    const read = await readText(real);
    if (typeof read === 'string') return this.skip(absolute, read);
    this.documents.push({ name: this.nameOf(absolute), realPath: real, bytes: read.bytes, lines: read.lines.length, digest: read.digest });
  }

  private async link(absolute: string): Promise<void> {
    const real = await realpath(absolute).catch(() => undefined);
    if (real === undefined) return this.skip(absolute, 'dangling symbolic link');
    if (!isInside(real, this.roots)) return this.skip(absolute, 'symbolic link out of the given folder');
    // What it points to is met at its own place; following folder links could also go in circles.
    return this.skip(absolute, 'symbolic link to something inside the folder');
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
    const real = await realpath(absolute);
    return { absolute, real, isFolder: (await stat(real)).isDirectory() };
  } catch (error) {
    throw new UsageError(`${given}: ${reasonOf(error)}`);
  }
}

function commonFolder(folders: readonly string[]): string {
  const [first, ...others] = folders.map((each) => each.split(path.sep));
  const shared = (first ?? []).filter((_, at, all) =>
    others.every((other) => all.slice(0, at + 1).join(path.sep) === other.slice(0, at + 1).join(path.sep)),
  );
  return shared.join(path.sep) || path.sep;
}

function isInside(real: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const below = path.relative(root, real);
    return below === '' || (below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below));
  });
}

/** The text of a regular file, or the reason why there is none. */
async function readText(real: string): Promise<{ bytes: number; lines: string[]; digest: string } | string> {
  try {
    const info = await stat(real);
    if (!info.isFile()) return 'not a regular file';
    if (info.size > MAX_FILE_BYTES) return `larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
    // `real` has no link in its last part; O_NOFOLLOW keeps it so between the check and the read.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const bytes = await file.readFile();
      if (bytes.includes(0)) return 'binary';
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      if (text.trim() === '') return 'empty';
      if ((text.match(NO_TEXT)?.length ?? 0) > text.length * MAX_SHARE_OF_NO_TEXT) return 'binary: control characters';
      if (!/[\p{L}\p{N}]/u.test(text)) return 'no words in it';
      return { bytes: bytes.length, lines: text.replace(/\r?\n$/u, '').split(/\r\n|\n|\r/u), digest: digestOf(bytes) };
    } finally {
      await file.close();
    }
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
