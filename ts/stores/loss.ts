// Says that a store is lost where no append found it out. Owns that this is said once.

export class Loss {
  /** Resolves to the reason once the store is lost, else never. */
  readonly told: Promise<unknown>;
  /** Only the first one counts. */
  tell: (why: unknown) => void = () => undefined;

  constructor() {
    this.told = new Promise((resolve) => {
      this.tell = resolve;
    });
  }
}
