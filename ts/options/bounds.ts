// Options that bound a manager: its limits, budgets, and `onLimit`. Owns how they are read, for the constructor and
// `setLimits`; the core judges the values.

import type { SubAgentCore } from '../../pkg/subagents.js';
import { now } from '../base/clock.js';
import { describe, invalid, SubAgentError } from '../base/errors.js';
import type { Core } from '../boundary/core.js';
import { limitOf } from '../boundary/limits.js';
import { DEFAULT_LIMITS, type Limits } from '../generated/limits.js';
import { noOtherOptions, optionsOf } from './arguments.js';
import { type Prices, readPrices, type StagedPrice } from './prices.js';
import { type Rates, readRates, type StagedRate } from './rates.js';
import type { Budget, Sometimes } from './values.js';
import { readBudget } from './values.js';

/** Limits that may be changed while the manager runs. Omitted limits stay. */
export interface LiveLimits extends Sometimes<Partial<Limits>> {
  /** The cap of all sub-agents together, including their spending so far. `Infinity` lifts a cap. */
  budget?: Budget | undefined;
  /** Budget of each new sub-agent for its life. A spawn may set its own. */
  taskBudget?: Budget | undefined;
  /**
   * Prices of models from now on, in place of all earlier ones: see the manager's `prices`.
   *
   * Booked amounts stay.
   */
  prices?: Prices | undefined;
  /** Rates of keys from now on, in place of all earlier ones: see the manager's `rates`. */
  rates?: Rates | undefined;
  /** What happens to work at the slot limit from now on. */
  onLimit?: 'queue' | 'reject' | undefined;
}

/** Sets options in a core; `false` if it refuses one. */
export type SetOptions = (core: SubAgentCore, settings: object) => boolean;

/** Every option that is read here. */
export const BOUNDS: readonly string[] = [
  ...Object.keys(DEFAULT_LIMITS),
  ...(['budget', 'taskBudget', 'onLimit', 'prices', 'rates'] satisfies (keyof LiveLimits)[]),
];

export class Bounds {
  /** Whether anything was read. */
  #given = false;
  readonly #limits = new Map<string, number>();
  #budget: Budget = {};
  #taskBudget: Budget | undefined;
  #onLimit: 'queue' | 'reject' | undefined;
  #prices: StagedPrice[] | undefined;
  #rates: StagedRate[] | undefined;

  /** Reads an option, if it is one of these; returns whether it is. */
  take(key: string, value: unknown): boolean {
    if (key === 'budget') this.#budget = readBudget(key, value);
    else if (key === 'taskBudget') this.#taskBudget = readBudget(key, value);
    else if (key === 'prices') this.#prices = readPrices(key, value);
    else if (key === 'rates') this.#rates = readRates(key, value);
    else if (key === 'onLimit') {
      if (value !== 'queue' && value !== 'reject') throw invalid('`onLimit`', "'queue' or 'reject'", value);
      this.#onLimit = value;
    } else if (Object.hasOwn(DEFAULT_LIMITS, key)) {
      if (typeof value !== 'number') throw invalid(`\`${key}\``, key.endsWith('Ms') ? 'milliseconds, such as 60_000' : 'a number', value);
      this.#limits.set(key, value);
    } else return false;
    this.#given = true;
    return true;
  }

  /**
   * Sets all options. If the core refuses a value, it throws `invalid_argument` and changes nothing. `reopen`: sets them in the
   * call with which restored work continues.
   */
  apply(runtime: Core, others: Readonly<Record<string, unknown>> = {}, reopen?: SetOptions): void {
    // The core's reader of settings is compiled at its first use: a manager with defaults starts without it.
    if (!this.#given && Object.keys(others).length === 0 && reopen === undefined) return;
    const given = { budget: this.#budget, taskBudget: this.#taskBudget, onLimit: this.#onLimit, prices: this.#prices, rates: this.#rates };
    const settings = { ...others, limits: [...this.#limits], ...given };
    const isSet = runtime.call((core) => (reopen === undefined ? core.configure(now(), settings) : reopen(core, settings)));
    if (!isSet) throw this.#withValue(runtime.refusal());
    runtime.dispatch();
    runtime.expectSound();
  }

  /** Adds the given value to the refusal of a limit. */
  #withValue(refusal: SubAgentError): SubAgentError {
    const { code, message, details } = refusal;
    const wrong = [...this.#limits].find(([name]) => message.startsWith(`\`${name}\``));
    return wrong === undefined ? refusal : new SubAgentError(code, `${message}, got ${describe(wrong[1])}`, { ...details });
  }
}

/** Reads the argument of `setLimits`. */
export function readLimits(given: LiveLimits): Bounds {
  const bounds = new Bounds();
  const unknown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(optionsOf('the limits', given, 'an object such as { maxConcurrent: 5 }'))) {
    if (value !== undefined && !bounds.take(key, value)) unknown[key] = value;
  }
  noOtherOptions('setLimits', unknown, BOUNDS);
  return bounds;
}

/** The limits in force. */
export function limitsOf(runtime: Core): Required<Limits> {
  const names = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];
  return Object.fromEntries(names.map((name) => [name, limitOf(runtime, name)])) as unknown as Required<Limits>;
}
