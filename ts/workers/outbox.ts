// Letters on their way: while one batch is under way to a place, what comes meanwhile goes with the next. Owns that a busy
// process sends few messages, whatever a message costs the database.

import type { Relay } from 'bullmq';

export class Outbox<Letter> {
  readonly #relay: Relay;
  readonly #report: (error: unknown) => void;
  readonly #waiting = new Map<string, (() => Letter)[]>();

  constructor(relay: Relay, report: (error: unknown) => void) {
    this.#relay = relay;
    this.#report = report;
  }

  /** Sends a letter, made when it goes out. It may be lost: whoever needs an answer sends it again. */
  post(topic: string, letter: () => Letter): void {
    const waiting = this.#waiting.get(topic);
    if (waiting !== undefined) {
      waiting.push(letter);
      return;
    }
    this.#waiting.set(topic, [letter]);
    queueMicrotask(() => this.#send(topic));
  }

  #send(topic: string): void {
    const waiting = this.#waiting.get(topic);
    if (waiting === undefined || waiting.length === 0) {
      this.#waiting.delete(topic);
      return;
    }
    this.#waiting.set(topic, []);
    const letters = waiting.map((letter) => letter());
    this.#relay
      .publish(topic, letters)
      .catch((error: unknown) => {
        // One that is too large must not take the others along.
        if (letters.length === 1) this.#report(error);
        else for (const letter of letters) this.#relay.publish(topic, [letter]).catch(this.#report);
      })
      .finally(() => this.#send(topic));
  }
}
