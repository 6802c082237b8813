// The TypeScript tests run against the built package: dist/ and pkg/ as they are published.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // Only so that a hang ends: no test may fail because the machine is slow, or shared with others.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The files under test are loaded by Node itself, not transformed.
    server: { deps: { external: [/\/dist\//, /\/pkg\//] } },
  },
});
