// The line from one attempt at a job to the lead. Owns that every request is sent until it is answered, under one
// number, and that nothing is delivered once the attempt doesn't count.

import { SubAgentError } from '../base/error-class.js';
import { type Answer, argsToWire, attemptOf, errorOf, type Fence, fromWire, type Letter, type Reply, type Request } from './wire.js';

/** Sends a letter, which may be lost. */
export type Send = (letter: Letter) => void;

interface Pending {
  readonly request: Request;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How long a report waits to go with a call. */
const GATHER_MS = 20;
const FIRST_RESEND_MS = 500;
const LONGEST_RESEND_MS = 5_000;

/** How many lines this process has made. */
let lines = 0;

export class Line {
  readonly by: string;
  /** Whether the attempt is over for the lead, which accepts nothing more from it. */
  isOver = false;
  /** Why it is over. The error is made when needed: most attempts end well. */
  #why = '';
  readonly #head: Omit<Letter, 'from' | 'requests'>;
  readonly #send: Send;
  readonly #pending = new Map<number, Pending>();
  #unsent: Request[] = [];
  #seq = 0;
  #isFlushing = false;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #resending: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_RESEND_MS;
  readonly #whenOver = new Set<() => void>();

  constructor(job: string, fence: Fence, losses: number, process: string, send: Send) {
    lines += 1;
    this.by = attemptOf(process, lines);
    this.#head = { job, by: this.by, fence, losses };
    this.#send = send;
  }

  /**
   * Calls the lead and resolves to its answer, however long that takes. If the signal fires, notifies the lead and rejects at
   * once; with `hasLastWord`, resolves to the lead's answer instead.
   */
  call(name: string, args: readonly unknown[], signal?: AbortSignal, hasLastWord = false): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(this.#ended());
      if (signal?.aborted === true) return reject(abortedBy(signal));
      if (signal === undefined) this.#request(name, args, resolve, reject);
      else this.#requestUnless(signal, name, args, resolve, hasLastWord ? () => undefined : reject, reject);
      // Later calls of the same step go with it.
      if (this.#isFlushing) return;
      this.#isFlushing = true;
      queueMicrotask(() => this.#flush());
    });
  }

  /** Makes a call whose answer doesn't matter; it goes with the next one, or a little later. */
  send(name: string, args: readonly unknown[]): void {
    if (this.isOver) return;
    this.#request(
      name,
      args,
      () => undefined,
      () => undefined,
    );
    this.#gathering ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Notifies the lead when a signal fires, until the returned function is called, or the attempt is over. */
  sendWhen(signal: AbortSignal, name: string, args: readonly unknown[]): () => void {
    const detach = (): void => {
      signal.removeEventListener('abort', fire);
      this.#whenOver.delete(detach);
    };
    const fire = (): void => {
      detach();
      this.send(name, args);
    };
    if (this.isOver) return detach;
    if (signal.aborted) fire();
    else {
      signal.addEventListener('abort', fire);
      this.#whenOver.add(detach);
    }
    return detach;
  }

  /** Asks the lead, and gives up if a signal fires before the answer. After the answer, ignores the signal. */
  #requestUnless(
    signal: AbortSignal,
    name: string,
    args: readonly unknown[],
    resolve: Pending['resolve'],
    onGivenUp: Pending['reject'],
    reject: Pending['reject'],
  ): void {
    const giveUp = (): void => {
      this.send('giveUp', [seq]);
      onGivenUp(abortedBy(signal));
    };
    const detach = (): void => signal.removeEventListener('abort', giveUp);
    const seq = this.#request(
      name,
      args,
      (value) => {
        detach();
        resolve(value);
      },
      (error) => {
        detach();
        reject(error);
      },
    );
    signal.addEventListener('abort', giveUp, { once: true });
  }

  /** Adds a request to the next letter, and returns its number. */
  #request(call: string, args: readonly unknown[], resolve: Pending['resolve'], reject: Pending['reject']): number {
    const request = { seq: this.#seq, call, args: argsToWire(args) };
    this.#seq += 1;
    this.#pending.set(request.seq, { request, resolve, reject });
    this.#unsent.push(request);
    return request.seq;
  }

  get #from(): number {
    return this.#pending.keys().next().value ?? this.#seq;
  }

  #flush(): void {
    this.#isFlushing = false;
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const requests = this.#unsent;
    this.#unsent = [];
    if (requests.length > 0) this.#post(requests);
  }

  #post(requests: readonly Request[]): void {
    this.#send({ ...this.#head, from: this.#from, requests });
    if (this.#resending !== undefined) return;
    this.#resending = setTimeout(() => {
      this.#resending = undefined;
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_RESEND_MS);
      this.resend();
    }, this.#pauseMs);
  }

  /** Requests that are too large for one letter go in several. A single request that is too large is refused here. */
  tooLarge(requests: readonly Request[]): void {
    const [first] = requests;
    if (first === undefined || this.isOver) return;
    if (requests.length > 1) {
      for (const one of requests) if (this.#pending.has(one.seq)) this.#send({ ...this.#head, from: this.#from, requests: [one] });
      return;
    }
    const { seq, call } = first;
    const pending = this.#pending.get(seq);
    if (pending === undefined) return;
    // The lead waits for its number.
    this.#pending.set(seq, { ...pending, request: { seq, call: 'giveUp', args: [seq] } });
    this.resend();
    const message = `what \`${call}\` is given has more than 16 MiB, which is too much for one letter to the lead`;
    pending.reject(new SubAgentError('invalid_argument', message, { argument: call }));
  }

  /** Sends all unanswered requests again. */
  resend(): void {
    if (this.#pending.size > 0 && !this.isOver) this.#post(this.#unanswered());
  }

  #unanswered(): Request[] {
    let next = this.#from;
    return [...this.#pending.values()].map(({ request }) => {
      const skips = request.seq - next;
      next = request.seq + 1;
      return skips === 0 ? request : { ...request, skips };
    });
  }

  /** Takes the answers of the lead. */
  take({ answers }: Reply): void {
    if (answers.length > 0) this.#pauseMs = FIRST_RESEND_MS;
    for (const answer of answers) this.#answered(answer);
    if (this.#pending.size === 0) this.#rest();
  }

  #answered({ seq, value, error }: Answer): void {
    const pending = this.#pending.get(seq);
    if (pending === undefined) return;
    this.#pending.delete(seq);
    try {
      if (error !== undefined) pending.reject(errorOf(error));
      else pending.resolve(fromWire(value));
    } catch (unreadable) {
      pending.reject(unreadable);
    }
  }

  #rest(): void {
    clearTimeout(this.#resending);
    clearTimeout(this.#gathering);
    this.#resending = undefined;
    this.#gathering = undefined;
  }

  /** Ends the line and returns the unanswered requests, which the end of the job carries. */
  hangUp(): { from: number; requests: Request[] } {
    this.#rest();
    const requests = this.#unanswered();
    const from = this.#from;
    this.end('the run has ended');
    return { from, requests };
  }

  /** Ends the line: its attempt no longer counts. */
  end(why: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#why = why;
    this.#rest();
    this.#unsent = [];
    for (const detach of this.#whenOver) detach();
    this.#whenOver.clear();
    if (this.#pending.size === 0) return;
    const error = this.#ended();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }

  #ended(): SubAgentError {
    return new SubAgentError('actor_ended', this.#why);
  }
}

function abortedBy(signal: AbortSignal): unknown {
  return new SubAgentError('aborted', 'the signal of the call has fired', {}, { cause: signal.reason });
}
