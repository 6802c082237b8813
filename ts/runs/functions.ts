// The types of the user's functions, as the parts of a manager call them; `ts/api/host-functions.ts` has those that
// users see.

import type { BackgroundStart, SpawnGate } from '../options/host-result.js';
import type { WakeListener } from './wakes.js';

export interface HostFunctions {
  spawnSubAgent?: ((params: never, run: never) => unknown) | undefined;
  spawnBackgroundSubAgent?: ((params: never, run: never) => Promise<BackgroundStart>) | undefined;
  acquire?: ((task: never) => unknown) | undefined;
  release?: ((taskId: string, data: never) => unknown) | undefined;
  checkConsumerSpawn?: ((params: never) => SpawnGate) | undefined;
  canSpawn?: (() => boolean) | undefined;
  getConcurrencyInfo?: (() => { active: number; limit: number }) | undefined;
  getModelId?: (() => string) | undefined;
  onError?: ((error: unknown) => void) | undefined;
  countTokens?: ((text: string) => number) | undefined;
  onWake?: WakeListener<never> | undefined;
}
