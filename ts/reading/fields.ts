// The fields of a host function's result. Each is read once and separately, since reading one may throw. Owns how such
// errors are handled, and that `Object.prototype` has no fields. `generated/host-fields.ts` has a reader for each name:
// reading a property by a variable name costs many times more.

import { ownOf } from '../options/arguments.js';

/** Stands for a field that can't be read. */
export const UNREADABLE = Symbol('unreadable');
/** Stands for a field that was not read yet. */
export const UNREAD = Symbol('unread');

/** Gets the name of a field that can't be read, and its error. */
export interface FieldErrors {
  unreadable(name: string, error: unknown): void;
}

/** Takes errors and passes none on. */
export const SILENT: FieldErrors = { unreadable: () => undefined };

/** Counts the present fields. */
export const isThere = (value: unknown): number => (value === undefined ? 0 : 1);
/** Counts amounts. */
export const isAmount = (value: unknown): number => (typeof value === 'number' ? 1 : 0);

/** Continues after a field has thrown. That field is the first unread one. */
export function readApart<Name extends string>(
  from: Record<Name, unknown>,
  to: Record<Name, unknown>,
  thrown: unknown,
  errors: FieldErrors,
): void {
  let isRead = false;
  for (const name of Object.keys(to) as Name[]) {
    if (to[name] !== UNREAD) continue;
    try {
      if (!isRead) throw thrown;
      to[name] = from[name];
    } catch (error) {
      to[name] = UNREADABLE;
      errors.unreadable(name, error);
    }
    isRead = true;
  }
}

/** Leaves out properties that are neither the object's own nor its class's. */
export function keepOwn<Name extends string>(from: Record<Name, unknown>, to: Record<Name, unknown>, errors: FieldErrors): void {
  for (const name of Object.keys(to) as Name[]) {
    if (to[name] === UNREADABLE) continue;
    try {
      to[name] = ownOf(from, name, to[name]);
    } catch (error) {
      to[name] = UNREADABLE;
      errors.unreadable(name, error);
    }
  }
}
