// What `getConcurrencyInfo()` says of a manager in which nothing waits.

/** How many wait for each thing: none. */
export const NOTHING_WAITS = {
  abandoned: 0,
  host: 0,
  held: 0,
  retry: 0,
  cooldown: 0,
  stagger: 0,
  budget: 0,
  slot: 0,
  session: 0,
  definition: 0,
  rate: 0,
  program: 0,
};
