// The model to use: the built-in one, or any OpenAI-compatible endpoint that the command line names.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';

import { type Options, UsageError } from './cli.js';
import { ExtractiveRanker } from './model/ranker.js';

export interface ChosenModel {
  readonly model: LanguageModelV3;
  /** One line that says what answers, and where the documents go. */
  readonly description: string;
  /** What nothing printed may hold, whatever an endpoint says about it. */
  readonly apiKey: string | undefined;
}

/** Endpoints without a key are common on one's own machine, so a missing key is no error here. */
export function chooseModel(endpoint: Options['endpoint'], paceMs: number, env: NodeJS.ProcessEnv): ChosenModel {
  if (endpoint === undefined) {
    const model = new ExtractiveRanker(paceMs);
    const description = `${model.modelId}, built in: not a language model, it ranks and quotes sentences`;
    return { model, description, apiKey: undefined };
  }
  const apiKey = env[endpoint.apiKeyEnv]?.trim() || undefined;
  // Said here, since what a failed request says would repeat the key.
  if (apiKey !== undefined && /[^\x21-\x7e]/u.test(apiKey)) {
    throw new UsageError(`the key in ${endpoint.apiKeyEnv} has blanks or characters that are not ASCII`);
  }
  const provider = createOpenAICompatible({
    name: 'endpoint',
    baseURL: endpoint.baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const key = apiKey ? `key from ${endpoint.apiKeyEnv}` : `no key in ${endpoint.apiKeyEnv}`;
  return {
    model: provider.chatModel(endpoint.model),
    description: `${endpoint.model} at ${new URL(endpoint.baseUrl).host} (${key})`,
    apiKey,
  };
}
