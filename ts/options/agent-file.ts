// Agent definitions as markdown with frontmatter: fields between two lines `---`, then the system prompt. Owns the subset of
// YAML: one field a line. Its value is a plain or quoted text, a number, true or false, or a list, inline or one entry a line.
// Anything else is an error that names its line.

import { invalid, SubAgentError } from '../base/errors.js';
import { logError } from '../base/log.js';
import { isUnderstood, UNDERSTOOD } from '../base/pattern.js';
import { quoted } from '../base/quoting.js';
import type { AgentDefinition } from './agents.js';
import { knownOptions, optionsOf } from './arguments.js';
import { SPAWN_OPTIONS } from './generated/spawn.js';
import { strings } from './values.js';

/** An agent that was read from its file. */
export interface AgentFile {
  /** The field `name`, if there is one. */
  name: string | undefined;
  /** All other fields, with the text below the frontmatter as its system prompt. */
  definition: AgentDefinition;
}

/** The kind of a field's value, by the kind of its option; options of other kinds have no place in a file. */
const BY_KIND: Readonly<Record<string, 'text' | 'list' | 'number' | 'boolean'>> = {
  text: 'text',
  name: 'text',
  reference: 'text',
  onParentEnd: 'text',
  texts: 'list',
  count: 'number',
  duration: 'number',
  integer: 'number',
  dollars: 'number',
  flag: 'boolean',
};
const KINDS: Readonly<Record<string, 'text' | 'list' | 'number' | 'boolean'>> = /* @__PURE__ */ (() => ({
  name: 'text',
  description: 'text',
  disallowedTools: 'list',
  model: 'text',
  ...Object.fromEntries(SPAWN_OPTIONS.flatMap(({ name, kind, isDefined }) => (isDefined && BY_KIND[kind] ? [[name, BY_KIND[kind]]] : []))),
}))();

/** Options of `parseAgentDefinition`. */
export interface AgentFileOptions {
  /** What happens to unknown fields: they are errors, or ignored. @default 'error' */
  unknown?: 'error' | 'ignore' | undefined;
  /**
   * Names of existing tools.
   *
   * An entry of `tools` or `disallowedTools` with other characters than letters, digits and `_.:/-*` must be one of them.
   * @default []
   */
  tools?: readonly string[] | undefined;
}

/** Options of `parseAgentDefinitions`. */
export interface AgentFilesOptions extends AgentFileOptions {
  /** Gets an error for each skipped file, with `details.file`. Default: the log of the runtime. */
  onError?: ((error: SubAgentError) => void) | undefined;
}

type Value = string | number | boolean | string[];

function wrong(line: number, message: string): SubAgentError {
  return new SubAgentError('invalid_argument', `line ${line}: ${message}`, { line });
}

/**
 * Reads one definition. Unknown fields are errors; with `unknown: 'ignore'` they are ignored, for files that another program
 * shares. `tools` and `disallowedTools` may have patterns (`mcp__slack__*`). Any other entry (`Bash(rm:*)`) is an error,
 * because it would deny nothing. Throws `invalid_argument`, naming the line.
 */
export function parseAgentDefinition(markdown: string, options: AgentFileOptions = {}): AgentFile {
  return parse(markdown, readOptions(knownOptions('parseAgentDefinition', options, ['unknown', 'tools'], 'the options')));
}

/** The options as they are used. */
interface Reading {
  isIgnoring: boolean;
  tools: readonly string[];
}

function readOptions({ unknown = 'error', tools }: AgentFileOptions): Reading {
  if (unknown !== 'error' && unknown !== 'ignore') throw invalid('`unknown`', "'error' or 'ignore'", unknown);
  return { isIgnoring: unknown === 'ignore', tools: strings('`tools`', tools) ?? [] };
}

function parse(markdown: string, reading: Reading): AgentFile {
  if (typeof markdown !== 'string') throw invalid('an agent definition', 'a text', markdown);
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== '---') throw wrong(1, 'a definition begins with a line `---`');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) throw wrong(lines.length, 'the line `---` that ends the fields is missing');
  const fields = readFields(lines.slice(0, end), reading);
  const { name, description, ...rest } = fields;
  if (description === undefined || (description as string).trim() === '') throw wrong(end + 1, '`description` is missing');
  const prompt = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  const definition = { description, ...rest, ...(prompt !== '' && { prompt }) } as unknown as AgentDefinition;
  return { name: name as string | undefined, definition };
}

/**
 * Reads definitions by file name, for the option `agents`. The name of each is its field `name`, else its file's name without
 * folder and `.md`. A wrong file is skipped: `onError` gets the error, which names file and line.
 */
export function parseAgentDefinitions(
  files: Readonly<Record<string, string>>,
  options: AgentFilesOptions = {},
): Record<string, AgentDefinition> {
  const read = knownOptions('parseAgentDefinitions', options, ['unknown', 'tools', 'onError'], 'the options');
  const { onError = logError } = read;
  if (typeof onError !== 'function') throw invalid('`onError`', 'a function', onError);
  const reading = readOptions(read);
  const agents: Record<string, AgentDefinition> = {};
  for (const [file, text] of Object.entries(optionsOf('the files', files))) {
    const skip = (message: string, details = {}): void =>
      onError(new SubAgentError('invalid_argument', `${file}: ${message}`, { ...details, file }));
    let parsed: AgentFile;
    try {
      parsed = parse(text, reading);
    } catch (error) {
      const { message, details } = error as SubAgentError;
      skip(message, details);
      continue;
    }
    const name = parsed.name ?? file.replace(/^.*[/\\]/, '').replace(/\.md$/i, '');
    if (Object.hasOwn(agents, name)) {
      skip(`there is another agent called \`${name}\``);
      continue;
    }
    // The name of a definition may be one that every object has.
    Object.defineProperty(agents, name, { value: parsed.definition, enumerable: true, configurable: true, writable: true });
  }
  return agents;
}

function readFields(lines: readonly string[], { isIgnoring, tools }: Reading): Record<string, Value> {
  const fields: Record<string, Value> = {};
  let at = 1;
  while (at < lines.length) {
    const text = lines[at] as string;
    const line = at + 1;
    at += 1;
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue;
    if (/^\s/.test(text)) throw wrong(line, 'a field begins at the beginning of its line');
    const match = /^([A-Za-z][\w-]*)\s*:(?:\s([\s\S]*))?$/.exec(text.trimEnd());
    if (match === null) throw wrong(line, 'expected `field: value`');
    const [, name = '', after = ''] = match;
    const entries: { text: string; line: number }[] = [];
    while (at < lines.length && /^\s*(?:-\s|-$|#|$)/.test(lines[at] as string)) {
      const entry = (lines[at] as string).trim();
      at += 1;
      if (entry.startsWith('-')) entries.push({ text: entry.slice(1).trim(), line: at });
    }
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind === undefined) {
      if (!isIgnoring)
        throw wrong(
          line,
          `there is no field \`${name}\`; there are ${Object.keys(KINDS).join(', ')}; \`{ unknown: 'ignore' }\` passes others over`,
        );
      // Skips all lines of the field, whatever the YAML: the next field begins at the beginning of its line.
      while (at < lines.length && /^(?:\s|#|$|-(?:\s|$))/.test(lines[at] as string)) at += 1;
      continue;
    }
    if (Object.hasOwn(fields, name)) throw wrong(line, `\`${name}\` stands here a second time`);
    const value = withoutComment(after.trimStart());
    if (entries.length > 0) {
      if (kind !== 'list') throw wrong(line, `\`${name}\` is no list`);
      if (value !== '') throw wrong(line, `\`${name}\` has a value and a list below it`);
      fields[name] = entries.map((entry) => entryOf(withoutComment(entry.text), name, entry.line));
    } else fields[name] = fieldOf(value, kind, name, line);
    if (name === 'tools' || name === 'disallowedTools') {
      const wrongOne = (fields[name] as string[]).find((entry) => !isUnderstood(entry) && !tools.includes(entry));
      if (wrongOne !== undefined)
        throw wrong(line, `\`${name}\` has \`${quoted(wrongOne)}\`, which is no known tool; a name or a pattern has ${UNDERSTOOD}`);
    }
  }
  return fields;
}

function fieldOf(value: string, kind: 'text' | 'list' | 'number' | 'boolean', name: string, line: number): Value {
  switch (kind) {
    case 'text':
      return textOf(value, name, line);
    case 'list':
      return listOf(value, name, line);
    case 'number':
      if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value)) throw wrong(line, `\`${name}\` must be a number`);
      return Number(value);
    case 'boolean':
      if (value !== 'true' && value !== 'false') throw wrong(line, `\`${name}\` must be true or false`);
      return value === 'true';
  }
}

/** `[a, "b"]`, or texts with commas between them. */
function listOf(value: string, name: string, line: number): string[] {
  let rest = value;
  if (value.startsWith('[')) {
    if (!value.endsWith(']')) throw wrong(line, `\`${name}\`: the bracket is not closed`);
    rest = value.slice(1, -1);
    if (rest.trim() === '') return [];
  }
  const entries: string[] = [];
  for (;;) {
    rest = rest.trimStart();
    const match = /^("(?:\\.|[^"\\])*"|'(?:''|[^'])*')\s*(,|$)/.exec(rest);
    const [entry = ''] = rest.split(',', 1);
    entries.push(entryOf(match?.[1] ?? entry.trimEnd(), name, line));
    const end = match === null ? entry.length : match[0].length - (match[2]?.length ?? 0);
    if (end === rest.length) return entries;
    rest = rest.slice(end + 1);
  }
}

/** An entry of a list: here `*` begins a pattern, although YAML uses it for something else. */
function entryOf(value: string, name: string, line: number): string {
  return value.startsWith('*') ? value : textOf(value, name, line);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', '/': '/' };

function textOf(value: string, name: string, line: number): string {
  if (value === '') throw wrong(line, `\`${name}\` has no value`);
  if (value.startsWith('"')) {
    const inner = /^"((?:\\.|[^"\\])*)"$/.exec(value)?.[1];
    if (inner === undefined) throw wrong(line, `\`${name}\`: the quote is not closed, or something follows it`);
    return inner.replace(/\\(.)/g, (_, escaped: string) => {
      const meant = ESCAPES[escaped];
      if (meant === undefined) throw wrong(line, `\`${name}\`: \`\\${escaped}\` is not known; there are \\n \\t \\" \\\\ \\/`);
      return meant;
    });
  }
  if (value.startsWith("'")) {
    const inner = /^'((?:''|[^'])*)'$/.exec(value)?.[1];
    if (inner === undefined) throw wrong(line, `\`${name}\`: the quote is not closed, or something follows it`);
    return inner.replaceAll("''", "'");
  }
  if (/^[|>][+-]?\d?$/.test(value)) throw wrong(line, `\`${name}\`: texts of several lines are not read; put it on one line`);
  if (/^[[{&*!%@`]/.test(value)) throw wrong(line, `\`${name}\`: a text that begins with \`${value[0]}\` needs quotes`);
  return value;
}

/** Removes a comment, which begins with `#` after a blank, outside of quotes. */
function withoutComment(value: string): string {
  const quoted = /^(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|\[(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\]"'])*\])(?=\s+#|\s*$)/.exec(value);
  if (quoted !== null) return quoted[0];
  const at = value.search(/(?:^|\s)#/);
  return (at === -1 ? value : value.slice(0, at)).trim();
}
