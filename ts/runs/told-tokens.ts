// The kinds of tokens and the model that a report or a result names, as the core takes them before it. Owns which model it is
// where neither that nor the spawn names one: the manager's (B11).

import type { Core } from '../boundary/core.js';
import type { ToldTokens } from '../boundary/tokens.js';
import type { HostFunctions } from './functions.js';

/** Hands them to the core, which keeps them for the report or the end that follows. */
export function stageTokens(runtime: Core & { readonly functions: HostFunctions }, { kinds, modelId }: ToldTokens): void {
  const length = runtime.write(modelId ?? modelOf(runtime.functions));
  runtime.call((core) => core.stageTokens(length, modelId !== undefined, ...kinds));
}

/** The manager's model; a function that fails names none. */
function modelOf({ getModelId }: HostFunctions): string {
  try {
    const modelId: unknown = getModelId?.();
    return typeof modelId === 'string' ? modelId : '';
  } catch {
    return '';
  }
}
