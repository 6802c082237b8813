// `run.ask` as a tool: a sub-agent's model asks the one that gave it its task (M5). Owns the text for each end of a
// question; the core has the texts.

import { invalid } from '../base/errors.js';
import type { Parts } from '../commands/parts.js';
import { ASK_TOOL } from '../generated/params.js';
import type { AskAnswer } from '../reading/exchange.js';
import { attempted, type OperationDetails } from './attempt.js';
import { checkFields, type Field, notDone, schemaOf } from './fields.js';
import { type AgentTool, toolObject } from './object.js';

/** The parts of a run that this tool needs. */
interface Asker {
  readonly taskId: string;
  ask(question: string): Promise<AskAnswer>;
}

const { question } = ASK_TOOL.parameters.properties;
const FIELDS: readonly Field[] = [{ means: 'question', name: 'question', schema: question, required: true }];

/** Makes the tool for a run. A manager or a session has no agent above it, so it is refused there. */
export function askTool(runtime: Parts, scope: object, name: string): AgentTool<{ question: string }, OperationDetails> {
  if (!('ask' in scope)) throw invalid('`ask`', 'left out where the tools are not those of a run', true);
  const asker = scope as Asker;
  const check = (args: unknown): ReturnType<typeof checkFields> => checkFields(FIELDS, args);
  return toolObject<{ question: string }, OperationDetails>(runtime, {
    operation: 'ask',
    name,
    label: ASK_TOOL.label,
    description: ASK_TOOL.description,
    schema: schemaOf(FIELDS),
    fields: FIELDS,
    check: (args) => check(args) as { params: { question: string } } | { mistakes: string[] },
    async call(args) {
      runtime.check();
      const checked = check(args);
      const about: OperationDetails = { operation: 'ask', taskIds: [asker.taskId], ok: false };
      if ('mistakes' in checked) return { text: notDone(checked), details: about };
      let answered = false;
      const { text, details } = await attempted(runtime, 'ask', {}, async () => {
        const reply = await asker.ask(checked.params.question as string);
        answered = reply.answered;
        return reply.answered ? reply.answer : ASK_TOOL.unanswered[reply.reason];
      });
      return { text, details: { ...about, ok: details.ok && answered } };
    },
    detailsOf: ({ taskId }) => ({ operation: 'ask', taskIds: [taskId], ok: true }),
  });
}
