// The policy that has the main agent delegate heavy work, after Oxide's `WorkloadDistributorHook`. Owns what counts as
// heavy: long prompts, keywords, commands, tools.

import { invalid } from '../base/errors.js';
import { knownOptions, optionsOf, readArgument } from '../options/arguments.js';
import { count, string, strings } from '../options/values.js';
import type { Block, Inject, Policy } from './policy.js';
import { WordList, wordsOf } from './words.js';

/** From so many words on a prompt is long. */
export const LONG_PROMPT_WORDS = 60;

/** Words that make a prompt heavy. An entry with `*` stands for all words that begin so. */
export const HEAVY_WORDS: readonly string[] = Object.freeze([
  ...['all files', 'codebase', 'crawl*', 'deep research', 'entire', 'every file', 'in depth', 'investigate', 'literature', 'monorepo'],
  ...['repo', 'repos', 'repository', 'repositories', 'research', 'survey', 'thorough*', 'whole project'],
  ...['весь проект', 'все файлы', 'исследуй*', 'исследовани*', 'кодовая база', 'кодовую базу', 'обзор', 'подробно*', 'полностью'],
  ...['репозитори*', 'тщательно*', 'глубокий анализ', 'изучи*'],
]);

/** Commands that are heavy, with the names that refusals call them by. */
export const HEAVY_COMMANDS: Readonly<Record<string, RegExp>> = Object.freeze({
  'git clone': /\bgit\s+(?:-\S+\s+(?:\S+\s+)?)*clone\b/,
  'git fetch': /\bgit\s+(?:-\S+\s+(?:\S+\s+)?)*fetch\b/,
  'grep -r': /\b[ef]?grep\b(?:\s+[^|;&\n]*?)?\s(?:-[a-zA-Z]*[rR][a-zA-Z]*|--(?:dereference-)?recursive)(?=\s|$)/,
  'find -name': /\bfind\s[^|;&\n]*?-i?name\b/,
  'find -exec': /\bfind\s[^|;&\n]*?-(?:exec|ok)(?:dir)?\b/,
});

/** Tools that are heavy whatever they are given: crawls. */
export const HEAVY_TOOLS: readonly string[] = Object.freeze(['crawl', 'deep_crawl', 'web_crawl']);

/** Arguments of tools that hold a command. */
const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'commands', 'args', 'input'] as const;

/** Options of `workloadDistributor`. */
export interface WorkloadDistributorOptions {
  /** From so many words on a prompt gets the notice. @default 60 */
  minWords?: number | undefined;
  /** In place of `HEAVY_WORDS`. */
  keywords?: readonly string[] | undefined;
  /** In place of `HEAVY_COMMANDS`: what refusals call a command, and what matches it. */
  commands?: Readonly<Record<string, RegExp>> | undefined;
  /** In place of `HEAVY_TOOLS`. */
  tools?: readonly string[] | undefined;
  /** The text that the model is told at a heavy prompt. */
  notice?: string | undefined;
}

const NOTICE =
  'This is a lot of work for one context. Split it: delegate what can be fetched, read or searched independently to sub-agents, in one step, and work with their reports.';

/** Tells the main agent to delegate where its prompt is heavy, and refuses commands and tools that sub-agents should use. */
export function workloadDistributor(given: WorkloadDistributorOptions = {}): Policy {
  const read = knownOptions('workloadDistributor', given, ['minWords', 'keywords', 'commands', 'tools', 'notice']);
  const minWords = count('`minWords`', read.minWords, 0) ?? LONG_PROMPT_WORDS;
  const keywords = new WordList(strings('`keywords`', read.keywords) ?? HEAVY_WORDS);
  const commands = patternsOf(read.commands === undefined ? HEAVY_COMMANDS : read.commands);
  const tools = strings('`tools`', read.tools) ?? HEAVY_TOOLS;
  const notice = string('`notice`', read.notice) ?? NOTICE;
  return {
    name: 'workload_distributor',
    beforeStart({ prompt }): Inject | undefined {
      const words = wordsOf(prompt);
      const heavy = words.length >= minWords || keywords.find(words) !== undefined;
      return words.length > 0 && heavy ? { action: 'inject', text: notice } : undefined;
    },
    beforeTool({ tool, args }): Block | undefined {
      const command = commandIn(args);
      const heavy = tools.includes(tool) ? tool : commands.find(([, pattern]) => pattern.test(command))?.[0];
      if (heavy === undefined) return undefined;
      return { action: 'block', reason: `\`${heavy}\` is heavy work: delegate it to a sub-agent and ask for what you need of it` };
    },
  };
}

function patternsOf(commands: unknown): [name: string, pattern: RegExp][] {
  // A pattern alone has no entries, and would guard nothing.
  const expected = 'an object of regular expressions by name';
  return readArgument('`commands`', () => {
    if (commands instanceof RegExp) throw invalid('`commands`', expected, commands);
    const given = optionsOf('`commands`', commands as object, expected);
    return Object.entries(given).map(([name, pattern]) => [name, patternOf(name, pattern)]);
  });
}

/** A pattern that keeps no place between its uses. */
function patternOf(name: string, pattern: unknown): RegExp {
  return readArgument(`\`commands.${name}\``, () => {
    if (!(pattern instanceof RegExp)) throw invalid(`\`commands.${name}\``, 'a regular expression', pattern);
    return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  });
}

/** The command that a tool's arguments hold: themselves, where they are a text. */
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
