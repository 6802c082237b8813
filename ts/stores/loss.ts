// That a store is lost, where nothing was written that would have been refused. Owns that it is told once.

export class Loss {
  /** Resolves with why; never, where it isn't lost. */
  readonly told: Promise<unknown>;
  /** Only the first one counts. */
  tell: (why: unknown) => void = () => undefined;

  constructor() {
    this.told = new Promise((resolve) => {
      this.tell = resolve;
    });
  }
}
