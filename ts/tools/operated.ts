// The scope whose sub-agents a set of tools operates: a session's or a run's. Owns the type only, with the operations
// that tools use; `ts/api/scope.ts` has them all.

import type { StopOptions } from '../commands/lifecycle.js';
import type { TaskRef } from '../options/arguments.js';
import type { MessageReceipt, SendOptions } from '../reading/exchange.js';
import type { CancelledSnapshot, ClosedSnapshot, HandleSnapshot } from '../reading/handle-snapshot.js';
import type { PageOptions, ResultPage } from '../reading/pages.js';
import type { ListOptions, TaskList, TaskSnapshot, WaitOptions, WaitResult } from '../snapshots/types.js';

export interface Operated {
  get(target: TaskRef): TaskSnapshot;
  list(options?: ListOptions): TaskList;
  send(target: TaskRef | undefined, message: string, options?: SendOptions): MessageReceipt;
  wait(targets?: readonly TaskRef[], options?: WaitOptions): Promise<WaitResult>;
  interrupt(target?: TaskRef): Promise<void>;
  cancel(target?: TaskRef, options?: StopOptions): Promise<CancelledSnapshot>;
  close(target: TaskRef, options?: StopOptions): Promise<ClosedSnapshot>;
  resume(target: TaskRef): Promise<HandleSnapshot>;
  readResult(target: TaskRef, options?: PageOptions): ResultPage;
}
