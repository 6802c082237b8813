// Opening a manager's core from a wasm instance. Owns the order: functions first, then the options.

import type { Instance } from '../../pkg/subagents.js';
import { now } from '../base/clock.js';
import { bound } from '../base/context.js';
import { invalid, SubAgentError } from '../base/errors.js';
import { Agents } from '../options/agents.js';
import { noOtherFields, optionsOf, readArgument, saidTwice, unknownOption } from '../options/arguments.js';
import { BOUNDS, Bounds, type SetOptions } from '../options/bounds.js';
import { Profiles } from '../options/profiles.js';
import { readRetry } from '../options/retry.js';
import { STORE_OPTIONS } from '../options/store.js';
import { count, duration, string, strings } from '../options/values.js';
import { Gates } from '../policies/gates.js';
import type { MainLimits, PolicySets } from '../policies/policy.js';
import { busOf, type MessageBus, publisher } from '../reading/bus.js';
import type { HostFunctions } from '../runs/functions.js';
import type { Opening } from './open-store.js';
import { type MakeRun, Runtime } from './runtime.js';

const FUNCTIONS = [
  'spawnSubAgent',
  'spawnBackgroundSubAgent',
  'checkConsumerSpawn',
  'canSpawn',
  'getConcurrencyInfo',
  'getModelId',
  'onError',
  'countTokens',
  'onWake',
] as const;
/** Options that are neither functions nor bounds of the manager. */
const OTHERS = ['agents', 'bus', 'mainLimits', 'modelId', 'policies', 'preset', 'profiles', 'retry', 'tools'] as const;

/**
 * Makes the core of a manager; throws `invalid_argument` where an option can't be taken. Where a manager is
 * opened from a store it goes on where that ends.
 */
export function open(instance: Instance, options: Readonly<Record<string, unknown>>, makeRun: MakeRun, opening?: Opening): Runtime {
  const { functions, bounds, settings, tools, agents, profiles, policies, mainLimits, bus } = readArgument('the options of a manager', () =>
    read(options),
  );
  const runtime = new Runtime(instance, functions as HostFunctions, makeRun);
  runtime.agents = agents;
  runtime.profiles = profiles;
  if (bus !== undefined)
    runtime.functions.onWake = publisher(
      bus,
      (error) => {
        // A notice that the bus took after the manager was over can't be acknowledged, which is no error to report.
        if (!runtime.isClosed) runtime.report(error);
      },
      (body) => runtime.onceKept(body),
    );
  try {
    const configure = (reopen?: SetOptions): void => bounds.apply(runtime, settings, reopen);
    if (opening === undefined) configure();
    else opening.begin(runtime, configure);
    runtime.gates = new Gates(runtime, policies, mainLimits);
    // The contexts kept for a task go when it is forgotten.
    if (runtime.contexts.matter) runtime.call((core) => core.tellForgotten());
    const { blockedTools } = runtime.gates.sub;
    if (blockedTools.length > 0) runtime.order((core) => core.blockTools(now(), [...blockedTools]));
    if (tools !== undefined) runtime.order((core) => core.setTools(now(), core.defaultSession(), tools));
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
  bus: MessageBus | undefined;
}

function read(given: Readonly<Record<string, unknown>>): Options {
  const options = optionsOf('the options of a manager', given);
  const functions: Record<string, unknown> = {};
  const bounds = new Bounds();
  const settings: Record<string, unknown> = {};
  let tools: string[] | undefined;
  const agents = new Agents(options.agents);
  const profiles = new Profiles(options.profiles);
  let policies: PolicySets = {};
  let bus: MessageBus | undefined;
  let mainLimits: MainLimits = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || key === 'agents' || key === 'profiles') continue;
    if ((FUNCTIONS as readonly string[]).includes(key)) {
      if (typeof value !== 'function') throw invalid(`\`${key}\``, 'a function', value);
      // A run's functions are called in the context of its spawn, what tells of the manager in that of here (A5).
      functions[key] = key === 'onWake' ? bound(value as (...given: never[]) => unknown) : value;
    } else if (bounds.take(key, value)) {
      // `take` has read it as a bound.
    } else if (key === 'retry') {
      settings.retry = readRetry(key, value);
    } else if (key === 'bus') {
      if (options.onWake !== undefined) throw saidTwice('`bus` and `onWake`', key);
      bus = busOf(value);
    } else if (key === 'modelId') {
      const modelId = string('`modelId`', value);
      if (options.getModelId !== undefined) throw saidTwice('`modelId` and `getModelId`', key);
      functions.getModelId = () => modelId;
    } else if (key === 'tools') {
      tools = strings('`tools`', value);
    } else if (key === 'policies') {
      policies = policySets(value);
    } else if (key === 'mainLimits') {
      mainLimits = mainLimitsOf('mainLimits', value);
    } else {
      if (STORE_OPTIONS.includes(key)) {
        const message = `\`${key}\` is an option of a manager with a store, which \`await SubAgentManager.open({ store, … })\` makes`;
        throw new SubAgentError('invalid_argument', message, { argument: key });
      }
      throw unknownOption('a manager', key, [...FUNCTIONS, ...BOUNDS, ...OTHERS]);
    }
  }
  agents.checkProfiles(profiles);
  return {
    functions,
    bounds,
    settings,
    tools,
    agents,
    profiles,
    policies,
    mainLimits,
    bus,
  };
}

function policySets(value: unknown): PolicySets {
  if (Array.isArray(value)) throw invalid('`policies`', 'an object with subAgents or main', value);
  const { subAgents, main, ...unknown } = optionsOf('`policies`', value as PolicySets);
  noOtherFields('policies', unknown, ['subAgents', 'main']);
  return { ...(subAgents !== undefined && { subAgents }), ...(main !== undefined && { main }) };
}

/** The limits of a main agent, checked. */
export function mainLimitsOf(name: string, value: unknown): MainLimits {
  const { maxTurns, maxContextTokens, timeoutMs, ...unknown } = optionsOf(`\`${name}\``, value as MainLimits);
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
