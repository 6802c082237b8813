// Values that no method expects, and the good arguments of every method with one of their parts exchanged for such
// a value. Owns the generation; what has to come of it the tests say.

import { runInNewContext } from 'node:vm';

const thorn = (): never => {
  throw new TypeError('thorn');
};

/** Throws whatever is done with it. */
export function thorny(target: object): object {
  const names = ['get', 'set', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'defineProperty', 'apply', 'construct'];
  return new Proxy(target, Object.fromEntries(names.map((name) => [name, thorn])));
}

export function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** An object with these getters, all of which throw. */
function throwing(names: readonly PropertyKey[], target: object = {}): object {
  for (const name of names) Object.defineProperty(target, name, { enumerable: true, configurable: true, get: thorn });
  return target;
}

class Computed {
  get instructions(): never {
    return thorn();
  }
  get taskId(): never {
    return thorn();
  }
}

/** Looks like an AbortSignal, and throws when it is used. */
function foreignSignal(...thorns: string[]): object {
  const signal = { aborted: false, reason: 'x', addEventListener: () => undefined, removeEventListener: () => undefined };
  for (const name of thorns) {
    if (name.endsWith('Listener')) Object.assign(signal, { [name]: thorn });
    else throwing([name], signal);
  }
  return signal;
}

function cyclic<T extends object>(target: T, name: string | number): T {
  return Object.assign(target, { [name]: target });
}

/** Its own prototype, and so on. */
function endless(): object {
  const proxy: object = new Proxy({}, { getPrototypeOf: () => proxy });
  return proxy;
}

const KNOWN = ['taskId', 'label', 'channel', 'tokens', 'graceMs', 'mode', 'signal', 'content', 'name'];

/** The values, made anew for each use: some change when they are read. */
export const HOSTILE: readonly (readonly [name: string, make: () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['true', () => true],
  ['NaN', () => Number.NaN],
  ['-1', () => -1],
  ['0', () => 0],
  ['1.5', () => 1.5],
  ['Infinity', () => Number.POSITIVE_INFINITY],
  ['a bigint', () => 10n],
  ['a symbol', () => Symbol('s')],
  ['an empty text', () => ''],
  ['a blank text', () => ' \n'],
  ['a text', () => 'text'],
  ['__proto__', () => '__proto__'],
  ['half of a surrogate pair', () => 'a\ud800'],
  ['a long text', () => 'x'.repeat(100_000)],
  ['a text object', () => new String('x')],
  ['an empty object', () => ({})],
  ['an object without a prototype', () => Object.assign(Object.create(null), { odd: 1 })],
  ['a frozen object', () => Object.freeze({ odd: 1 })],
  ['an object with a circle', () => cyclic({ odd: 1 }, 'loop')],
  ['an object with a key __proto__', () => JSON.parse('{"__proto__":{"odd":1}}')],
  ['an instance of a class whose getters throw', () => new Computed()],
  ['an object whose getters throw', () => throwing([...KNOWN, 'length', 'then', 0])],
  ['an object that becomes no primitive', () => throwing(['valueOf', 'toString', 'toJSON', Symbol.toPrimitive, Symbol.iterator])],
  ['an object that is its own prototype', endless],
  ['a function', () => () => 1],
  ['a function that throws', () => thorn],
  ['a proxied function that throws', () => thorny(() => undefined)],
  ['a date that is none', () => new Date(Number.NaN)],
  ['a map', () => new Map([['instructions', 'x']])],
  ['bytes', () => new Uint8Array([1, 2, 3])],
  ['an error', () => new Error('given, not thrown')],
  ['a promise', () => Promise.resolve('x')],
  ['a proxy that throws', () => thorny({})],
  ['a proxied list that throws', () => thorny([])],
  ['a revoked proxy', () => revoked({})],
  ['a revoked list', () => revoked([])],
  ['an empty list', () => []],
  ['a list with a hole', () => Object.assign(new Array(3), { 0: 'read', 2: 'search' })],
  ['a list with all sorts of entries', () => ['read', null, Symbol('s'), 1n, {}]],
  ['a list with an accessor', () => throwing([1], ['read', 'x', 'search'])],
  ['a list with halves of surrogate pairs', () => ['a\ud800', 'a\udc00']],
  ['a list in itself', () => cyclic([1], 0)],
  ['a list of another realm', () => runInNewContext('["read", , Symbol("s")]')],
  ['a list of holes only', () => new Array(2 ** 32 - 1)],
  ['a list that says it is endless', () => new Proxy(['read'], { get: (of, key) => (key === 'length' ? 2 ** 52 : Reflect.get(of, key)) })],
  ['an object of another realm', () => runInNewContext('({ get odd() { throw new Error("thorn") } })')],
  ['an error of another realm', () => runInNewContext('new TypeError("x")')],
  ['a signal that has fired', () => AbortSignal.abort()],
  ['a signal that can not be listened to', () => foreignSignal('addEventListener', 'removeEventListener')],
  ['a signal that can not be looked at', () => foreignSignal('aborted')],
  ['a signal without a reason', () => Object.assign(foreignSignal('reason'), { aborted: true })],
];

/** A part of a method's arguments: the steps that lead to it. */
export type Path = readonly (string | number)[];

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** All parts of arguments that can be exchanged, outermost first. */
export function partsOf(value: unknown, path: Path = []): Path[] {
  const below = Array.isArray(value) ? [...value.entries()] : isPlain(value) ? Object.entries(value) : [];
  return [...(path.length === 0 ? [] : [path]), ...below.flatMap(([step, part]) => partsOf(part, [...path, step]))];
}

/** The arguments with one part exchanged; all else is as it was. */
export function exchanged(value: unknown, path: Path, part: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const before = (copy as Record<string | number, unknown>)[step];
  Object.defineProperty(copy, step, { value: exchanged(before, rest, part), enumerable: true, configurable: true, writable: true });
  return copy;
}

/** The arguments with one part behind a getter that throws. */
export function thornedAt(value: unknown, path: Path): unknown {
  const holder = path.slice(0, -1);
  const step = path.at(-1) as string | number;
  const target = holder.reduce<unknown>((at, name) => (at as Record<string | number, unknown>)[name], value);
  const copy = Array.isArray(target) ? [...target] : { ...(target as object) };
  return exchanged(value, holder, throwing([step], copy));
}

/** How a test calls a part. */
export function said(path: Path): string {
  return path.map((step, at) => (typeof step === 'number' ? (at === 0 ? `argument ${step + 1}` : `[${step}]`) : `.${step}`)).join('');
}
