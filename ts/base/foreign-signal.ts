// A signal that isn't the platform's own: it looks like one, and runs code of somebody's whenever it is touched.
// Owns that what it throws is an error of ours, and that one signal is always the same one here.

/** As much of a signal as is used. */
type Used = Pick<AbortSignal, 'aborted' | 'reason' | 'addEventListener' | 'removeEventListener'>;

const known = new WeakMap<object, AbortSignal>();

export class ForeignSignal implements Used {
  readonly #signal: AbortSignal;
  readonly #wrapped: (error: unknown) => Error;

  private constructor(signal: AbortSignal, wrapped: (error: unknown) => Error) {
    this.#signal = signal;
    this.#wrapped = wrapped;
  }

  /** The signal itself where it is the platform's, else what stands for it. */
  static tamed(signal: AbortSignal, wrapped: (error: unknown) => Error): AbortSignal {
    if (isPlatforms(signal)) return signal;
    let tame = known.get(signal);
    if (tame === undefined) {
      tame = new ForeignSignal(signal, wrapped) as unknown as AbortSignal;
      known.set(signal, tame);
    }
    return tame;
  }

  get aborted(): boolean {
    return this.#try(() => this.#signal.aborted === true);
  }

  get reason(): unknown {
    try {
      return this.#signal.reason;
    } catch (error) {
      return error;
    }
  }

  addEventListener(...given: Parameters<AbortSignal['addEventListener']>): void {
    this.#try(() => this.#signal.addEventListener(...given));
  }

  removeEventListener(...given: Parameters<AbortSignal['removeEventListener']>): void {
    this.#try(() => this.#signal.removeEventListener(...given));
  }

  #try<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw this.#wrapped(error);
    }
  }
}

/** Of the platform's own class and with its own methods; one of another realm throws nothing, but may be anything. */
function isPlatforms(signal: AbortSignal): boolean {
  const { prototype } = AbortSignal;
  const { addEventListener, removeEventListener } = signal;
  return (
    Object.getPrototypeOf(signal) === prototype &&
    addEventListener === prototype.addEventListener &&
    removeEventListener === prototype.removeEventListener
  );
}
