// Signals of other classes than the platform's `AbortSignal`, which run foreign code when they are touched. Owns the stand-in:
// a foreign signal is touched only when it is passed in, before any work that its error could interrupt. After that, a signal
// of the platform replaces it.

/** The stand-in of each foreign signal. */
const standIns = new WeakMap<AbortSignal, AbortController>();

/** The signal itself if it is the platform's, else its stand-in. Passes on the errors of a foreign signal. */
export function safeSignal(signal: AbortSignal): AbortSignal {
  if (isPlatforms(signal)) return signal;
  let standIn = standIns.get(signal);
  if (standIn === undefined) {
    const made = new AbortController();
    signal.addEventListener('abort', () => fire(made, signal), { once: true });
    standIns.set(signal, made);
    standIn = made;
  }
  if (signal.aborted === true) fire(standIn, signal);
  return standIn.signal;
}

function fire(standIn: AbortController, signal: AbortSignal): void {
  let reason: unknown;
  try {
    ({ reason } = signal);
  } catch (error) {
    reason = error;
  }
  standIn.abort(reason);
}

const USED = ['aborted', 'reason', 'addEventListener', 'removeEventListener'];

/** Whether a signal is of the platform's own class, with no used member replaced. A signal of another realm may be anything. */
function isPlatforms(signal: AbortSignal): boolean {
  return Object.getPrototypeOf(signal) === AbortSignal.prototype && !USED.some((name) => Object.hasOwn(signal, name));
}
