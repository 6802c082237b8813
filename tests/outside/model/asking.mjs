// Questions: a run that asks stands still until it is answered, its time is over, or it is asked to stop; those who wait for it get
// the question, else the next turn of the run that asked for it (M5).

import { answer, open, refuse } from './promises.mjs';
import { park, unpark } from './slots.mjs';
import { openRun } from './tree.mjs';
import { keep } from './turns.mjs';
import { closeForQuestion } from './waits.mjs';

/** A run asks; the promise of that name has its answer. */
export function ask(model, run, { text, timeoutMs = model.options.askTimeoutMs, promise }) {
  open(model, promise);
  if (run.end) return refuse(model, promise, 'actor_ended');
  if (run.question) return refuse(model, promise, 'wrong_status');
  if (run.stop || model.sealed(run.task)) return end(model, run, promise, { answered: false, reason: 'stopped' });
  const [kept] = run.replies ?? [];
  if (kept?.question === text) {
    model.count('questions that an attempt before had asked');
    run.replies.shift();
    model.changes++;
    return answer(model, promise, { answered: true, answer: kept.answer });
  }
  model.count('questions');
  run.question = { text, promise, until: model.now + timeoutMs };
  park(model, run, 'input');
  const requester = run.task.parent.kind === 'task' ? openRun(run.task.parent) : undefined;
  const received = closeForQuestion(model, run);
  if (received.length > 0) model.count('questions that ended waits');
  if (run.task.parent.kind === 'task' && !(requester && received.includes(requester))) askersOf(run).push(run.task);
  return undefined;
}

/** Questions of which the run above has not been notified. */
function askersOf({ task: { parent } }) {
  parent.askers ??= [];
  return parent.askers;
}

/** The run above knows of it now: it wanted to wait, or its turn was notified. */
export function noteTold(node, task) {
  if (node.askers) node.askers = node.askers.filter((asker) => asker !== task);
}

/** What a turn of a task's run gets of its sub-agents' questions. */
export function tellQuestions(task) {
  const reported = (task.askers ?? []).map((asker) => asker.name);
  task.askers = [];
  return reported;
}

/** Reports what came of a question; of a run that a drain leaves to the next process nothing came (D8). */
function end(model, run, promise, said) {
  if (run.isLeft && said.reason === 'stopped') return refuse(model, promise, 'aborted');
  return answer(model, promise, said);
}

/** Its question is over: it has an answer, or none; a run that goes on does so now. */
export function endQuestion(model, run, said) {
  if (!run.question) return;
  end(model, run, run.question.promise, said);
  run.question = undefined;
  noteTold(run.task.parent, run.task);
  model.changes++;
  unpark(model, run, 'input');
}

/** A message to one that asks is its answer, in whatever mode (M5). */
export function answerWith(model, run, text) {
  model.count('questions answered');
  const { text: question } = run.question;
  keep(model, run, [{ text: `You asked before: ${question}\nThe answer was: ${text}`, question, answer: text }]);
  endQuestion(model, run, { answered: true, answer: text });
  return 'delivered';
}

export function expireQuestion(model, run) {
  model.count('questions whose time ran out');
  endQuestion(model, run, { answered: false, reason: 'timeout' });
}

/** The run stops, or is over: nobody answers any more. */
export function giveUpQuestion(model, run) {
  if (run.question) model.count('questions that ended with their run');
  endQuestion(model, run, { answered: false, reason: 'stopped' });
}

/** Its process is gone, and the host function that would have had the answer. */
export function forgetQuestion(model, run) {
  if (!run.question) return;
  model.count('questions that a restart cut off');
  run.question = undefined;
  noteTold(run.task.parent, run.task);
}
