// Tasks that the program drives: which of their runs wait for it, how it takes one up, and when that is refused (X6).

import { refusalOf } from './admission.mjs';
import { answer, asked, open, Refused, refuse } from './promises.mjs';
import { earlierHost, pump } from './slots.mjs';
import { openRun } from './tree.mjs';

/** Whether a queued run waits for the program. */
export function awaitsProgram({ task, started, end, isTaken }) {
  return task.isDriven && !started && !end && !isTaken;
}

/** The program takes a run up, or asks again for one that it has. */
export function start(model, { target, promise }) {
  open(model, promise);
  asked(model, promise, () => {
    const task = model.target(model.actor('p'), target);
    const run = openRun(task);
    if (!run || run.dueAt !== undefined) throw new Refused('wrong_status');
    if (!run.started && !run.isTaken) takeUp(model, run);
    if (run.started) return answer(model, promise, run.call());
    run.takers = [...(run.takers ?? []), promise];
    return undefined;
  });
}

function takeUp(model, run) {
  model.count('runs that the program took up');
  run.isTaken = true;
  model.changes++;
  const isChecked = model.options.onLimit === 'reject' && !earlierHost(run);
  const code = isChecked ? refusalOf(model, run.task, run, model.actor('p')) : undefined;
  if (!isChecked) pump(model);
  if (!code) return;
  run.isTaken = false;
  throw new Refused(code);
}

/** It has its slot: whoever asked for it has it. `call` says what the run has by now, what it saved itself included (J6). */
export function handOver(model, run, call) {
  run.call = call;
  for (const promise of run.takers ?? []) answer(model, promise, call());
  run.takers = [];
}

/** It ends before it could start. */
export function giveUpStart(model, run) {
  for (const promise of run.takers ?? []) refuse(model, promise, 'aborted');
  run.takers = [];
}
