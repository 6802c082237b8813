// The TypeScript tests run against the built package: dist/ and pkg/ as they are published.

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
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
