// Models behind an address with OpenAI's or Anthropic's API, as host functions. Owns the packages that they need: the
// AI SDK, which the user installs; this command calls no model by itself.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SpawnSubAgent } from 'subagents';
import { toolLoopAgent } from 'subagents/ai-sdk';
import { Misused } from '../inspector/node/unreadable.js';
import type { ModelConfig } from './config.js';

/** The packages by API, and the function of the second package that makes a provider. */
const PROVIDERS = {
  openai: ['@ai-sdk/openai-compatible', 'createOpenAICompatible'],
  anthropic: ['@ai-sdk/anthropic', 'createAnthropic'],
} as const;

/** The missing parts of a model, with the remedy; empty if it can be called. */
export function lacking(name: string, { api, key }: ModelConfig, cwd: string): string[] {
  const missing = ['ai', PROVIDERS[api][0]].filter((each) => entryOf(each, cwd) === undefined);
  return [
    ...(missing.length > 0 ? [`the model ${name} takes ${missing.join(' and ')}: npm install ${missing.join(' ')} in ${cwd}`] : []),
    ...(key !== undefined && !process.env[key] ? [`the model ${name} takes its key from the variable ${key}, which is not set`] : []),
  ];
}

/** A model as a host function: it reads its instructions, and answers without tools. */
export function modelHost(name: string, config: ModelConfig, cwd: string): SpawnSubAgent {
  const [problem] = lacking(name, config, cwd);
  if (problem !== undefined) throw new Misused(problem);
  const { api, baseUrl, model, key, prompt } = config;
  const [provider, make] = PROVIDERS[api];
  const options = { name, baseURL: baseUrl, ...(key !== undefined && { apiKey: process.env[key] }) };
  return toolLoopAgent(async (_, run) => {
    const { ToolLoopAgent } = (await load('ai', cwd)) as { ToolLoopAgent: new (settings: object) => never };
    const made = (await load(provider, cwd)) as Record<string, (options: object) => (model: string) => unknown>;
    const instructions = [prompt, run.systemPrompt].filter((text) => text !== undefined && text !== '').join('\n\n');
    return new ToolLoopAgent({ model: made[make]?.(options)(model), ...(instructions !== '' && { instructions }) });
  });
}

function load(name: string, cwd: string): Promise<unknown> {
  return import(pathToFileURL(entryOf(name, cwd) ?? '').href);
}

/** The file that a package's import loads, searched from a folder upwards; undefined if it isn't installed. */
function entryOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) {
      const { exports, module, main } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Record<string, unknown>;
      return join(
        place,
        conditionOf((exports as Record<string, unknown> | undefined)?.['.'] ?? exports) ?? String(module ?? main ?? 'index.js'),
      );
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** The file that `import` takes from an entry of `exports`. */
function conditionOf(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return undefined;
  for (const condition of 'node import default'.split(' ')) {
    const found = conditionOf((entry as Record<string, unknown>)[condition]);
    if (found !== undefined) return found;
  }
  return undefined;
}
