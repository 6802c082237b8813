// A store whose process can be killed: what was not kept by then never is, and nobody is notified of it. Owns that moment; what
// is kept is kept by a store of the package.

const never = () => new Promise(() => undefined);

/** A place where a store is, opened by one process after the other. */
export class Disk {
  /** Appends, and questions, that are under way. */
  pending = 0;
  #process;

  /** @param open gives a store of the package for this place */
  constructor(open) {
    this.open = open;
  }

  /** The store as the next process has it. */
  next() {
    this.#process = new MortalStore(this, this.open());
    return this.#process;
  }

  /** From now on the process gets no answer: its records are lost, or `kept` all the same. */
  hang(kept) {
    this.#process.hangs = kept ? 'kept' : 'lost';
  }

  /** The process is gone. Its lock goes with it. */
  async kill() {
    this.#process.hangs = 'lost';
    await this.#process.inner.close();
  }
}

class MortalStore {
  hangs = undefined;

  constructor(disk, inner) {
    this.disk = disk;
    this.inner = inner;
    this.journal = inner.journal;
  }

  async open() {
    const opened = await this.inner.open();
    const { lease } = opened;
    // Whether the store is still its own is asked there as well, after a long time.
    return lease ? { ...opened, lease: { isHeld: () => lease.isHeld(), renew: () => this.#tried(() => lease.renew()) } } : opened;
  }

  append(record) {
    return this.#tried(() => this.inner.append(record));
  }

  compact(snapshot, through) {
    return this.#tried(() => this.inner.compact(snapshot, through));
  }

  async close() {
    if (!this.hangs) await this.inner.close();
  }

  async #tried(act) {
    if (this.hangs === 'lost') return never();
    this.disk.pending++;
    try {
      await act();
    } finally {
      this.disk.pending--;
    }
    return this.hangs ? never() : undefined;
  }
}
