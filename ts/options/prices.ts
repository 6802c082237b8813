// Prices of models (B11). Owns the option and how it is read; the core computes the dollars.

import { invalid } from '../base/errors.js';
import { noOtherFields, optionsOf, prefixOf } from './arguments.js';

/** What a model costs: US dollars for a million tokens, each at least 0. */
export interface ModelPrice {
  /** For what it reads. */
  input: number;
  /** For what it writes, its reasoning included. */
  output: number;
  /** For what it reads from the provider's cache. @default `input` */
  cacheRead?: number | undefined;
  /** For what it writes to the provider's cache. @default `input` */
  cacheWrite?: number | undefined;
  /** For what it writes there for an hour. @default `cacheWrite` */
  cacheWrite1h?: number | undefined;
}

/** Prices by the id of a model; a `*` at the end of a name stands for any characters. Of several that match, the longest counts. */
export type Prices = Readonly<Record<string, ModelPrice>>;

/** As the core takes it. */
export interface StagedPrice extends ModelPrice {
  model: string;
}

const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h'] as const satisfies (keyof ModelPrice)[];

/** Reads the option; in one order whatever order it has. */
export function readPrices(name: string, value: unknown): StagedPrice[] | undefined {
  if (value === undefined) return undefined;
  const prices = optionsOf(`\`${name}\``, value as Prices, "an object such as { 'model*': { input: 3, output: 15 } }");
  return Object.entries(prices)
    .map(([model, price]) => readPrice(`${name}.${model}`, prefixOf(name, model), price))
    .sort((one, other) => (one.model < other.model ? -1 : 1));
}

function readPrice(name: string, model: string, value: unknown): StagedPrice {
  const given = optionsOf(`\`${name}\``, value as ModelPrice, 'an object such as { input: 3, output: 15 }');
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, ...unknown } = given;
  noOtherFields(name, unknown, FIELDS);
  const read: Partial<Record<keyof ModelPrice, number>> = {};
  for (const [field, dollars] of Object.entries({ input, output, cacheRead, cacheWrite, cacheWrite1h })) {
    if (dollars === undefined && field !== 'input' && field !== 'output') continue;
    if (!(typeof dollars === 'number' && dollars >= 0 && dollars <= MOST))
      throw invalid(`\`${name}.${field}\``, `US dollars for a million tokens, from 0 to ${MOST}`, dollars);
    read[field as keyof ModelPrice] = dollars;
  }
  return { model, ...(read as ModelPrice) };
}

/** In billionths a number still distinguishes them. */
const MOST = 1_000_000;
