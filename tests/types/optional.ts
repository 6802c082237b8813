// What may be left out, or said to be undefined.

import { createSubAgentTool, isSubAgentError, type SubAgentManager } from '../../dist/index.js';
import type { InspectorSource } from '../../dist/view/index.js';

declare const manager: SubAgentManager;
declare const text: string | undefined;
declare const texts: string[] | undefined;
declare const error: unknown;
declare const source: InspectorSource;
declare const tokens: number | undefined;

const tool = createSubAgentTool({ spawnSubAgent: async () => ({ output: 'x' }) });
createSubAgentTool({ spawnSubAgent: async () => ({ output: 'x' }), canSpawn: undefined, getModelId: undefined });
manager.checkConsumerSpawn({ instructions: 'x', tools: texts });
manager.createTools({ names: { spawn: text } });

void source.call({ call: 'spawn', session: text, args: [{ instructions: 'x', label: text }] });
void source.call({ version: undefined, call: 'approve', args: ['x', false, text] });
void source.call({ call: 'addBudget', session: text, args: [{ tokens, costUsd: tokens, turns: tokens }, text] });

async function read(): Promise<string> {
  for await (const line of tool.execute({ instructions: 'x' })) void line;
  return tool.execute({ instructions: 'x' });
}
void read;

if (isSubAgentError(error, 'store_failed')) {
  const reported: [number | undefined, string | undefined, string | undefined] = [
    error.details.through,
    error.details.how,
    error.details.store,
  ];
  void reported;
}
if (isSubAgentError(error, 'store_locked')) {
  const reported: [string | undefined, number | undefined] = [error.details.path, error.details.pid];
  void reported;
}
if (isSubAgentError(error)) {
  const reported: [number | undefined, string | undefined] = [error.details.line, error.details.id];
  void reported;
}
