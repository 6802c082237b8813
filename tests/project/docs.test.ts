// The code of the documentation: each block of TypeScript in every page is compiled as in a program that installed the
// package, strictly, and run; what it prints stands in the block of text below it. How blocks
// are marked is explained in CONTRIBUTING.md.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, type DocBlock, pagesOf } from '../../scripts/doc-blocks.mjs';
import { npm } from '../../scripts/system.mjs';

const root = join(import.meta.dirname, '../..');
const pages = pagesOf(root);
const blocks = pages.flatMap((page) => blocksOf(root, page));
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const placeOf = ({ page, line }: DocBlock): string => `${page}:${line}`;
const nameOf = ({ page, line }: DocBlock): string => `${page.replaceAll(/\W/g, '-')}-${line}`;

/** Blocks that stand on their own: no file shows them, and no framework is needed. */
const own = blocks.filter(({ language, file, framework }) => /^(?:ts|js)$/.test(language) && file === undefined && framework === undefined);
const typed = own.filter(({ language }) => language === 'ts');
const runs = own.filter(({ language, words, printed }) => (language === 'ts' ? !words.includes('no-run') : printed !== undefined));

/** The lines of a block's program, with the place in the documentation that each comes from. */
interface Line {
  text: string;
  place: string;
}

const programs = new Map<DocBlock, Line[]>();
for (const block of own) {
  const { page, line, given, code, words } = block;
  const before = own[own.indexOf(block) - 1];
  const start = words.includes('continues') && before?.page === page ? (programs.get(before) as Line[]) : [];
  const hidden = given === '' ? [] : given.split('\n').map((text) => ({ text, place: `${page}:${line} (given)` }));
  const shown = code.split('\n').map((text, index) => ({ text, place: `${page}:${line + 1 + index}` }));
  programs.set(block, [...start, ...hidden, ...shown]);
}
const sourceOf = (block: DocBlock): string => (programs.get(block) as Line[]).map(({ text }) => text).join('\n');

// A program of its own that has installed the package, as the registry would have it.
const folder = mkdtempSync(join(tmpdir(), 'subagents-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** What the compiler says, by name of block. */
const mistakes = new Map<string, string[]>();

beforeAll(() => {
  const packed = execFileSync(...npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder]), {
    cwd: root,
    encoding: 'utf8',
  });
  // A list, or since npm 12 an object by the name of the package.
  const [{ filename }] = Object.values(JSON.parse(packed)) as [{ filename: string }];
  execFileSync('tar', ['-xf', filename], { cwd: folder });
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  renameSync(join(folder, 'package'), join(folder, 'node_modules/subagents'));
  for (const name of ['@types/node', 'undici-types', '@opentelemetry']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    moduleDetection: 'force',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: 'out',
    rootDir: '.',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  mkdirSync(join(folder, 'out'));
  for (const block of own) {
    writeFileSync(join(folder, block.language === 'ts' ? `${nameOf(block)}.ts` : `out/${nameOf(block)}.js`), sourceOf(block));
  }
  if (typed.length === 0) return;
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  // Lines that are indented go on with what the line before says.
  for (const said of stdout.split(/\n(?=\S)/).filter((text) => text !== '')) {
    const [, name, line, message] = /^(.*)\.ts\((\d+),\d+\): ([\s\S]*)$/.exec(said) ?? [];
    const block = typed.find((block) => nameOf(block) === name);
    if (block === undefined || name === undefined) throw new Error(`The compiler says: ${said}`);
    const place = programs.get(block)?.[Number(line) - 1]?.place;
    mistakes.set(name, [...(mistakes.get(name) ?? []), `${place}: ${message}`]);
  }
});

describe('the code of the documentation', () => {
  test('every block says what it is', () => {
    for (const { page, line, language, words, file, framework } of blocks) {
      const place = `${page}:${line}`;
      expect(['javascript', 'typescript', 'tsx', 'jsx', 'mjs', 'mts'], `${place}: it is \`ts\``).not.toContain(language);
      if (language !== 'ts' && language !== 'js') continue;
      expect(['no-run', 'continues'], place).toEqual(expect.arrayContaining(words));
      if (file !== undefined) expect(existsSync(join(root, file)), `${place}: ${file}`).toBe(true);
      const frameworks = readdirSync(join(root, 'tests/frameworks/packages'));
      if (framework !== undefined) expect(frameworks, place).toContain(framework);
    }
  });

  test('it is TypeScript', () => {
    for (const block of own) expect(block.language, placeOf(block)).toBe('ts');
  });

  test.each(blocks.filter(({ file }) => file !== undefined).map((block) => [placeOf(block), block] as const))(
    '%s is the file that is tested',
    (_, { file, code }) => {
      expect(code).toBe(read(file as string));
    },
  );

  test.each(typed.map((block) => [placeOf(block), block] as const))('%s compiles', (_, block) => {
    expect((mistakes.get(nameOf(block)) ?? []).join('\n')).toBe('');
  });

  test.concurrent.each(runs.map((block) => [placeOf(block), block] as const))('%s prints what it says', async (place, block) => {
    const options = { cwd: folder, timeout: 100_000 };
    const { stdout } = await promisify(execFile)(process.execPath, [join('out', `${nameOf(block)}.js`)], options);
    if (block.printed !== undefined) expect(stdout, place).toBe(block.printed);
  });
});

describe('the pages of the frameworks', () => {
  const frameworks = readdirSync(join(root, 'docs/frameworks')).filter((name) => name !== 'README.md');

  test.each(frameworks)('%s shows code that is tested', (name) => {
    expect(blocks.some(({ page, file }) => page === `docs/frameworks/${name}` && file !== undefined)).toBe(true);
  });

  test('every adapter has a page, and the list names every page', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    const adapters = readdirSync(join(root, 'dist/adapters')).filter((name) => name.endsWith('.d.cts'));
    const text = frameworks.map((name) => read(`docs/frameworks/${name}`)).join('\n');
    for (const name of adapters) {
      const path = name.replace(/\.d\.cts$/, '');
      expect(Object.keys(exports)).toContain(`./${path}`);
      expect(text).toContain(`'subagents/${path}'`);
    }
    const list = read('docs/frameworks/README.md');
    for (const name of frameworks) expect(list).toContain(`](${name})`);
  });
});
