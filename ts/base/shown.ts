// The display of an object with private state by `console.log`. Owns how Node, Deno and Bun ask for it.

import { isSubAgentError } from './error-class.js';

type Inspect = (value: unknown, options: unknown) => string;

/**
 * Has the objects of a class shown by their class and fields. If `read` throws, `sure` is shown with the error's code, such
 * as `disposed`. Called with the first object: for a method with a computed name, bundlers would keep the class in programs
 * that don't use it. Returns true.
 */
export function showBy<T extends object>(type: { prototype: T }, sure: (of: T) => object, read: (of: T) => object): true {
  Object.defineProperty(type.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    configurable: true,
    value(this: T, _depth: unknown, options: unknown, inspect: unknown) {
      const fields = fieldsOf(this, sure, read);
      return typeof inspect === 'function' ? `${this.constructor.name} ${(inspect as Inspect)(fields, options)}` : fields;
    },
  });
  return true;
}

function fieldsOf<T>(of: T, sure: (of: T) => object, read: (of: T) => object): object {
  try {
    return { ...sure(of), ...read(of) };
  } catch (error) {
    return { ...sure(of), [isSubAgentError(error) ? error.code : 'unreadable']: true };
  }
}
