// The functions that the user supplies to run a model. Owns their types and contracts.

import type { SpawnOptions, SubAgentParamsType } from '../options/generated/spawn.js';
import type { BackgroundStart, HostResult } from '../options/host-result.js';
import type { Run } from './run.js';

/**
 * Runs a model. Contract: resolves when the run is over, honours `run.signal`, calls `run.beforeTurn()` before each call of the
 * model. Any other behaviour still has a defined end, and never harms the manager.
 *
 * `params` is the object that the spawn was given, reduced to what the sub-agent may use. A run that answers a message gets the
 * JSON fields of the spawn and of its definition, with the message as `instructions`. Only the first run gets `signal`,
 * `schema`, `idempotencyKey` and values of your own.
 */
export type SpawnSubAgent = (params: SubAgentParamsType & SpawnOptions, run: Run) => Promise<HostResult> | HostResult;

/**
 * Starts a sub-agent elsewhere and resolves to its id there. `run` is its run. Until its end is reported, `run.signal` fires if
 * it has to be stopped there.
 */
export type SpawnBackgroundSubAgent = (params: SubAgentParamsType & SpawnOptions, run: Run) => Promise<BackgroundStart>;
