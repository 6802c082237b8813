// A run of the lead that a worker carries out. Owns its calls: only the newest attempt at the job is accepted, and its requests
// begin in their order. A repeated request runs once and is answered again.

import type { Job } from 'bullmq';
import type { Run } from '../api/run.js';
import { isSubAgentError, SubAgentError } from '../base/error-class.js';
import { counted } from '../base/text.js';
import type { HostResult } from '../options/host-result.js';
import { type LedRun, ledRun } from '../options/lead-marks.js';
import { bookRest, nothingReported } from './attempt-usage.js';
import { type Asking, RunCalls } from './calls.js';
import { nameOf } from './job.js';
import { resultOf } from './sent-result.js';
import {
  type Answer,
  aborted,
  compareFences,
  errorOf,
  type Fence,
  fromWire,
  type Letter,
  passedOn,
  processOf,
  type Request,
  type Returned,
  wireError,
} from './wire.js';

/** The lead's part in a held run. */
export interface HeldParts {
  /** How many losses of its worker a run survives. */
  readonly maxLosses: number;
  /** Whether a run whose worker was lost begins without its checkpoint. */
  readonly beginsAnew: boolean;
  /** Sends the attempt the answers that `takeAnswers` returns then. */
  reply(held: HeldRun): void;
  /** Sends the attempt one answer, in a letter of its own. */
  replyApart(held: HeldRun, answer: Answer): void;
  /** Answers an attempt that is no longer accepted. */
  refuse(letter: Letter, reason: string): void;
  /** Called once the run's promise has settled. */
  over(held: HeldRun): void;
}

/** The open requests of an attempt. */
class Open {
  /** Requests that arrived before a missing one. */
  readonly early = new Map<number, Request>();
  readonly answers = new Map<number, Answer>();
  readonly giveUp = new Map<number, AbortController>();

  stop(reason?: SubAgentError): void {
    for (const controller of this.giveUp.values()) controller.abort(reason);
  }
}

/** The request behind a call. */
class HeldCall implements Asking {
  readonly #held: HeldRun;
  readonly #open: Open;
  readonly #seq: number;

  constructor(held: HeldRun, open: Open, seq: number) {
    this.#held = held;
    this.#open = open;
    this.#seq = seq;
  }

  get key(): string {
    return `${this.#held.job}:${this.#held.by}:${this.#seq}`;
  }

  get signal(): AbortSignal {
    const { giveUp } = this.#open;
    const made = giveUp.get(this.#seq) ?? new AbortController();
    giveUp.set(this.#seq, made);
    return made.signal;
  }
}

export class HeldRun {
  /** Resolves to the result of the worker's host function; rejects with its error. */
  readonly ended: Promise<HostResult>;
  readonly run: Run;
  readonly led: LedRun;
  readonly job: string;
  /** How often the job was added. */
  adds: number;
  /** Whether the lead knows that the queue has the job. */
  isAdded = false;
  isOver = false;
  /** Why the run has to stop, if it has to. */
  aborted: string | undefined;
  /** The accepted attempt, once it has sent anything. */
  by: string | undefined;
  /** The process of that attempt, which gets the answers. */
  to = '';
  readonly params: object;
  readonly #parts: HeldParts;
  /** Made with the first request: most short runs have none. */
  #calls: RunCalls | undefined;
  #fence: Fence = [0, 0];
  #refused: Set<string> | undefined;
  #next = 0;
  /** How often its worker was lost, and whether the next attempt begins without a checkpoint. */
  #losses = 0;
  #isAnew = false;
  /** How many losses the earlier jobs of this run had: each job counts its own from 0. */
  #before = 0;
  /** Whether other attempts are booked for this run, or this attempt for an earlier run as well. */
  #isShared: boolean;
  #open: Open | undefined;
  /** Answers to send. */
  #undelivered: Answer[] | undefined;
  #resolve: (result: HostResult) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(run: Run, params: object, job: string, adds: number, parts: HeldParts) {
    this.run = run;
    this.led = ledRun(run);
    this.params = params;
    this.job = job;
    this.adds = adds;
    this.#parts = parts;
    this.#isShared = job !== nameOf(run, run.run);
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Takes a letter of an attempt. */
  take(letter: Letter): void {
    if (!this.#accepts(letter)) {
      this.#parts.refuse(letter, 'another worker has taken the run over');
      return;
    }
    const losses = this.lossesWith(letter.losses);
    if (!this.#survives(losses, () => `its worker was lost ${counted(losses, 'time')}: the process was killed, or did not answer`)) {
      this.#parts.refuse(letter, 'the run has lost too many workers');
      return;
    }
    const answers = this.#open?.answers;
    for (const seq of answers?.keys() ?? []) if (seq < letter.from) answers?.delete(seq);
    if (this.#next < letter.from) this.#next = letter.from;
    this.#begin(letter.requests);
    const again = letter.requests.flatMap(({ seq }) => this.#open?.answers.get(seq) ?? []);
    if (again.length > 0 || this.aborted !== undefined) this.#reply(again);
  }

  /** How often its worker was lost, if its job counts this many losses. */
  lossesWith(losses: number): number {
    return this.#before + losses;
  }

  /** Counts the lost end of its job as the loss of a worker. If that exceeds the limit, ends the run and returns false. */
  loses(reason: string): boolean {
    const losses = this.#losses + 1;
    this.#before = losses;
    return this.#survives(losses, () => `the queue doesn't have its end, the last of ${counted(losses, 'loss', 'losses')}: ${reason}`);
  }

  #survives(losses: number, message: () => string): boolean {
    if (losses > this.#parts.maxLosses) {
      this.fail(new SubAgentError('worker_lost', message(), { losses }));
      return false;
    }
    if (losses > this.#losses) {
      this.#losses = losses;
      this.#isAnew = this.#parts.beginsAnew;
    }
    return true;
  }

  /** Sends answers that are too large for one letter in several. A single answer that is too large becomes an error. */
  tooLarge(answers: readonly Answer[]): void {
    const [first] = answers;
    if (first === undefined || this.isOver) return;
    const message = 'the answer of the lead has more than 16 MiB, which is too much for one letter: ask for less at once';
    const letters = answers.length > 1 ? answers : [{ seq: first.seq, error: wireError(new SubAgentError('invalid_argument', message)) }];
    for (const answer of letters) {
      this.#open?.answers.set(answer.seq, answer);
      this.#parts.replyApart(this, answer);
    }
  }

  #reply(answers: readonly Answer[]): void {
    if (this.#undelivered !== undefined) this.#undelivered.push(...answers);
    else {
      this.#undelivered = [...answers];
      this.#parts.reply(this);
    }
  }

  /** Removes and returns the answers to send. */
  takeAnswers(): readonly Answer[] {
    const answers = this.#undelivered ?? [];
    this.#undelivered = undefined;
    return answers;
  }

  /** Whether an attempt is the newest. A newer attempt replaces the accepted one. */
  #accepts({ by, fence, from }: Pick<Letter, 'by' | 'fence' | 'from'>): boolean {
    if (by === this.by) return true;
    const order = compareFences(fence, this.#fence);
    if (order < 0 || this.#refused?.has(by) === true) return false;
    if (this.by !== undefined) {
      this.#refused ??= new Set();
      this.#refused.add(this.by);
    }
    // Its sub-agents continue: the next attempt repeats the calls that wait for them.
    if (this.#open !== undefined) this.#open.stop(this.led.leaveCalls());
    this.#open = undefined;
    this.#undelivered = undefined;
    this.#next = from;
    this.by = by;
    this.to = processOf(by);
    this.#fence = fence;
    return true;
  }

  /** Begins the new requests among these, in the order of their numbers. */
  #begin(requests: readonly Request[]): void {
    if (requests.length === 0) return;
    this.#open ??= new Open();
    const open = this.#open;
    for (const request of requests) if (request.seq >= this.#next) open.early.set(request.seq, request);
    for (let request = this.#nextOf(open); request !== undefined; request = this.#nextOf(open)) {
      open.early.delete(request.seq);
      this.#next = request.seq + 1;
      this.#dispatch(request, open);
    }
  }

  #nextOf({ early }: Open): Request | undefined {
    const next = this.#next;
    return early.get(next) ?? [...early.values()].find(({ seq, skips = 0 }) => seq > next && seq - skips <= next);
  }

  #dispatch({ seq, call, args }: Request, open: Open): void {
    const answer = (given: Answer): void => {
      open.giveUp.delete(seq);
      if (this.#open !== open || this.isOver) return;
      open.answers.set(seq, given);
      this.#reply([given]);
    };
    if (call === 'giveUp') {
      open.giveUp.get(args[0] as number)?.abort();
      answer({ seq });
      return;
    }
    if (call === 'checkpoint') this.#isAnew = false;
    this.led
      .answer(this.#call(call, args, new HeldCall(this, open, seq)))
      .then((value) => answer({ seq, ...(value !== undefined && { value: passedOn(value) }) }))
      .catch((error: unknown) => {
        // This manager has not persisted the outcome: the attempt asks the next lead again.
        if (!isOver(error)) answer({ seq, error: wireError(error) });
      });
  }

  #call(call: string, args: readonly unknown[], asked: HeldCall): unknown {
    try {
      this.#calls ??= new RunCalls(this.run, this.job);
      if (call === 'begin') {
        // An earlier attempt can no longer report the turn that it had begun.
        this.#isShared = true;
        this.led.hostReplaced(this.#isAnew);
        if (this.#isAnew) return { isAnew: true, saved: this.run.saved };
      }
      return this.#calls.call(call, fromWire(args) as unknown[], asked);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Ends the run: its worker sent unreadable data, and the missing part can't be known. Data of an older attempt ends nothing.
   */
  takeWrong(error: unknown, by: string | undefined): void {
    if (by !== undefined && this.#refused?.has(by) === true) return;
    this.fail(error);
  }

  /** Takes the end of the job. Only the holder of the job's lock can have written it. Throws `invalid_result`. */
  takeEnd({ by, from, requests, result, threw, reported = nothingReported() }: Returned): void {
    if (this.isOver) return;
    if (by !== this.by) this.#accepts({ by, fence: [this.adds, Number.POSITIVE_INFINITY], from });
    if (this.#next < from) this.#next = from;
    this.#begin(requests);
    if (threw !== undefined) this.fail(errorOf(threw));
    else {
      const returned = resultOf(result ?? { fields: undefined });
      if (this.#isShared) bookRest(this.run, returned, reported);
      this.#end(() => this.#resolve(returned as HostResult));
    }
  }

  fail(error: unknown): void {
    this.#end(() => this.#reject(error));
  }

  /**
   * Ends a run that has to stop, and whose job was removed from the queue. If a worker had the job, its begun turn counts,
   * whether the worker was lost or returned the job.
   */
  failStopped(job: Pick<Job, 'attemptsStarted' | 'stalledCounter'> | undefined, reason: string): void {
    const stopped = aborted(reason);
    const wasBegun = job !== undefined && job.attemptsStarted > 0;
    this.fail(wasBegun ? new SubAgentError('worker_lost', stopped.message, { losses: this.lossesWith(job.stalledCounter) }) : stopped);
  }

  #end(settle: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#open?.stop();
    settle();
    this.#parts.over(this);
  }
}

/** Whether the manager is disposed, or its store has failed. */
function isOver(error: unknown): boolean {
  return isSubAgentError(error, 'disposed') || isSubAgentError(error, 'store_failed');
}
