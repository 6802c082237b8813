// The kinds of tokens and the model of a report or a result, for the core. Owns the default model: the manager's, if
// neither the report nor the spawn names one (B11).

import type { Core } from '../boundary/core.js';
import { READING_MISSING } from '../generated/codes.js';
import type { ReportedTokens } from '../generated/tokens.js';
import { readArgument } from '../options/arguments.js';
import { string } from '../options/values.js';
import type { HostFunctions } from './functions.js';

/** Tokens with a total alone: no kinds, no model. */
const PLAIN: ReportedTokens = {
  kinds: [READING_MISSING, READING_MISSING, READING_MISSING, READING_MISSING, READING_MISSING, READING_MISSING, 0],
  modelId: undefined,
};

/** The tokens of a report or a result for the core. Undefined if it has no tokens and dollars, or if their model is unknown. */
export function tokensOrPlain(
  { functions }: { readonly functions: HostFunctions },
  { byKind, tokens, costUsd }: { readonly byKind: ReportedTokens | undefined; readonly tokens: number; readonly costUsd: number },
): ReportedTokens | undefined {
  if (byKind !== undefined || functions.getModelId === undefined) return byKind;
  return tokens === READING_MISSING && costUsd === READING_MISSING ? undefined : PLAIN;
}

/** Passes them to the core, which keeps them for the next report or end. */
export function stageTokens(runtime: Core & { readonly functions: HostFunctions }, { kinds, modelId }: ReportedTokens): void {
  const length = runtime.write(modelId ?? modelOf(runtime.functions));
  runtime.call((core) => core.stageTokens(length, modelId !== undefined, ...kinds));
}

/** The manager's model; undefined if it has none. Throws if `getModelId` throws or returns no text. */
export function managersModel({ getModelId }: HostFunctions): string | undefined {
  return getModelId && string('what `getModelId` returns', readArgument('`getModelId`', getModelId));
}

/** The same for a report, without throwing: a failing function must not lose a run's usage. */
function modelOf(functions: HostFunctions): string {
  try {
    return managersModel(functions) ?? '';
  } catch {
    return '';
  }
}
