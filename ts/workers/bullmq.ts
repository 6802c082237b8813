// The entry `subagents/bullmq`: workers in other processes carry out a manager's runs, by BullMQ. Owns the list of its
// exports.

export type { WorkersConnection } from './connection.js';
export { type BullmqWorkers, bullmqWorkers } from './lead.js';
export type { BullmqWorkersOptions } from './lead-options.js';
export { type WorkerProcess, type WorkerSpawnSubAgent, type WorkOptions, work } from './worker.js';
export type { WorkerHandle, WorkerRun, WorkerTool, WorkerTools } from './worker-run.js';
