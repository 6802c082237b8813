// What each promise of the life must have settled to, and what a call is refused with.

/** A call that the package must refuse with this code. */
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

export function open(model, name) {
  model.promises.set(name, { state: 'open' });
}

export function answer(model, name, value) {
  model.promises.set(name, { state: 'told', value });
}

export function refuse(model, name, code) {
  model.promises.set(name, { state: 'refused', code });
}

/** A refusal of an asynchronous call is a rejection. */
export function asked(model, promise, body) {
  try {
    body();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refuse(model, promise, error.code);
  }
}
