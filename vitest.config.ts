// The TypeScript tests run against the built package: dist/ and pkg/ as they are published.

import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { isRest, isShare } from './tests/support/share.js';

/** Processes that are started, killed and frozen, databases that go away, minutes of search: `npm test` leaves them out. */
const LONG = [
  'tests/package/agents/{acp-agent,processes}.test.ts',
  'tests/package/command/command.test.ts',
  'tests/package/inspect/{cli,follow}.test.ts',
  'tests/workers/{binding,chaos,connection,deploy,late-words,letters,losses,odd-values,postgres,spending,takeovers,waking}.test.ts',
  'tests/package/inspect/redis.test.ts',
  'tests/package/stores/{store-file-lock,store-file-processes}.test.ts',
  'tests/package/view/packed-log.test.ts',
  'tests/project/patterns.test.ts',
];

/** The files of which `npm test` runs a part. */
function inPart(): string[] {
  // With their types: without, Node 20 follows links, and a package that is installed for a test links back to this folder.
  const entries = readdirSync('tests', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.name.endsWith('.test.ts')).map((entry) => `${entry.parentPath}/${entry.name}`);
  return files.filter((file) => !file.includes('node_modules') && readFileSync(file, 'utf8').includes('support/share.js'));
}

export default defineConfig({
  test: {
    include: isRest ? [...LONG, ...inPart()] : ['tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(isShare ? LONG : [])],
    // Only so that a hang ends: no test may fail because the machine is slow, or shared with others.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Unless told otherwise, vitest leaves a processor free. Most of the long tests wait: for a process that has been killed, a
    // lease, a database.
    maxWorkers: availableParallelism(),
    // The files under test are loaded by Node itself, not transformed.
    server: { deps: { external: [/\/dist\//, /\/pkg\//] } },
  },
});
