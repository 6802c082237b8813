// Dice that fall alike for a seed.

/** @param {string} seed */
export function dice(seed) {
  let state = 2_166_136_261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(roll() * count);
  return { below, chance: (share) => roll() < share, pick: (list) => list[below(list.length)] };
}
