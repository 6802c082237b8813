// The policy that keeps analysis with the main agent, after Oxide's `DelegationGuardHook`: sub-agents fetch, the main agent
// thinks. Owns the two lists of words, English and Russian.

import { quoted } from '../base/quoting.js';
import { knownOptions } from '../options/arguments.js';
import { strings } from '../options/values.js';
import type { Block, Policy } from './policy.js';
import { WordList, wordsOf } from './words.js';

/** Words that make a task analytical. In an entry `*` stands for any letters. */
export const ANALYTICAL_WORDS: readonly string[] = /* @__PURE__ */ Object.freeze([
  ...['analys*', 'analytic*', 'analyz*', 'assess*', 'compare*', 'comparing', 'comparison*'],
  ...[
    'conclud*',
    'conclusion*',
    'critiqu*',
    'decide',
    'decides',
    'deciding',
    'diagnos*',
    'estimat*',
    'evaluat*',
    'explain*',
    'explanation*',
  ],
  ...['interpret', 'interpretation*', 'interpreting', 'interprets', 'judge', 'judgement*', 'judges', 'judging', 'judgment*', 'justif*'],
  ...['opinion*', 'prioritis*', 'prioritiz*', 'rank', 'ranking', 'rankings', 'ranks', 'reason about', 'reason through', 'reason*'],
  ...['recommend*', 'review*', 'think about', 'think through', 'thinking', 'why'],
  ...[
    'анализ*',
    'аргументир*',
    'вывод',
    'выводы',
    'выясни*',
    'диагностир*',
    'доказ*',
    'докаж*',
    'зачем',
    'интерпрет*',
    'мнени*',
    'обзор*',
    'обоснован*',
    'обоснуй*',
  ],
  ...[
    'объясн*',
    'осмысл*',
    'оцени*',
    'оценк*',
    'подумай*',
    'порекоменду*',
    'посоветуй*',
    'почему',
    'причин*',
    'проанализ*',
    'просравн*',
    'процени*',
    'рассужд*',
    'ревью',
  ],
  ...['рекоменд*', 'рецензи*', 'решать', 'реши*', 'сделай вывод*', 'сравн*', 'эффективн*'],
]);

/** Verbs that begin a task of retrieval. */
export const RETRIEVAL_VERBS: readonly string[] = /* @__PURE__ */ Object.freeze([
  ...[
    'cat',
    'check out',
    'clone',
    'collect',
    'compile',
    'copy',
    'count',
    'crawl',
    'download',
    'extract',
    'fetch',
    'find',
    'gather',
    'get',
    'grep',
  ],
  ...['list', 'locate', 'look up', 'ls', 'open', 'print', 'pull', 'query', 'read', 'retrieve', 'run', 'scan', 'scrape', 'search', 'show'],
  ...[
    'вывед*',
    'выгруз*',
    'достан*',
    'загруз*',
    'запусти*',
    'извлек*',
    'искать',
    'изучи файл*',
    'клонируй*',
    'найд*',
    'найти',
    'открой*',
    'перечисли*',
  ],
  ...[
    'поиск',
    'поищи*',
    'покажи*',
    'получи*',
    'посчитай*',
    'прочита*',
    'прочти*',
    'скачай*',
    'склонируй*',
    'скопируй*',
    'собери*',
    'список',
  ],
]);

/** Words that may precede the verb. */
const COURTESY: readonly string[] = ['please', 'kindly', 'first', 'now', 'then', 'пожалуйста', 'сначала', 'теперь'];

/** Options of `delegationGuard`. */
export interface DelegationGuardOptions {
  /** Replaces `ANALYTICAL_WORDS`. */
  words?: readonly string[] | undefined;
  /** Replaces `RETRIEVAL_VERBS`. */
  retrievalVerbs?: readonly string[] | undefined;
}

/** Refuses to delegate an analytical task, naming the word; a task that begins with a retrieval verb passes. */
export function delegationGuard(given: DelegationGuardOptions = {}): Policy {
  const { words, retrievalVerbs } = knownOptions('delegationGuard', given, ['words', 'retrievalVerbs']);
  const analytical = new WordList(strings('`words`', words) ?? ANALYTICAL_WORDS);
  const retrieval = new WordList(strings('`retrievalVerbs`', retrievalVerbs) ?? RETRIEVAL_VERBS);
  // Not at import: to normalise its first text, the runtime loads tables.
  const courtesy = new WordList(COURTESY);
  return {
    name: 'delegation_guard',
    beforeSpawn({ task }): Block | undefined {
      if (task === undefined) return undefined;
      const said = wordsOf(task);
      let first = 0;
      while (courtesy.matchAt(said, first) !== undefined) first += 1;
      if (retrieval.matchAt(said, first) !== undefined) return undefined;
      const word = analytical.find(said);
      if (word === undefined) return undefined;
      return {
        action: 'block',
        reason: `“${quoted(word)}” asks for analysis, which is yours to do. Delegate the retrieval of what you need for it, and begin the task with a verb such as find, list, read`,
      };
    },
  };
}
