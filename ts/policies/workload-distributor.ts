// The policy that makes the main agent delegate heavy work, after Oxide's `WorkloadDistributorHook`. Owns what counts
// as heavy: long prompts, keywords, commands, tools.

import { invalid } from '../base/errors.js';
import { knownOptions, optionsOf, readArgument } from '../options/arguments.js';
import { count, string, strings } from '../options/values.js';
import type { Block, Inject, Policy } from './policy.js';
import { WordList, wordsOf } from './words.js';

/** A prompt with at least this many words is long. */
export const LONG_PROMPT_WORDS = 60;

/** Words that make a prompt heavy. In an entry `*` stands for any letters. */
export const HEAVY_WORDS: readonly string[] = /* @__PURE__ */ Object.freeze([
  ...['*analysis*', '*benchmark*', '*codebase*', '*compare*', '*investigate*', '*overview*', '*repo*', '*research*', '*scan*'],
  ...['all files', 'crawl*', 'entire', 'every file', 'in depth', 'literature', 'survey', 'thorough*', 'whole project'],
  ...['*анализ*', '*изучи*', '*исслед*', '*код*', '*обзор*', '*отчет*', '*отчёт*', '*подбор*', '*репозитор*', '*сканир*', '*сравн*'],
  ...['весь проект', 'подробно*', 'полностью', 'тщательно*', '*файлы*'],
]);

/**
 * Matches a heavy command: a pattern over the whole text, or a function that is called for each simple command in it. The
 * function gets the words of the command, without quotes and brackets. Your pattern meets texts that a model chose: give one
 * that takes linear time.
 */
export type CommandMatch = RegExp | ((words: readonly string[]) => boolean);

/** Heavy commands, by their names in refusals. */
export const HEAVY_COMMANDS: Readonly<Record<string, CommandMatch>> = /* @__PURE__ */ Object.freeze({
  'git clone': gitCommand('clone'),
  'git fetch': gitCommand('fetch'),
  'grep -r': withOption(/^[ef]?grep$/, (word) => RECURSIVE.has(word) || (/^-[a-zA-Z]+$/.test(word) && /r/i.test(word))),
  'find -name': withOption(/^find$/, (word) => /^-i?name$/.test(word)),
  'find -exec': withOption(/^find$/, (word) => /^-(?:exec|ok)(?:dir)?$/.test(word)),
});

/** Tools that are heavy with any arguments: crawls, and whole pages and documents. */
export const HEAVY_TOOLS: readonly string[] = /* @__PURE__ */ Object.freeze([
  'crawl',
  'deep_crawl',
  'web_crawl',
  'web_markdown',
  'web_pdf',
]);

/** Arguments of tools that contain a command. */
const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'commands', 'args', 'input'] as const;

/** Options of `workloadDistributor`. */
export interface WorkloadDistributorOptions {
  /** A prompt with at least this many words gets the notice. @default 60 */
  minWords?: number | undefined;
  /** A prompt with at least this many sentence ends gets the notice. Default: they don't count. */
  minSentences?: number | undefined;
  /** Replaces `HEAVY_WORDS`. */
  keywords?: readonly string[] | undefined;
  /** Replaces `HEAVY_COMMANDS`: heavy commands, by their names in refusals. */
  commands?: Readonly<Record<string, CommandMatch>> | undefined;
  /** Replaces `HEAVY_TOOLS`. */
  tools?: readonly string[] | undefined;
  /** The text for the model at a heavy prompt. */
  notice?: string | undefined;
}

const NOTICE =
  'This is a lot of work for one context. Split it: delegate what can be fetched, read or searched independently to sub-agents, in one step, and work with their reports.';

/** Has the main agent delegate if its prompt is heavy, and refuses commands and tools that sub-agents should use. */
export function workloadDistributor(given: WorkloadDistributorOptions = {}): Policy {
  const read = knownOptions('workloadDistributor', given, ['minWords', 'minSentences', 'keywords', 'commands', 'tools', 'notice']);
  const minWords = count('`minWords`', read.minWords, 0) ?? LONG_PROMPT_WORDS;
  const minSentences = count('`minSentences`', read.minSentences) ?? Number.POSITIVE_INFINITY;
  const keywords = new WordList(strings('`keywords`', read.keywords) ?? HEAVY_WORDS);
  const commands = patternsOf(read.commands === undefined ? HEAVY_COMMANDS : read.commands);
  const tools = strings('`tools`', read.tools) ?? HEAVY_TOOLS;
  const notice = string('`notice`', read.notice) ?? NOTICE;
  return {
    name: 'workload_distributor',
    beforeStart({ prompt }): Inject | undefined {
      const words = wordsOf(prompt);
      const isLong = words.length >= minWords || prompt.split(/[.!?]/).length > minSentences;
      const heavy = isLong || keywords.find(words) !== undefined;
      return words.length > 0 && heavy ? { action: 'inject', text: notice } : undefined;
    },
    beforeTool({ tool, args }): Block | undefined {
      const command = commandIn(args);
      const heavy = tools.includes(tool) ? tool : commandMatching(commands, command);
      if (heavy === undefined) return undefined;
      return { action: 'block', reason: `\`${heavy}\` is heavy work: delegate it to a sub-agent and ask for what you need of it` };
    },
  };
}

const RECURSIVE: ReadonlySet<string> = new Set(['--recursive', '--dereference-recursive']);

/** The name of a program, without its folder. */
const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

/** A command of git: `git`, options that may have an argument each, then the command's name. */
function gitCommand(name: string): CommandMatch {
  return (words) => {
    let at: 'none' | 'git' | 'option' = 'none';
    for (const word of words) {
      if (at !== 'none' && word === name) return true;
      if (at !== 'none' && word.startsWith('-')) at = 'option';
      else if (at === 'option' && programOf(word) !== 'git') at = 'git';
      else at = programOf(word) === 'git' ? 'git' : 'none';
    }
    return false;
  };
}

/** A program followed by an option. */
function withOption(program: RegExp, isOption: (word: string) => boolean): CommandMatch {
  return (words) => {
    const at = words.findIndex((word) => program.test(programOf(word)));
    return at !== -1 && words.slice(at + 1).some(isOption);
  };
}

function commandMatching(matches: readonly [name: string, match: CommandMatch][], text: string): string | undefined {
  const commands = simpleCommands(text);
  const found = matches.find(([, match]) => (match instanceof RegExp ? match.test(text) : commands.some((words) => match(words))));
  return found?.[0];
}

/** The words of each simple command, between pipes, semicolons, ampersands and line ends. */
function simpleCommands(text: string): string[][] {
  const commands: string[][] = [[]];
  for (const part of text.split(/([|;&\n])|[\s"'`(){}]+/)) {
    if (part === undefined || part === '') continue;
    if ('|;&\n'.includes(part)) commands.push([]);
    else commands.at(-1)?.push(part);
  }
  return commands.filter((words) => words.length > 0);
}

function patternsOf(commands: unknown): [name: string, match: CommandMatch][] {
  // A pattern alone has no entries, and would guard nothing.
  const expected = 'an object of regular expressions or functions by name';
  return readArgument('`commands`', () => {
    if (commands instanceof RegExp) throw invalid('`commands`', expected, commands);
    const given = optionsOf('`commands`', commands as object, expected);
    return Object.entries(given).map(([name, pattern]) => [name, patternOf(name, pattern)]);
  });
}

/** A pattern without state between its uses. */
function patternOf(name: string, pattern: unknown): CommandMatch {
  return readArgument(`\`commands.${name}\``, () => {
    if (typeof pattern === 'function') return pattern as CommandMatch;
    if (!(pattern instanceof RegExp)) throw invalid(`\`commands.${name}\``, 'a regular expression or a function', pattern);
    return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  });
}

/** The command in a tool's arguments; the arguments themselves if they are a text. */
function commandIn(args: unknown): string {
  if (typeof args === 'string') {
    const parsed = args.trimStart().startsWith('{') ? parse(args) : undefined;
    return parsed === undefined ? args : commandIn(parsed);
  }
  if (typeof args !== 'object' || args === null) return '';
  const values = COMMAND_ARGUMENTS.map((name) => (args as Record<string, unknown>)[name]);
  const texts = values.flatMap((value) => (Array.isArray(value) ? [value.filter((part) => typeof part === 'string').join(' ')] : [value]));
  // A command may be split into the program and its arguments.
  return texts.filter((text) => typeof text === 'string').join(' ');
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
