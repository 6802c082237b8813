// A golden transcript as a text: its blocks and its command lines. Owns how they are taken apart, as
// `golden/command.rs` does, never what they mean.

/** A line of the file, with its number. */
export interface Written {
  readonly text: string;
  readonly number: number;
}

/** Commands and what has to come of them. */
export interface Block {
  readonly commands: Written[];
  readonly results: Written[];
}

/** Comments and empty lines apart, each line is in one block. */
export function blocksOf(transcript: string): Block[] {
  const blocks: Block[] = [];
  let block: Block = { commands: [], results: [] };
  let inResults = false;
  for (const [index, text] of transcript.split('\n').entries()) {
    const written = { text, number: index + 1 };
    if (text === '----') {
      blocks.push(block);
      inResults = true;
    } else if (text === '') {
      block = { commands: [], results: [] };
      inResults = false;
    } else if (inResults) block.results.push(written);
    else if (!text.startsWith('#')) block.commands.push(written);
  }
  return blocks;
}

/** A number as transcripts write it; `∞` lifts a limit. */
export function numberOf(value: string): number {
  if (value === '∞') return Number.POSITIVE_INFINITY;
  const digits = value.replaceAll('_', '');
  if (!/^\d+$/.test(digits)) throw new Error(`${value} is no number`);
  return Number(digits);
}

/** One command line: a verb, words, one text in quotes, and `name=value` pairs. What nobody asks for is an error. */
export class Command {
  readonly verb: string;
  readonly text: string | undefined;
  readonly #words: readonly string[];
  readonly #options = new Map<string, string>();
  readonly #unread: Set<string>;

  constructor(line: string) {
    const token = /\s*(?:([^\s="]+)=(?:"([^"]*)"|([^\s"]*))|"([^"]*)"|([^\s="]+))(?=\s|$)/y;
    const words: string[] = [];
    while (token.lastIndex < line.length) {
      const at = token.lastIndex;
      const match = token.exec(line);
      if (match === null) throw new Error(`what is \`${line.slice(at)}\`?`);
      const [, name, quoted, plain, text, word] = match;
      if (name !== undefined) this.#options.set(name, quoted ?? plain ?? '');
      else if (text !== undefined) this.text = text;
      else words.push(word as string);
    }
    [this.verb = '', ...this.#words] = words;
    this.#unread = new Set([...this.#words, ...this.#options.keys()]);
  }

  /** The word in a place. */
  word(place: number): string {
    const word = this.#words[place];
    if (word === undefined) throw new Error(`\`${this.verb}\` needs another word`);
    this.#unread.delete(word);
    return word;
  }

  /** Whether a word is there, after the first one. */
  says(word: string): boolean {
    return this.#words.includes(word, 1) && this.#unread.delete(word);
  }

  /** All words that were not asked for. */
  rest(): string[] {
    const rest = this.#words.filter((word) => this.#unread.has(word));
    for (const word of rest) this.#unread.delete(word);
    return rest;
  }

  /** The names of all options. */
  names(): string[] {
    return [...this.#options.keys()];
  }

  option(name: string): string | undefined {
    this.#unread.delete(name);
    return this.#options.get(name);
  }

  number(name: string): number | undefined {
    const value = this.option(name);
    return value === undefined ? undefined : numberOf(value);
  }

  /** Fails where something was said that the command doesn't know. */
  expectRead(): void {
    if (this.#unread.size > 0) throw new Error(`\`${this.verb}\` doesn't know ${[...this.#unread].join(', ')}`);
  }
}

/** The values that were given, as options of the package: what is absent is left out. */
export function given<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}
