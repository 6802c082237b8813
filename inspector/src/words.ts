// An event in one line: its subject, and the most important fields.

import type { SubAgentEvent } from 'subagents/view';
import { count, counted, duration, kindsText, line, words } from './format.js';

/** Fields that every event has, or that mean nothing to a reader. */
const LEFT_OUT = new Set([
  'type',
  'seq',
  'at',
  'label',
  'parentId',
  'metadata',
  'taskId',
  'sessionKey',
  'rank',
  'round',
  'loans',
  'unanswerable',
  'spec',
  'once',
  'reserved',
]);

const named = (event: { readonly label?: string | null }): string => (typeof event.label === 'string' ? line(event.label, 60) : '');

export function textOf(event: SubAgentEvent): string {
  const name = 'label' in event ? named(event) : '';
  const rest = sayingOf(event);
  return [name, rest].filter((part) => part !== '').join(' · ');
}

function sayingOf(event: SubAgentEvent): string {
  switch (event.type) {
    case 'task_admitted':
      return line(event.text, 200);
    case 'run_queued':
      return event.waitingFor === null ? '' : `waits for ${words(event.waitingFor)}`;
    case 'run_parked':
      return words(event.why);
    case 'turn_started':
      return `turn ${event.turn}${event.wrapUp ? ', to wrap up' : ''}`;
    case 'run_reported':
      return [counted(event.usage.tokens, 'token', count), line(event.message ?? '', 200)].filter((part) => part !== '').join(': ');
    case 'tokens_used':
      return [kindsText(event.kinds, count), line(event.modelId ?? '', 60)].filter((part) => part !== '').join(': ');
    case 'run_ended':
      return [words(event.status), event.stopReason === 'finished' ? '' : words(event.stopReason), line(event.error ?? event.output, 200)]
        .filter((part) => part !== '')
        .join(': ');
    case 'tool_began':
      return line(event.tool, 80);
    case 'message_queued':
      return line(event.text, 200);
    case 'question_asked':
      return line(event.question, 200);
    case 'question_closed':
      return event.answer === null ? 'without an answer' : line(event.answer, 200);
    case 'policy_answered':
      return [line(event.policy, 40), words(event.answer), line(event.text, 200)].join(': ');
    case 'run_started':
      return `run ${event.run}`;
    case 'stop_requested':
      return words(event.stopReason);
    case 'notice_moved':
      return words(event.delivery);
    case 'limit_set':
      return `${line(event.limit, 60)} = ${event.value}`;
    case 'cooldown_set':
      return `${line(event.key, 60)} for ${duration(event.until - event.at)}`;
    default:
      return plain(event);
  }
}

function plain(event: SubAgentEvent): string {
  const said = Object.entries(event).filter(
    ([name, value]) =>
      !LEFT_OUT.has(name) && value !== null && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return said.map(([name, value]) => `${name} ${line(typeof value === 'object' ? JSON.stringify(value) : String(value), 80)}`).join(', ');
}
