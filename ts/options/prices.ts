// Prices of models (B11). Owns the option and how it is read; the core computes the dollars.

import { invalid } from '../base/errors.js';
import { noOtherFields, optionsOf, prefixOf } from './arguments.js';

/** The prices of a model: US dollars per million tokens, each at least 0. */
export interface ModelPrice {
  /** Input tokens. */
  input: number;
  /** Output tokens, including its reasoning. */
  output: number;
  /** Tokens read from the provider's cache. @default `input` */
  cacheRead?: number | undefined;
  /** Tokens written to the provider's cache. @default `input` */
  cacheWrite?: number | undefined;
  /** Tokens written to the provider's cache for an hour. @default `cacheWrite` */
  cacheWrite1h?: number | undefined;
}

/** Prices by the id of a model; a `*` at the end of a name stands for any characters. If several match, the longest counts. */
export type Prices = Readonly<Record<string, ModelPrice>>;

/** A price as the core takes it. */
export interface StagedPrice extends ModelPrice {
  model: string;
}

const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h'] as const satisfies (keyof ModelPrice)[];

/** Reads the option; the result has one order, whatever order the option has. */
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

/** Up to this amount, a number still distinguishes billionths. */
const MOST = 1_000_000;
