// What the types take as JSON: values of interfaces, too, and nothing that JSON doesn't have; checked by `tsc -p tests`, never run.

import type { Json, Metadata, Run, SpawnOptions, SubAgentManager } from '../../dist/index.js';
import type { WorkerRun } from '../../dist/workers/bullmq.js';

interface Step {
  id: string;
  at?: number;
  inner: { list: readonly Step[]; last: Step | null };
}

interface NoStep {
  id: string;
  inner: { run(): void };
}

declare const step: Step;
declare const noStep: NoStep;
declare const json: Json;
declare const metadata: Metadata;
declare const anything: unknown;
declare const options: SpawnOptions;
declare const manager: SubAgentManager;
declare const steps: Record<string, Step>;

function _checkpoints(run: Run | WorkerRun): void {
  for (const data of [json, metadata, 'text', 3, true, null, [1, 'two'] as const, { a: { b: [json] } }, {}, []] as const)
    run.checkpoint(data);
  run.checkpoint(step);
  run.checkpoint([step, step]);
  run.checkpoint(steps);
  run.checkpoint({ done: [step], next: undefined });
  // @ts-expect-error a field of a field is a function
  run.checkpoint(noStep);
  // @ts-expect-error a function
  run.checkpoint(() => 1);
  // @ts-expect-error a symbol
  run.checkpoint({ id: Symbol.iterator });
  // @ts-expect-error a number that JSON doesn't have
  run.checkpoint({ id: 1n });
  // @ts-expect-error an object of a class
  run.checkpoint({ at: new Date() });
  // @ts-expect-error nobody knows what
  run.checkpoint(anything);
  // @ts-expect-error nothing
  run.checkpoint(undefined);
}
_checkpoints;

manager.spawn(options);
manager.spawn({ ...options, metadata });
manager.spawn({ metadata: step });
manager.spawn({ metadata: { step, tags: ['a'] }, schema: { type: 'object' } });
manager.session('s').spawn({ metadata: step });
// @ts-expect-error a field of a field is a function
manager.spawn({ metadata: noStep });
// @ts-expect-error a field is a function
manager.spawn({ metadata: { id: () => 1 } });
// @ts-expect-error no object
manager.spawn({ metadata: 'text' });
// @ts-expect-error an option that there isn't
manager.spawn({ metadata: step, instrutions: 'x' });
