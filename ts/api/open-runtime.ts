// Opens a manager's core from a wasm instance. Owns the order: functions first, then the options.

import type { Instance } from '../../pkg/subagents.js';
import { bound } from '../base/context.js';
import { invalid, SubAgentError } from '../base/errors.js';
import { DEFAULT_SESSION, PROGRAM } from '../boundary/key.js';
import { deniedInVain } from '../commands/denials.js';
import { Agents } from '../options/agents.js';
import { noOtherFields, optionsOf, readArgument, saidTwice, unknownOption } from '../options/arguments.js';
import { BOUNDS, Bounds, type SetOptions } from '../options/bounds.js';
import { Profiles } from '../options/profiles.js';
import { readRetry } from '../options/retry.js';
import { onParentEndOf } from '../options/spawn-options.js';
import { STORE_OPTIONS } from '../options/store.js';
import { count, duration, string, strings } from '../options/values.js';
import { Gates } from '../policies/gates.js';
import type { MainLimits, PolicySets } from '../policies/policy.js';
import { Following } from '../runs/following.js';
import type { HostFunctions } from '../runs/functions.js';
import type { Opening } from './open-store.js';
import { type MakeRun, Runtime } from './runtime.js';

const FUNCTIONS = [
  'spawnSubAgent',
  'spawnBackgroundSubAgent',
  'acquire',
  'release',
  'checkConsumerSpawn',
  'canSpawn',
  'getConcurrencyInfo',
  'getModelId',
  'onError',
  'countTokens',
  'onWake',
] as const;
type RawOptions = Readonly<Record<string, unknown>>;

/** The expected `spawnSubAgent`, for an error. */
export const A_HOST = 'a function such as async ({ instructions }, run) => ({ output })';

/** Readers of the options that are neither functions nor bounds of the manager. */
const READERS: Readonly<Record<string, (value: unknown, options: RawOptions, functions: Options['functions']) => Partial<Options>>> = {
  agents: (value) => ({ agents: new Agents(value) }),
  asyncContext(value) {
    if (typeof value !== 'boolean') throw invalid('`asyncContext`', 'a boolean', value);
    return { following: value };
  },
  mainLimits: (value) => ({ mainLimits: mainLimitsOf('mainLimits', value) }),
  modelId(value, { getModelId }, functions) {
    const modelId = string('`modelId`', value);
    if (getModelId !== undefined) throw saidTwice('`modelId` and `getModelId`', 'modelId');
    functions.getModelId = () => modelId;
    return {};
  },
  policies: (value) => ({ policies: policySets(value) }),
  profiles: (value) => ({ profiles: new Profiles(value) }),
  tools: (value) => ({ tools: strings('`tools`', value) }),
};

/** Readers of the core's settings that are no limits. */
const SETTINGS: Readonly<Record<string, (value: unknown) => unknown>> = {
  onParentEnd: (value) => onParentEndOf('onParentEnd', value),
  retry: (value) => readRetry('retry', value),
};

/**
 * Makes the core of a manager; throws `invalid_argument` for an invalid option. If a manager is opened from a store, it
 * continues where the store ends.
 */
export function openRuntime(instance: Instance, options: RawOptions, makeRun: MakeRun, opening?: Opening): Runtime {
  const { functions, bounds, settings, tools, agents, profiles, policies, mainLimits, following } = readArgument(
    'the options of a manager',
    () => read(options),
  );
  const runtime = new Runtime(instance, functions as HostFunctions, makeRun, new Following(following));
  runtime.agents = agents;
  runtime.profiles = profiles;
  try {
    const configure = (reopen?: SetOptions): void => bounds.apply(runtime, settings, reopen);
    if (opening === undefined) configure();
    else opening.begin(runtime, configure);
    runtime.gates = new Gates(runtime, policies, mainLimits);
    // Resources of a task are released when it is forgotten.
    if (runtime.resources.areUsed) runtime.call((core) => core.notifyForgotten());
    // Resources that the last process left are released in a later task than that of `open`.
    if (opening !== undefined && runtime.resources.areUsed) setTimeout(() => runtime.resources.taskGone());
    // The core knows the tools before the blocked ones among them (P4).
    if (tools !== undefined) runtime.perform(PROGRAM, { type: 'set_tools', session: DEFAULT_SESSION, tools });
    const { blockedTools } = runtime.gates.sub;
    if (blockedTools.length > 0) runtime.perform(PROGRAM, { type: 'block_tools', tools: blockedTools });
    if (tools !== undefined && blockedTools.length > 0)
      runtime.denials.report(runtime, deniedInVain(runtime, DEFAULT_SESSION.index), 'blockedTools');
  } catch (error) {
    runtime.dispose();
    throw error;
  }
  return runtime;
}

interface Options {
  functions: Record<string, unknown>;
  bounds: Bounds;
  settings: Record<string, unknown>;
  tools: string[] | undefined;
  agents: Agents;
  profiles: Profiles;
  policies: PolicySets;
  mainLimits: MainLimits;
  following: boolean | undefined;
}

function read(given: RawOptions): Options {
  const options = optionsOf('the options of a manager', given, 'an object such as { spawnSubAgent }');
  const into: Options = {
    functions: {},
    bounds: new Bounds(),
    settings: {},
    tools: undefined,
    agents: new Agents(undefined),
    profiles: new Profiles(undefined),
    policies: {},
    mainLimits: {},
    following: undefined,
  };
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if ((FUNCTIONS as readonly string[]).includes(key)) {
      if (typeof value !== 'function') throw invalid(`\`${key}\``, key === 'spawnSubAgent' ? A_HOST : 'a function', value);
      // The functions of a run are called in the context of its spawn, `onWake` in the context of this call (A5).
      into.functions[key] = key === 'onWake' ? bound(value as (...given: never[]) => unknown) : value;
    } else if (Object.hasOwn(SETTINGS, key)) into.settings[key] = SETTINGS[key]?.(value);
    else if (Object.hasOwn(READERS, key)) Object.assign(into, READERS[key]?.(value, options, into.functions));
    else if (!into.bounds.take(key, value)) {
      if (STORE_OPTIONS.includes(key)) {
        const message = `\`${key}\` is an option of a manager with a store, which \`await SubAgentManager.open({ store, … })\` makes`;
        throw new SubAgentError('invalid_argument', message, { argument: key });
      }
      throw unknownOption('a manager', key, [...FUNCTIONS, ...BOUNDS, ...Object.keys(SETTINGS), ...Object.keys(READERS)]);
    }
  }
  into.agents.checkProfiles(into.profiles);
  return into;
}

const A_SET = 'an object such as { subAgents: [policy], main: [policy] }';

function policySets(value: unknown): PolicySets {
  if (Array.isArray(value)) throw invalid('`policies`', A_SET, value);
  const { subAgents, main, ...unknown } = optionsOf('`policies`', value as PolicySets, A_SET);
  noOtherFields('policies', unknown, ['subAgents', 'main']);
  return { ...(subAgents !== undefined && { subAgents }), ...(main !== undefined && { main }) };
}

/** Checks the limits of a main agent. */
export function mainLimitsOf(name: string, value: unknown): MainLimits {
  const { maxTurns, maxContextTokens, timeoutMs, ...unknown } = optionsOf(
    `\`${name}\``,
    value as MainLimits,
    'an object such as { maxTurns: 20 }',
  );
  noOtherFields(name, unknown, ['maxTurns', 'maxContextTokens', 'timeoutMs']);
  const limits: MainLimits = {};
  const turns = count(`\`${name}.maxTurns\``, maxTurns);
  const context = count(`\`${name}.maxContextTokens\``, maxContextTokens);
  const ms = duration(`\`${name}.timeoutMs\``, timeoutMs);
  if (turns !== undefined) limits.maxTurns = turns;
  if (context !== undefined) limits.maxContextTokens = context;
  if (ms !== undefined) limits.timeoutMs = ms;
  return limits;
}
