// The types of the package `bullmq` that runs in other processes need; programs that use it install it.

export type BackendFactory = (...given: never[]) => unknown;
export declare const createPostgresBackend: BackendFactory;
export declare const createPostgresRelayBackend: BackendFactory;
export declare const createRedisBackend: BackendFactory;

interface Emitter {
  on(event: string, listener: (...given: never[]) => void): unknown;
  close(force?: boolean): Promise<void>;
}
export interface QueueBackend {
  /** Only in Redis. */
  readonly client?: Promise<object>;
  on(event: 'ready' | 'close', listener: () => void): unknown;
  close(force?: boolean): Promise<void>;
  disconnect(): Promise<void>;
  setName(name: string): Promise<unknown>;
}
export interface Job {
  readonly id?: string;
  readonly data: unknown;
  readonly returnvalue: unknown;
  readonly failedReason?: string;
  readonly finishedOn?: number;
  readonly attemptsStarted: number;
  readonly stalledCounter: number;
  remove(): Promise<void>;
  getState(): Promise<string>;
  moveToWait(token?: string): Promise<unknown>;
  moveToCompleted(returned: unknown, token: string, fetchNext?: boolean): Promise<unknown>;
}
export declare class Queue implements Emitter {
  constructor(name: string, options: object, backend?: BackendFactory);
  on(event: string, listener: (...given: never[]) => void): this;
  close(): Promise<void>;
  getBackend(): QueueBackend;
  waitUntilReady(): Promise<unknown>;
  addBulk(jobs: { name: string; data: unknown; opts: object }[]): Promise<Job[]>;
  getJob(id: string): Promise<Job | undefined>;
  getRanges(states: string[], start?: number, end?: number, ascending?: boolean): Promise<string[]>;
  remove(id: string): Promise<number>;
}
export declare class QueueEvents implements Emitter {
  constructor(name: string, options: object, backend?: BackendFactory);
  on(event: string, listener: (...given: never[]) => void): this;
  close(): Promise<void>;
  getBackend(): QueueBackend;
  run(): Promise<void>;
  waitUntilReady(): Promise<unknown>;
}
export declare class Worker implements Emitter {
  constructor(name: string, process: (job: Job, token?: string) => Promise<unknown>, options: object, backend?: BackendFactory);
  protected readonly lockManager: {
    close(): Promise<void>;
    getTrackedJobIds(): string[];
    trackJob(id: string, token: string, since: number): unknown;
  };
  moveStalledJobsToWait(): Promise<void>;
  concurrency: number;
  on(event: string, listener: (...given: never[]) => void): this;
  close(force?: boolean): Promise<void>;
  getBackend(): QueueBackend;
  run(): Promise<void>;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): Promise<void>;
  waitUntilReady(): Promise<unknown>;
}
export interface RelayMessage {
  readonly data: unknown;
  readonly mid: string;
}
export declare class Relay implements Emitter {
  constructor(options: object);
  readonly nodeId: string;
  on(event: string, listener: (...given: never[]) => void): this;
  close(): Promise<void>;
  getNodes(start?: number, end?: number): Promise<unknown>;
  publish(topic: string, data: unknown): Promise<{ mid: string; nodes: number }>;
  subscribe(topic: string, listener: (message: RelayMessage) => void): Promise<unknown>;
  waitUntilReady(): Promise<void>;
}
export declare class WaitingError extends Error {}
