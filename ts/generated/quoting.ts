// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** Ranges of code points that become a space: spaces, line breaks, control characters. */
export const BREAKS: readonly (readonly [number, number])[] = [
  [0x0, 0x20],
  [0x7f, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

/** Ranges of code points that aren't visible, and that are left out. */
export const UNSEEN: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** Ranges of code points that join or part letters; one stays between two letters beyond ASCII alone. */
export const JOINERS: readonly (readonly [number, number])[] = [
  [0x200c, 0x200d],
];

/** Characters that could end a quotation, each with what stands for it. */
export const MARKS: readonly (readonly [string, string])[] = [
  ["'", "’"],
  ["\"", "’"],
  ["`", "’"],
  ["“", "‘"],
  ["”", "’"],
  ["[", "("],
  ["]", ")"],
  ["<", "‹"],
  [">", "›"],
  ["＇", "’"],
  ["＂", "’"],
  ["｀", "’"],
  ["［", "("],
  ["］", ")"],
  ["＜", "‹"],
  ["＞", "›"],
];

/** How many code points of a label are shown. */
export const LABEL_CHARS = 80;
/** How many of a task's text. */
export const TASK_CHARS = 500;
/** How many of an error. */
export const ERROR_CHARS = 300;
/** How many of any other name. */
export const NAME_CHARS = 80;
