// Letters on their way: while one batch is in flight to a receiver, later letters wait for the next. Owns that a busy
// process sends few messages, and that a letter that is too large fails alone.

import type { Relay } from 'bullmq';
import type { Backend } from './backend.js';

/** The relay's error code for a message that is too large. */
const TOO_LARGE = -4;

export class Outbox<Letter> {
  readonly #relay: Relay;
  readonly #report: (error: unknown) => void;
  readonly #packed: <T>(value: T) => T;
  readonly #tooLarge: (letter: Letter) => void;
  readonly #waiting = new Map<string, (() => Letter)[]>();

  /** @param tooLarge gets each letter that will never go out: it has to be sent in parts, or answered here */
  constructor(relay: Relay, { report, packed }: Pick<Backend, 'report' | 'packed'>, tooLarge: (letter: Letter) => void) {
    this.#relay = relay;
    this.#report = report;
    this.#packed = packed;
    this.#tooLarge = tooLarge;
  }

  /** Sends a letter, made when it goes out. It may be lost: a caller that needs an answer sends it again. */
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
    this.#publish(topic, letters).finally(() => this.#send(topic));
  }

  async #publish(topic: string, letters: readonly Letter[]): Promise<void> {
    try {
      await this.#relay.publish(topic, this.#packed(letters));
    } catch (error) {
      const [first] = letters;
      const isTooLarge = (error as { code?: unknown }).code === TOO_LARGE;
      if (letters.length > 1) await Promise.all(letters.map((letter) => this.#publish(topic, [letter])));
      else if (isTooLarge && first !== undefined) this.#tooLarge(first);
      else this.#report(error);
    }
  }
}
