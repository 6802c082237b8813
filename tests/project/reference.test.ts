// Nothing is missing from docs/reference/: what the entries export, by their files of types, and what the tables name
// has its place there, with every field and option, and with words that say what it is.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/index.js';
import { FACT_KINDS } from '../generated/fact-kinds.js';
import { exportsOf } from '../support/exports.js';

const root = join(import.meta.dirname, '../..');
const reference = join(root, 'docs/reference');
const read = (path: string): string => readFileSync(path, 'utf8');

/**
 * The names of the fields and methods of an interface or class that is declared in this file, with those of what it
 * extends, unless that has a place of its own.
 */
function membersOf(name: string, file: string, hasPlace: (name: string) => boolean = () => false): string[] {
  const text = read(file);
  const head = `^(?:export )?(?:declare )?(?:abstract )?(?:class|interface) ${name}\\b`;
  const [, above = '', body = ''] = new RegExp(`${head}([^{]*)\\{\\n(.*?)^\\}`, 'ms').exec(text) ?? [];
  const members = body.matchAll(/^ {4}(?:static )?(?:readonly )?(?:get )?([a-zA-Z_]\w*)\??(?=[(:<])/gm);
  // A heading writes it with a capital letter.
  const own = Array.from(members, ([, member]) => (member === 'constructor' ? 'Constructor' : (member as string)));
  const inherited = Array.from(above.matchAll(/\b[A-Z]\w*/g), ([parent]) => parent).flatMap((parent) => {
    if (parent === name || hasPlace(parent)) return [];
    const path = new RegExp(`^import [^;]*\\b${parent}\\b[^;]* from '([^']*)\\.js';`, 'm').exec(text)?.[1];
    return membersOf(parent, path === undefined ? file : join(dirname(file), `${path}.d.ts`), hasPlace);
  });
  return [...new Set([...own, ...inherited])];
}

/** One heading of a page, with what stands below it up to the next of its own or a higher level. */
interface Section {
  title: string;
  text: string;
}

/** The sections of a page whose headings have so many marks. */
function sectionsOf(text: string, level: number): Section[] {
  const marks = '#'.repeat(level);
  const parts = text.split(new RegExp(`^(?=#{1,${level}} )`, 'm')).filter((part) => part.startsWith(`${marks} `));
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    // Marks of code, escapes, and what kind of thing it is.
    const name = title.slice(level + 1).replaceAll(/`\w+` |[\\()?]/g, '');
    return { title: name, text: lines.join('\n') };
  });
}

const pages = readdirSync(join(reference, 'api')).filter((name) => name !== 'README.md');
const sections = new Map(pages.map((page) => [page, sectionsOf(read(join(reference, 'api', page)), 2)]));

/** A type with one value, which a row of a table needn't repeat. */
const ONE_VALUE = /^(?:`(?:"[^"]*"|[\d_.]+|true|false|undefined)`|readonly \\\[.*)$/;
/** What wasm-bindgen gives the class of the core, and what a run in a worker hasn't of a run at home. */
const WITHOUT_PLACE = [
  ...['SubAgentCore.free', 'SubAgentCore.[dispose]', 'SubAgentCore.Constructor'],
  ...['WorkerRun.ended', 'WorkerRun.steers', 'WorkerRun.countTokens', 'WorkerRun.drive'],
];

/** A row of a table: the name that it is about, and whether it says what that is, by a word or by its one value. */
interface Row {
  name: string;
  isTold: boolean;
}

function rowsOf(text: string): Row[] {
  const rows = text.split('\n').flatMap((line): Row[] => {
    const [first = '', type = '', ...said] = line.split(/(?<!\\) ?\| ?/).slice(1, -1);
    const name = /^(?:<a id="[^"]*"><\/a> )?`(?:\.\.\.)?([^`?]+)\??`/.exec(first)?.[1];
    if (name === undefined) return [];
    return [{ name, isTold: /^[^-]/.test(said.at(-1) ?? '') || ONE_VALUE.test(type) }];
  });
  // An object is shown by its fields.
  return rows.map((row) => ({ ...row, isTold: row.isTold || rows.some(({ name }) => name.startsWith(`${row.name}.`)) }));
}

const { exports: entries } = JSON.parse(read(join(root, 'package.json'))) as { exports: Record<string, Conditions | string> };
interface Conditions {
  types?: string;
  import?: { types?: string };
}

/** The entries that have types, with the pages that list what they export. */
const typed = Object.entries(entries).flatMap(([entry, conditions]): [string, string, string[]][] => {
  // What has the names of a source stands on the page for those who come from there.
  if (typeof conditions === 'string' || entry.startsWith('./from/')) return [];
  const types = conditions.types ?? conditions.import?.types;
  if (types === undefined) throw new Error(`${entry} has no types`);
  if (entry.startsWith('./pkg')) return [[entry, types, ['pkg.md']]];
  // The kinds of tokens are those of a host's usage.
  if (types.includes('/adapters/')) return [[entry, types, ['adapters.md', 'options.md']]];
  if (entry === './journal' || entry.startsWith('./store/')) return [[entry, types, ['stores.md']]];
  // What these hand on of other entries has its place there.
  if (entry === './view') return [[entry, types, ['view.md', 'names.md']]];
  if (entry === './inspector/server') return [[entry, types, ['inspector.md', 'view.md']]];
  return [[entry, types, entry === '.' || entry === './slim' ? pages : [`${entry.slice(2)}.md`]]];
});

describe('the reference of the API', () => {
  test('knows all entries', () => {
    expect(typed.map(([entry]) => entry)).toEqual(expect.arrayContaining(['.', './slim', './ai-sdk', './pkg', './pkg/host']));
  });

  test.each(typed)('%s: every export has a place, and every field and method of it', (_, types, places) => {
    const known = places.flatMap((page) => sections.get(page) ?? []);
    const exported = exportsOf(join(root, types));
    expect(exported.size).toBeGreaterThan(0);
    const missing = [...exported].flatMap(([name, file]) => {
      const reported = known.filter(({ title }) => title === name);
      if (reported.length === 0) return [name];
      const here = reported.flatMap(({ text }) => [
        ...rowsOf(text).map((row) => row.name),
        ...sectionsOf(text, 4).map(({ title }) => title),
      ]);
      return membersOf(name, file, (parent) => known.some(({ title }) => title === parent))
        .filter((member) => !here.includes(member))
        .map((member) => `${name}.${member}`)
        .filter((member) => !WITHOUT_PLACE.includes(member));
    });
    expect(missing).toEqual([]);
  });

  test.each([...sections])('%s says of each thing what it is', (_, parts) => {
    const silent = parts.flatMap(({ title, text }) => {
      // What can be called in several ways says it of each.
      const whole = text.includes('\n### Call Signature\n')
        ? sectionsOf(text, 3)
        : [{ title: '', text: text.split(/^#{3,} /m)[0] as string }];
      const things = [...whole, ...sectionsOf(text, 4), ...sectionsOf(text, 5)];
      const mute = things.filter(({ title, text }) => !/^(?:Parameters|Properties)$/.test(title) && !hasWords(text));
      const rows = rowsOf(text).filter(({ isTold }) => !isTold);
      return [...mute.map((thing) => `${title}.${thing.title}`), ...rows.map(({ name }) => `${title}.${name}`)].filter(
        (name) => !WITHOUT_PLACE.includes(name),
      );
    });
    expect(silent).toEqual([]);
  });
});

/** Whether a text has a sentence beside signatures, tables, headings and the entry that a thing comes from. */
function hasWords(text: string): boolean {
  return text
    .replace(/^From [^.]*\. /m, '')
    .split('\n')
    .some((line) => /^[^>|#*\s-]/.test(line));
}

describe('the other pages of the reference', () => {
  test('every error code has its row, and its details stand there', () => {
    const text = read(join(reference, 'errors.md'));
    const types = read(join(root, 'dist/generated/errors.d.ts'));
    const union = /export type SubAgentErrorCode =([^;]*);/.exec(types.replaceAll(/\/\*\*.*?\*\//gs, ''))?.[1] ?? '';
    const codes = Array.from(union.matchAll(/'(\w+)'/g), ([, code]) => code as string);
    expect(codes).toEqual(expect.arrayContaining(['invalid_argument', 'disposed']));
    expect(rowsOf(text).map(({ name }) => name)).toEqual(expect.arrayContaining(codes));
    const fields = membersOf('SubAgentErrorDetails', join(root, 'dist/generated/errors.d.ts'));
    expect(fields).toContain('option');
    for (const field of fields) expect(text).toContain(`\`${field}\``);
  });

  test('every limit has its row, with the default', () => {
    const rows = read(join(reference, 'limits.md'));
    const said = (value: number): string => (value === Number.POSITIVE_INFINITY ? 'Infinity' : value.toLocaleString('en'));
    for (const [name, value] of Object.entries(DEFAULT_LIMITS)) expect(rows).toContain(`| \`${name}\` | ${said(value)} |`);
  });

  test('every event has its chapter, and each of its fields a row', () => {
    const chapters = sectionsOf(read(join(reference, 'events.md')), 2);
    // With its seed a manager makes ids; no listener gets it.
    const { seeded, ...events } = FACT_KINDS;
    expect(Object.keys(seeded ?? {})).not.toEqual([]);
    for (const [type, fields] of Object.entries(events)) {
      const chapter = chapters.find(({ title }) => title === type);
      const names = rowsOf(chapter?.text ?? '').map(({ name }) => name);
      expect(names, type).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
  });

  test('every list of names has its chapter, and each name a row', async () => {
    const package_: Readonly<Record<string, unknown>> = await import('../../dist/index.js');
    const text = read(join(reference, 'names.md'));
    const chapters = sectionsOf(text, 2);
    for (const [list] of read(join(root, 'dist/generated/names.d.ts')).matchAll(/(?<=export declare const )\w+/g)) {
      const names = package_[list];
      if (names === undefined) continue;
      const chapter = chapters.find((chapter) => chapter.text.includes(`\`${list}\``));
      expect(
        rowsOf(chapter?.text ?? '').map(({ name }) => name),
        list,
      ).toEqual(names);
    }
  });
});
