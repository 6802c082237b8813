// The order of the folders: every import of ts/, src/ and tests/ goes down, and no files form a circle
// (`scripts/rooms.mjs`, docs/architecture.md). Checked on the sources, and on small trees that are wrong.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/rooms.mjs', import.meta.url));
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** What the check says of the sources, or of a small tree. */
function check(files?: Record<string, string>): { status: number | null; said: string } {
  const folder = files && mkdtempSync(join(tmpdir(), 'rooms-'));
  if (folder !== undefined) made.push(folder);
  for (const [name, text] of Object.entries(files ?? {})) {
    mkdirSync(dirname(join(folder ?? '', name)), { recursive: true });
    writeFileSync(join(folder ?? '', name), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, ...(folder === undefined ? [] : [folder])], { encoding: 'utf8' });
  return { status, said: stderr };
}

test('the sources keep to the order of the folders', () => {
  expect(check()).toEqual({ status: 0, said: 'every import goes down, and in no circle\n' });
});

test('an import that goes up is refused, also one of a type', () => {
  const { status, said } = check({
    'ts/base/low.ts': "import type { High } from '../api/high.js';\nexport type Low = High;\n",
    'ts/api/high.ts': 'export type High = 1;\n',
  });
  expect(status).toBe(1);
  expect(said).toContain('ts/base/low.ts → ts/api/high.ts: goes up');
});

test('a circle of files is refused, also where a type closes it', () => {
  const { status, said } = check({
    'ts/runs/a.ts': "import { b } from './b.js';\nexport const a = b;\nexport type A = 1;\n",
    'ts/runs/b.ts': "export const b: import('./a.js').A = 1;\n",
  });
  expect(status).toBe(1);
  expect(said).toContain('ts/runs/a.ts → ts/runs/b.ts: in a circle of 2 files');
  expect(said).toContain('ts/runs/b.ts → ts/runs/a.ts: in a circle of 2 files');
});

test('an adapter imports types alone, and nothing imports an adapter', () => {
  const { said } = check({
    'ts/adapters/good.ts': "import type { Run } from '../api/run.js';\nexport type G = Run;\n",
    'ts/adapters/bad.ts': "import { run } from '../api/run.js';\nexport const b = run;\n",
    'ts/api/run.ts': "export type Run = 1;\nexport const run = 1;\nexport type { G } from '../adapters/good.js';\n",
  });
  expect(said).toContain('ts/adapters/bad.ts → ts/api/run.ts: adapters import nothing but types');
  expect(said).toContain('ts/api/run.ts → ts/adapters/good.ts: nothing imports an adapter');
  expect(said).not.toContain('good.ts → ts/api/run.ts: adapters');
});

test('an import at run time is one of a value, and a type that is named by its file is one of a type', () => {
  const { said } = check({
    'ts/adapters/lazy.ts': "export const run = async () => (await import('../api/run.js')).run;\n",
    'ts/adapters/wrapped.ts': "export const run = () =>\n  import(\n    '../api/run.js'\n  ).then(({ run }) => run);\n",
    'ts/adapters/typed.ts': "export type R = import('../api/run.js').Run;\nexport type M = typeof import('../api/run.js');\n",
    'ts/api/run.ts': 'export type Run = 1;\nexport const run = 1;\n',
    'ts/base/low.ts': "export const late = () => import('../api/run.js');\n",
  });
  expect(said.split('\n').filter((line) => line.includes('→'))).toEqual([
    'ts/adapters/lazy.ts → ts/api/run.ts: adapters import nothing but types',
    'ts/adapters/wrapped.ts → ts/api/run.ts: adapters import nothing but types',
    'ts/base/low.ts → ts/api/run.ts: goes up',
  ]);
});

test('tests: what several share imports none of them, and no files form a circle but those of the second model', () => {
  const { said } = check({
    'tests/package/api/a.test.ts': "import { b } from '../../support/b.js';\nimport { c } from './c.js';\nexport const a = [b, c];\n",
    'tests/package/api/c.ts': "import { a } from './a.test.js';\nexport const c = a;\n",
    'tests/support/b.ts': "import { c } from '../package/api/c.js';\nexport const b = c;\n",
    'tests/crash/kill.mjs': "const { b } = await import('../runtimes/shell.mjs');\nexport const kill = b;\n",
    'tests/runtimes/shell.mjs': 'export const b = 1;\n',
    'tests/new-folder/d.ts': "import { b } from '../support/b.js';\nexport const d = b;\n",
    'tests/outside/model/one.mjs': "import { two } from './two.mjs';\nexport const one = () => two;\n",
    'tests/outside/model/two.mjs': "import { one } from './one.mjs';\nexport const two = () => one;\n",
  });
  expect(said.split('\n').filter((line) => line.includes('→'))).toEqual([
    'tests/crash/kill.mjs → tests/runtimes/shell.mjs: goes up',
    'tests/new-folder/d.ts → tests/support/b.ts: a folder that has no place in the order',
    'tests/package/api/a.test.ts → tests/support/b.ts: in a circle of 3 files',
    'tests/package/api/a.test.ts → tests/package/api/c.ts: in a circle of 3 files',
    'tests/package/api/c.ts → tests/package/api/a.test.ts: in a circle of 3 files',
    'tests/support/b.ts → tests/package/api/c.ts: goes up',
  ]);
});

test('the boundary asks the manager, and none of what stands behind it', () => {
  const { said } = check({
    'src/lib.rs': 'mod manager;\nmod read;\nmod rules;\nmod state;\nmod waits;\nmod wasm;\n',
    'src/manager.rs': 'use crate::rules::clock;\n',
    'src/read/mod.rs': '',
    'src/state/mod.rs': '',
    'src/waits/mod.rs': '',
    'src/rules/mod.rs': 'pub mod clock;\n',
    'src/rules/clock.rs': 'use crate::waits::Waits;\n',
    'src/wasm/mod.rs': '',
    'src/wasm/asks.rs': 'use crate::manager::Manager;\nuse crate::state::ROOT;\nfn f() { crate::read::view(); }\n',
    'src/wasm/decides.rs': 'fn f() { crate::rules::clock::tick(); }\n',
  });
  expect(said.split('\n').filter((line) => line.includes('→'))).toEqual([
    'src/wasm/decides.rs → src/rules/clock.rs: goes past the manager',
  ]);
});

test('the core: paths through what a module passes on, circles outside of the ends of runs, and new calls between subjects', () => {
  const { said } = check({
    'src/lib.rs': 'mod base;\nmod rules;\npub use base::amounts::Amounts;\n',
    'src/base/mod.rs': 'pub mod amounts;\npub mod text;\n',
    'src/base/amounts.rs': 'use crate::rules::budget::billing;\npub struct Amounts;\n',
    'src/base/text.rs': 'use crate::Amounts;\n',
    'src/rules/mod.rs': 'pub mod clock;\npub mod budget;\npub mod notices;\npub mod runs;\n',
    'src/rules/clock.rs': 'use crate::rules::budget::{self, billing::check};\n',
    'src/rules/budget/mod.rs': 'pub mod billing;\n',
    'src/rules/budget/billing.rs': 'fn f() { crate::rules::clock::tick(); }\n',
    'src/rules/runs/mod.rs': 'pub mod ending;\npub mod stopping;\n',
    'src/rules/runs/ending.rs': 'use super::stopping;\n',
    'src/rules/runs/stopping.rs': 'use super::ending;\nuse crate::rules::notices;\n',
    'src/rules/notices.rs': 'use crate::rules::runs::ending;\n',
  });
  expect(said.split('\n').filter((line) => line.includes('→'))).toEqual([
    'rules: budget → clock: one subject calls another that it did not call',
    'rules: notices → runs: one subject calls another that it did not call',
    'src/base/amounts.rs → src/rules/budget/billing.rs: goes up',
    'src/rules/budget/billing.rs → src/rules/clock.rs: in a circle of 2 files',
    'src/rules/clock.rs → src/rules/budget/billing.rs: in a circle of 2 files',
    'src/rules/notices.rs → src/rules/runs/ending.rs: in a circle of 2 files',
    'src/rules/runs/stopping.rs → src/rules/notices.rs: in a circle of 2 files',
  ]);
});
