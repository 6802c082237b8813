// The TypeScript tests run against the built package: dist/ and pkg/ as they are published.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 20_000,
    // The files under test are loaded by Node itself, not transformed.
    server: { deps: { external: [/\/dist\//, /\/pkg\//] } },
  },
});
