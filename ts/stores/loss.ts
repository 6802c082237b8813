// Says that a store is lost where no append found it out. Owns that this is said once.

export class Loss {
  /** Resolves to the reason once the store is lost, else never. */
  readonly reason: Promise<unknown>;
  /** Only the first one counts. */
  report: (why: unknown) => void = () => undefined;

  constructor() {
    this.reason = new Promise((resolve) => {
      this.report = resolve;
    });
  }
}
