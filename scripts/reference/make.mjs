// Makes docs/reference/api/ from the types in dist/ and pkg/ and their comments: `npm run reference`. With `--check`
// it changes nothing, and fails if the pages differ. Owns the page of each export.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Application } from 'typedoc';
import { MarkdownRendererEvent } from 'typedoc-plugin-markdown';
import { readOptions } from '../run.mjs';
import { tidy } from './tidy.mjs';

const { check: isCheck } = readOptions({ check: { type: 'boolean' } }, 'npm run reference -- [--check]');
const root = join(import.meta.dirname, '../..');
const target = join(root, 'docs/reference/api');

/** The pages of the main entry: the contents of each, and the folders of ts/ whose exports it has. */
const THEMES = {
  manager: { holds: 'the manager, sessions, runs, handles, the inbox, the tool that stands alone', folders: ['api'] },
  options: { holds: 'what a spawn, a definition, a profile and the host functions take', folders: ['options', 'commands'] },
  results: { holds: 'snapshots, results, notices, reports, messages', folders: ['snapshots', 'reading', 'runs'] },
  tools: { holds: 'tools for a model', folders: ['tools'] },
  policies: { holds: 'policies and presets', folders: ['policies'] },
  names: { holds: 'errors, events, limits, closed lists of names', folders: ['base', 'boundary', 'generated'] },
  stores: { holds: 'stores that a manager keeps its records in, and what checks them', folders: ['stores'] },
};
const OTHERS = {
  slim: 'what `subagents/slim` has beside all of these',
  adapters: 'the adapters of frameworks',
  bullmq: 'runs in other processes, over BullMQ: `subagents/bullmq`',
  view: 'a manager at any moment, worked out from its events: `subagents/view`',
  inspector: 'the inspector as an element of a page and as a server: `subagents/inspector` and `subagents/inspector/server`',
  pkg: 'the bare class of the module: `subagents/pkg` and `subagents/pkg/host`',
};

const MADE = '<!-- Made by `npm run reference` from the types of the package and their comments; do not edit. -->';
const INTRODUCTION = `Every export of every entry of the package, from the comments that an editor shows. If no other entry is named, it
comes from \`subagents\`. The [guides](../../guides/README.md) say what to use when; [errors](../errors.md), [limits](../limits.md),
[events](../events.md) and [names](../names.md) have pages of their own. Behind ↓ in a table, more stands below it.`;

/** The entries that have types: their names, and their type files without the ending, from dist/ or pkg/ on. */
const { exports: all } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.entries(all).flatMap(([name, conditions]) => {
  const types = conditions.types ?? conditions.import?.types;
  // A face is on the page for users of its source.
  return types === undefined || name.startsWith('./from/') ? [] : [{ name: name.slice(2), file: types.replace(/^\.\/|\.d\.ts$/g, '') }];
});

/** The page of an entry; the main one has several. */
function pageOf({ name, file }) {
  if (file.includes('/adapters/')) return 'adapters';
  if (name === 'journal' || name.startsWith('store/')) return 'stores';
  return name.split('/')[0];
}

const temporary = mkdtempSync(join(import.meta.dirname, '.made-'));
try {
  const made = join(temporary, 'pages');
  await make(made);
  if (isCheck) check(made);
  else put(made);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** Has typedoc write one page per entry file, and an index of them all. */
async function make(out) {
  const entryPoints = Object.entries(sources()).map(([name, source]) => {
    writeFileSync(join(temporary, `${name}.ts`), source);
    return join(temporary, `${name}.ts`);
  });
  const tsconfig = join(temporary, 'tsconfig.json');
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: entryPoints }));
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    name: 'subagents',
    entryPoints,
    tsconfig,
    readme: 'none',
    outputs: [{ name: 'markdown', path: out }],
    router: 'module',
    theme: 'short',
    sort: ['source-order'],
    sortEntryPoints: false,
    // The frameworks aren't installed here; the types that the adapters show for them are their own.
    skipErrorChecking: true,
    disableSources: true,
    disableGit: true,
    excludeExternals: true,
    excludeReferences: true,
    excludePrivate: true,
    validation: false,
    logLevel: 'Warn',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    hidePageTitle: true,
    hideGroupHeadings: true,
    useCodeBlocks: false,
    expandObjects: true,
    expandParameters: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    propertyMembersFormat: 'table',
    tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true, hideSources: true, hideDefaults: true },
  });
  tidy(app, entryOf);
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the types');
  let urlOf;
  app.renderer.on(MarkdownRendererEvent.END, () => {
    const { router } = app.renderer;
    urlOf = (each) => router.getFullUrl(each);
  });
  await app.generateOutputs(project);
  for (const [page, text] of headed(project, out, urlOf)) writeFileSync(join(out, page), text);
}

/** Makes the entry file of each page: every line of dist/index.d.ts goes to the page of the folder that it names. */
function sources() {
  const made = {};
  const add = (page, line) => {
    made[page] ??= `/** @module ${page} */\n`;
    made[page] += `${line}\n`;
  };
  for (const line of readFileSync(join(root, 'dist/index.d.ts'), 'utf8').trim().split('\n')) {
    const [, folder] = /from '\.\/([^/]+)\//.exec(line) ?? [];
    const page = Object.keys(THEMES).find((name) => THEMES[name].folders.includes(folder));
    if (page === undefined) throw new Error(`scripts/reference/make.mjs names no page for this line of dist/index.d.ts: ${line}`);
    // With `type`, typedoc would take a class for an interface.
    add(page, line.replaceAll(/\btype /g, '').replace("'./", "'../../../dist/"));
  }
  // An export of several entries is on the page of the first one: the inspector exports those of `subagents/view` again.
  for (const entry of entries.toSorted((one, other) => Number(other.name === 'view') - Number(one.name === 'view'))) {
    if (entry.name !== '') add(pageOf(entry), `export * from '../../../${entry.file}.js';`);
  }
  return made;
}

/** Adds titles to the pages, and makes the index. Anchors in tables that no link names are removed. */
function headed(project, out, urlOf) {
  const holds = Object.fromEntries(
    project.children.map(({ name }) => [name, THEMES[name]?.holds ?? OTHERS[name] ?? `what \`subagents/${name}\` exports`]),
  );
  const made = Object.keys(holds).map((name) => [`${name}.md`, readFileSync(join(out, `${name}.md`), 'utf8')]);
  const named = new Set(
    made.flatMap(([page, text]) => Array.from(text.matchAll(/\]\(([\w-]*\.?m?d?)#([^)]*)\)/g), ([, to, id]) => `${to || page}#${id}`)),
  );
  const pages = made.map(([page, text]) => {
    const short = text.replace(/<a id="([^"]*)"><\/a> /g, (anchor, id) => (named.has(`${page}#${id}`) ? anchor : ''));
    const name = page.slice(0, -3);
    return [
      page,
      `${MADE}\n\n# ${name[0].toUpperCase()}${name.slice(1)}\n\nThis page has ${holds[name]}. All pages: [the API](README.md).\n\n${short}`,
    ];
  });
  const index = project.children.map(({ name, children }) => {
    const links = new Map(children.map((each) => [each.name, `[${each.name}](${urlOf(each)})`]));
    return `## ${name[0].toUpperCase()}${name.slice(1)}\n\n[This page](${name}.md) has ${holds[name]}.\n\n${[...links.values()].join(' · ')}\n`;
  });
  return [...pages, ['README.md', `${MADE}\n\n# The API\n\n${INTRODUCTION}\n\n${index.join('\n')}`]];
}

/** The entry of an export, for the pages with several entries. Types that these share are in files of their own. */
function entryOf(file) {
  const path = file.slice(root.length).replace(/^[\\/]|\.d\.ts$/g, '');
  const entry = entries.find((each) => each.file === path || path.startsWith(`${each.file}/`) || `${dirname(path)}/index` === each.file);
  if (entry !== undefined)
    return ['adapters', 'stores', 'inspector', 'pkg'].includes(pageOf(entry)) ? `\`subagents/${entry.name}\`` : undefined;
  if (path.startsWith('dist/adapters/')) return 'every adapter that takes or gives it';
  return path.startsWith('dist/stores/') ? 'every store' : undefined;
}

function check(made) {
  const wrong = [...new Set([...readdirSync(made), ...readdirSync(target)])].filter((name) => {
    const [now, then] = [target, made].map((folder) => {
      return readdirSync(folder).includes(name) ? readFileSync(join(folder, name), 'utf8') : undefined;
    });
    return now !== then;
  });
  if (wrong.length === 0) return;
  process.stderr.write(`docs/reference/api/ is not what the types make: ${wrong.join(', ')}. \`npm run reference\` makes it.\n`);
  process.exitCode = 1;
}

function put(made) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(made)) {
    writeFileSync(join(target, name), readFileSync(join(made, name)));
  }
}
