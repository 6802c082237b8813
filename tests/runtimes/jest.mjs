// jest with jsdom: the packed package required in tests that run under it. Owns the test and its run.

import { fileURLToPath } from 'node:url';
import { isInstalled } from '../../scripts/stamp.mjs';
import { run } from './process.mjs';

/** Has packages and a lock file of its own, so that only who wants this check has to install them. */
const jestFolder = fileURLToPath(new URL('./jest', import.meta.url));

export const jestFiles = {
  'jsdom.test.js': `
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { SubAgentManager } = require('subagents');
const { fileStore } = require('subagents/store/file');
const { memoryStore } = require('subagents/store/memory');
const spawnSubAgent = async ({ instructions }) => ({ output: 'did ' + instructions });

test('it is jsdom', () => {
  expect([typeof document, typeof TextEncoder]).toEqual(['object', 'undefined']);
});
test.each([
  ['no store', () => new SubAgentManager({ spawnSubAgent })],
  ['memory', () => SubAgentManager.open({ spawnSubAgent, store: memoryStore() })],
  ['files', () => SubAgentManager.open({ spawnSubAgent, store: fileStore(join(mkdtempSync(join(tmpdir(), 'subagents-jest-')), 'store')) })],
])('a manager with %s', async (_, open) => {
  const manager = await open();
  expect((await manager.spawn({ instructions: 'größer' }).wait()).output).toBe('did größer');
  expect(await manager.createSubAgentTool().execute({ instructions: 'x', label: 'x' })).toContain('did x');
  await manager.flush();
  manager.dispose();
});
test.each(['slim', 'view', 'adk', 'ai-sdk', 'anthropic', 'claude', 'langchain', 'mastra', 'mcp', 'openai', 'pi', 'strands', 'store/redis', 'store/sqlite'])(
  'subagents/%s',
  (entry) => {
    expect(Object.keys(require('subagents/' + entry))).not.toEqual([]);
  },
);
`,
};

/** `{ name, missing?, run(projects) }`. */
export function jestChecks() {
  const missing = isInstalled(jestFolder) ? undefined : 'not installed: run with `--only jest`, or with `--all`';
  return [
    {
      name: 'jest with jsdom requires the CommonJS files',
      missing,
      async run({ cjs }) {
        const jest = `${jestFolder}/node_modules/jest/bin/jest.js`;
        await run(process.execPath, [
          jest,
          '--rootDir',
          cjs,
          '--env',
          `${jestFolder}/node_modules/jest-environment-jsdom`,
          'jsdom.test.js',
        ]);
      },
    },
  ];
}
