// Host functions whose runs go on where this process ends, since other processes carry them out. Owns the mark by which a manager
// that is opened again knows them: what their runs have begun is not lost with this process.

/** The same in each copy of this package that a program has loaded. */
const OUTLIVES = Symbol.for('subagents.outlives');

/** Marks a host function. */
export function outliving<F extends object>(hostFunction: F): F {
  return Object.assign(hostFunction, { [OUTLIVES]: true });
}

export function outlivesProcess(hostFunction: unknown): boolean {
  return typeof hostFunction === 'function' && (hostFunction as { [OUTLIVES]?: unknown })[OUTLIVES] === true;
}
