// The built-in model: no language model, and no network. It carries out tasks of three forms, which it reads from its own
// messages, with the tools that it is shown: `Rename … in FILES`, `Delete FILE`, `Watch the tests`. Deterministic.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer, Message, Model, ToolCall } from './model.js';

/** Names that it proposes where a task leaves the name open. */
const CLEARER: Record<string, readonly string[]> = { tot: ['sumOfAllPrices', 'total'] };

type Step = string | readonly { readonly name: string; readonly args: Record<string, unknown> }[];

/** `paceMs`: pause before each answer, so that a person can watch. */
export function builtIn(paceMs = 0): Model {
  return async (messages, tools, signal): Promise<Answer> => {
    if (paceMs > 0) await sleep(paceMs, undefined, { signal });
    signal.throwIfAborted();
    const known = new Conversation(messages);
    const step =
      tools.length === 0 ? 'There is no turn left.' : tools.some(({ name }) => name === 'spawn_agent') ? lead(known) : edit(known);
    const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
    const calls = typeof step === 'string' ? [] : step.map((call, at) => ({ ...call, id: `call_${turn}_${at + 1}` }));
    const text = typeof step === 'string' ? step : '';
    return { text, calls, tokens: Math.ceil((JSON.stringify(messages).length + JSON.stringify(step).length) / 4) };
  };
}

/** The main agent: read, delegate, answer questions, and when only the watcher is left, stop it and look at the tests. */
function lead(known: Conversation): Step {
  const tasks = known.resultsOf('read_file').at(-1);
  if (tasks === undefined) return [{ name: 'read_file', args: { path: 'TASKS.md' } }];
  if (known.resultsOf('spawn_agent').length === 0) {
    const wanted = [...tasks.matchAll(/^- (.+)$/gmu)].map((match) => match[1] ?? '');
    if (wanted.length === 0) return 'TASKS.md has no tasks.';
    return wanted.map((instructions) => ({ name: 'spawn_agent', args: { instructions, background: true, label: labelOf(instructions) } }));
  }
  const tests = known.resultsOf('run_tests').at(-1);
  if (tests !== undefined) return [...known.findings(), tests].join('\n');
  const last = known.last;
  if (last?.name === 'cancel_agent') return [{ name: 'run_tests', args: {} }];
  const waited = known.resultsOf('wait_agents').at(-1);
  // A wait that was stopped has seen nothing.
  if (waited === undefined || waited.startsWith('Not done')) return wait();
  const questions = [...waited.matchAll(/\(id: (sub_\w+)\) asks:\n<[^\n]*\n([\s\S]*?)\n<\//gu)];
  if (questions.length > 0 && last?.name === 'wait_agents') {
    return questions.map(([, agent_id, question = '']) => ({ name: 'send_message', args: { agent_id, message: shortest(question) } }));
  }
  // Whose question was answered is at work again; the end of one may have come with the turn.
  const atWork = [...waited.matchAll(/(sub_\w+)(?: \[([^\]]*)\] (?:running|pending)|\) asks:)/gu)];
  const open = atWork.filter(([, id = '']) => !known.hasEnded(id));
  if (open.some(([, , label = '']) => !label.startsWith('watch'))) return wait();
  return open.length > 0 ? open.map(([, agent_id]) => ({ name: 'cancel_agent', args: { agent_id } })) : [{ name: 'run_tests', args: {} }];
}

function wait(): Step {
  return [{ name: 'wait_agents', args: { mode: 'any' } }];
}

/** A sub-agent: one task. */
function edit(known: Conversation): Step {
  const { task, last } = known;
  if (task.startsWith('Watch the tests')) return [{ name: last?.name === 'run_tests' ? 'wait_for_change' : 'run_tests', args: {} }];

  const [, doomed] = /^Delete ([^\s,]+)/u.exec(task) ?? [];
  if (doomed !== undefined) return last?.result ?? [{ name: 'delete_file', args: { path: doomed } }];

  const [, find = '', given, places = ''] = /^Rename `(\w+)` (?:to `(\w+)` )?in ([^`]+?)(?: to something clearer)?\.?$/u.exec(task) ?? [];
  if (find === '') return `I only rename, delete and watch. Not done: ${task}`;
  const proposed = CLEARER[find] ?? [`${find}Value`];
  const question = `Which name shall \`${find}\` have: ${proposed.map((name) => `\`${name}\``).join(' or ')}?`;
  const replace = given ?? known.resultsOf('ask_parent').at(-1);
  if (replace === undefined) return [{ name: 'ask_parent', args: { question } }];
  if (!/^\w+$/u.test(replace)) return `Not renamed: ${replace}`;
  const edited = known.resultsOf('edit_file');
  if (edited.length > 0) return edited.join(' ');
  return places.split(/,\s*/u).map((path) => ({ name: 'edit_file', args: { path, find, replace } }));
}

/** What was said and done, as the messages have it. */
class Conversation {
  readonly task: string;
  readonly uses: readonly { readonly call: ToolCall; readonly result: string }[];
  private readonly texts: readonly string[];

  constructor(messages: readonly Message[]) {
    const results = new Map(messages.flatMap((each) => (each.role === 'tool' ? [[each.id, each.content]] : [])));
    this.task = messages.find(({ role }) => role === 'user')?.content ?? '';
    this.texts = messages.flatMap((each) => (each.role === 'user' || each.role === 'tool' ? [each.content] : []));
    this.uses = messages
      .flatMap((each) => (each.role === 'assistant' ? each.calls : []))
      .map((call) => ({ call, result: results.get(call.id) ?? '' }));
  }

  get last(): { readonly name: string; readonly result: string } | undefined {
    const use = this.uses.at(-1);
    return use && { name: use.call.name, result: use.result };
  }

  resultsOf(tool: string): string[] {
    return this.uses.filter(({ call }) => call.name === tool).map(({ result }) => result);
  }

  hasEnded(id: string): boolean {
    return this.texts.some((text) => text.includes(`<subagent-output id="${id}"`) && !text.includes(`(id: ${id}) asks:`));
  }

  /** What each sub-agent has brought, by label: the text between the marks that bear its id. */
  findings(): string[] {
    return this.resultsOf('spawn_agent').map((started) => {
      const [, label = '', id = ''] = /\[(.+)\] (?:started|was started before) \(id: (sub_\w+)\)/u.exec(started) ?? [];
      const marked = new RegExp(`<subagent-output id="${id}"[^>]*>\\n([\\s\\S]*?)\\n</subagent-output`, 'gu');
      const found = this.texts.flatMap((text) => [...text.matchAll(marked)].map((match) => match[1] ?? '')).at(-1);
      return id === '' ? `- ${started}` : `- ${label}: ${found ?? 'stopped'}`;
    });
  }
}

function labelOf(task: string): string {
  const [verb = '', ...words] = task.replace(/[`:,]/gu, '').split(' ');
  return [verb.toLowerCase(), ...words.slice(0, verb === 'Watch' ? 2 : 1)].join(' ');
}

/** Names are short here: the shortest of those that are offered. */
function shortest(question: string): string {
  const offered = [...(question.split(':').at(-1) ?? '').matchAll(/`(\w+)`/gu)].map((match) => match[1] ?? '');
  return offered.sort((a, b) => a.length - b.length)[0] ?? 'as you like';
}
