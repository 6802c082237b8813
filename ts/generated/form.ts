// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The form of what is stored that this package writes; it reads this one and those before it. */
export const FORM = 1;
/** The first form that it reads. */
export const OLDEST_FORM = 1;
