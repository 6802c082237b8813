// Commands as options of the package: settings, budgets, spawns. Owns which word stands for which option.

import type { Budget, ModelPrice, Prices, SpawnOptions, SubAgentManagerOptions, TokenKinds } from '../../dist/index.js';
import { type Command, given } from './golden-transcript.js';

/** The options of a manager that a command sets; a budget leaves out nothing, as in the core. */
export function settingsOf(command: Command): SubAgentManagerOptions {
  const caps = (): Budget => {
    const { tokens = Number.POSITIVE_INFINITY, costUsd = Number.POSITIVE_INFINITY, turns = Number.POSITIVE_INFINITY } = budgetOf(command);
    return { tokens, costUsd, turns };
  };
  let settings: SubAgentManagerOptions;
  if (command.verb === 'budget') settings = { budget: caps() };
  else if (command.verb === 'task-budget') settings = { taskBudget: caps() };
  else if (command.verb === 'on-limit') settings = { onLimit: command.word(0) as 'queue' | 'reject' };
  else {
    const settingOf = (name: string): number | undefined => (name.endsWith('Usd') ? dollarsOf(command, name) : command.number(name));
    settings = Object.fromEntries(command.names().map((name) => [name, settingOf(name)]));
  }
  command.expectRead();
  return settings;
}

/** What was used; `invalid` is a number that is none. */
export function readings(command: Command): Budget {
  const reading = (name: string): number | undefined => (command.option(name) === 'invalid' ? Number.NaN : command.number(name));
  return budget(reading('tokens'), reading('nanos'), reading('turns'));
}

/** The tokens by kind, and their model. */
export function tokensOf(command: Command): TokenKinds & { modelId?: string } {
  return given({
    inputTokens: command.number('input'),
    outputTokens: command.number('output'),
    cacheReadTokens: command.number('cacheRead'),
    cacheWriteTokens: command.number('cacheWrite'),
    cacheWrite1hTokens: command.number('cacheWrite1h'),
    reasoningTokens: command.number('reasoning'),
    modelId: command.option('model'),
  });
}

/** The price of a model; a command has billionths of a dollar a million tokens. */
export function pricesOf(command: Command): Prices {
  const price = given({
    input: dollarsOf(command, 'input') ?? 0,
    output: dollarsOf(command, 'output') ?? 0,
    cacheRead: dollarsOf(command, 'cacheRead'),
    cacheWrite: dollarsOf(command, 'cacheWrite'),
    cacheWrite1h: dollarsOf(command, 'cacheWrite1h'),
  });
  return { [command.word(0)]: price as unknown as ModelPrice };
}

/** Amounts above 0, as budgets take them. */
export function budgetOf(command: Command): Budget {
  return budget(command.number('tokens'), command.number('nanos'), command.number('turns'));
}

function budget(tokens: number | undefined, nanos: number | undefined, turns: number | undefined): Budget {
  return given({ tokens, costUsd: nanos === undefined ? undefined : nanos / 1e9, turns });
}

/** What a command says in billionths of a dollar, in dollars. */
export function dollarsOf(command: Command, option: string): number | undefined {
  const nanos = command.number(option);
  return nanos === undefined ? undefined : nanos / 1e9;
}

function retryEndedOf(on: string | undefined): true | string[] | undefined {
  return on === 'bad' ? true : on?.split(',');
}

/** Options of a spawn that no command says. */
type Unsaid =
  | ('agent' | 'contextHint' | 'effort' | 'format' | 'maxCost' | 'metadata' | 'mustHave' | 'origin')
  | ('prices' | 'profile' | 'schema' | 'signal' | 'systemPrompt' | 'taskId' | 'tools');

/** The options of a spawn. */
export function spawnOf(command: Command): Partial<SpawnOptions> {
  const budget = budgetOf(command);
  const max = command.number('retry');
  const priority = command.option('priority');
  const said: Record<Exclude<keyof SpawnOptions, Unsaid>, unknown> = {
    instructions: command.text,
    background: command.says('background') || undefined,
    drive: command.says('driven') ? 'program' : undefined,
    label: command.option('label'),
    maxTurns: command.number('maxTurns'),
    maxSpawns: command.number('maxSpawns'),
    modelId: command.option('modelId'),
    timeoutMs: command.number('timeoutMs'),
    idleTimeoutMs: command.number('idleTimeoutMs'),
    turnEstimate: command.number('turnEstimate'),
    turnEstimateUsd: dollarsOf(command, 'turnEstimateUsd'),
    rateLimitKey: command.option('rateLimitKey'),
    idempotencyKey: command.option('key'),
    nickname: command.option('nickname'),
    onParentEnd: command.option('onParentEnd'),
    priority: priority === undefined ? undefined : Number(priority),
    retryEnded: retryEndedOf(command.option('retryEnded')),
    retry: max === undefined ? undefined : given({ max, backoffMs: command.number('backoffMs') }),
    budget: Object.keys(budget).length > 0 ? budget : undefined,
  };
  return given(said);
}
