// What the scenarios act out that the extractive model can't: the lead of several teams, an author who asks and publishes.
// Each reads the conversation alone, so the same messages give the same step.

import { field } from '../../examples/ask/src/model/evidence.js';
import type { Message, ToolSpec } from '../../examples/coding/src/model.js';

export interface ScriptedStep {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
}

/** The next step of a scripted part; undefined where the messages are no such part. */
export function scripted(messages: readonly Message[], tools: readonly ToolSpec[]): ScriptedStep | undefined {
  const task = messages.find(({ role }) => role === 'user')?.content ?? '';
  if (/^Teams:$/mu.test(task)) return lead(task, messages, tools);
  if (task.startsWith('Publish:')) return author(messages, tools);
  // A sub-agent with no turn left says what it has.
  return undefined;
}

/** One sub-agent for each line below `Teams:`, then all that they found. */
function lead(task: string, messages: readonly Message[], tools: readonly ToolSpec[]): ScriptedStep {
  const results = messages.filter((message) => message.role === 'tool');
  if (results.length > 0) return { text: results.map(({ content }) => content).join('\n\n'), calls: [] };
  const delegate = tools.find(({ name }) => name === 'SubAgent');
  if (delegate === undefined) return { text: 'There is no tool to delegate with.', calls: [] };
  const teams = [...task.matchAll(/^- (.+?): (.+)$/gmu)];
  return {
    text: `${teams.length === 1 ? '1 team' : `${teams.length} teams`}: a lead for each.`,
    calls: teams.map(([, team, documents]) => ({
      name: delegate.name,
      args: { instructions: `Team: ${team}\nDocuments: ${documents}\nQuestion: ${field(task, 'Question') ?? ''}` },
    })),
  };
}

/** Asks for whom, writes, publishes once it may, and says so. */
function author(messages: readonly Message[], tools: readonly ToolSpec[]): ScriptedStep {
  const has = (name: string): boolean => tools.some((tool) => tool.name === name);
  const answers = messages.filter((message) => message.role === 'tool').map(({ content }) => content);
  const [audience, , published] = answers;
  if (audience === undefined && has('ask')) {
    return { text: 'I have to know for whom.', calls: [{ name: 'ask', args: { question: 'Who is the notice for: crews or visitors?' } }] };
  }
  if (answers.length === 1) return { text: `It is for: ${audience}`, calls: [{ name: 'read', args: { path: 'crane-rules.md' } }] };
  if (answers.length === 2 && has('publish')) {
    return { text: 'The notice is written.', calls: [{ name: 'publish', args: { title: 'Permits for the crane', audience } }] };
  }
  return { text: published ?? 'Nothing was published.', calls: [] };
}
