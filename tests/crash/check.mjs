// Holds the log of a killed program against the rules: what was acknowledged is there (J1), what happens once happened once
// (L2, N1, N2), what is spent is conserved at every node (B2), and what was in flight goes on (J3). Knows the rules, the
// program's log, and the events of the journal as they are documented; nothing of how they are made.

/** What the program says that a turn needs. */
const TURN_TOKENS = 50;
const ENDED = ['completed', 'failed', 'timed_out', 'cancelled', 'interrupted', 'closed'];
const runOf = ({ taskId, run }) => `${taskId}#${run}`;

/** The faults of a log: of what can be said after the kill that it ends with, or at its end. */
export function faultsOf(lines, { durability, onHostLost, capped }) {
  const faults = [];
  const fault = (rule, text) => faults.push(`${rule} ${text}`);
  const of = (what) => lines.filter((line) => line.what === what);
  const isSync = durability === 'sync';
  // A life whose manager was opened has read all that lay in the store before.
  const lives = new Set(of('opened').map(({ life }) => life));
  const lastRead = Math.max(-1, ...lives, ...of('over').map(({ life }) => life + 0.5));
  const compacted = Math.max(0, ...of('journal').map(({ from }) => from));
  const found = new Map();
  for (const event of of('found')) {
    if (found.has(event.seq)) fault('J1', `event ${event.seq} was found twice`);
    found.set(event.seq, event);
  }
  const events = [...found.values()].sort((one, other) => one.seq - other.seq);
  for (const [at, { seq }] of events.entries())
    if (at > 0 && seq - 1 > compacted && events[at - 1].seq !== seq - 1) fault('J1', `event ${seq - 1} is missing`);
  // What was compacted before it was ever read is known by what came of it only.
  const isComplete = events.every(({ seq }, at) => seq === at + 1) && events.length >= compacted;

  const acknowledged = acknowledgedOf(lines, isSync);
  for (const event of acknowledged) {
    if (event.life >= lastRead || (event.seq <= compacted && !found.has(event.seq))) continue;
    const { what, life, ...told } = event;
    const { what: _, life: __, ...kept } = found.get(event.seq) ?? {};
    if (JSON.stringify(told) !== JSON.stringify(kept)) fault('J1', `told was ${JSON.stringify(told)}, kept is ${JSON.stringify(kept)}`);
  }

  checkEnds(events, acknowledged, fault);
  checkHosts(lines, { events, isSync, isComplete, lastRead, onHostLost }, fault);
  checkNotices(lines, { events, acknowledged, isSync }, fault);
  const used = usedBy(events);
  for (const view of [...of('opened'), ...of('ended')])
    checkView(view, lines, usedBy(acknowledged.filter(({ life }) => life < view.life)), fault);
  checkUse(lines, events, capped, fault);
  for (const view of of('ended')) checkEnd(view, lines, isComplete ? used : undefined, fault);
  return faults;
}

/** The events that were delivered and are acknowledged by that, or by a flush that was called after them. */
function acknowledgedOf(lines, isSync) {
  if (isSync) return lines.filter(({ what }) => what === 'told');
  const done = new Set(lines.flatMap(({ what, life, flush }) => (flush !== undefined && what !== 'flush' ? [`${life}.${flush}`] : [])));
  const acknowledged = [];
  let waiting = [];
  for (const line of lines) {
    if (line.what === 'opened') waiting = [];
    if (line.what === 'told') waiting.push(line);
    if (line.what === 'flush' && done.has(`${line.life}.${line.flush}`)) acknowledged.push(...waiting.splice(0));
  }
  return acknowledged;
}

function checkEnds(events, acknowledged, fault) {
  for (const [where, list] of [
    ['in the journal', events],
    ['as it was told', acknowledged],
  ]) {
    const over = new Set();
    for (const event of list) {
      if (event.type !== 'run_ended' && event.type !== 'run_retried') continue;
      if (over.has(runOf(event))) fault('L2', `${runOf(event)} ended twice ${where}`);
      over.add(runOf(event));
    }
  }
}

function checkHosts(lines, { events, isSync, isComplete, lastRead, onHostLost }, fault) {
  const started = new Set(events.filter(({ type }) => type === 'run_started').map(runOf));
  const checkpoints = new Map();
  const called = new Set();
  const over = new Set();
  for (const line of lines) {
    const { what, taskId, life } = line;
    if (what === 'found' && ['run_ended', 'run_retried'].includes(line.type)) over.add(runOf(line));
    if (what === 'checkpoint' || what === 'checkpointed') {
      const about = checkpoints.get(taskId) ?? { intended: 0, kept: 0 };
      about[what === 'checkpoint' ? 'intended' : 'kept'] = line.turn;
      checkpoints.set(taskId, about);
    }
    if (what !== 'host') continue;
    if (over.has(runOf(line))) fault('L2', `the host function of ${runOf(line)} was called after its end`);
    if (!isSync) continue;
    // Its start was kept before, so that the next process knows of it, and begins another run.
    if (called.has(runOf(line))) fault('J3', `the host function of ${runOf(line)} was called twice`);
    called.add(runOf(line));
    if (isComplete && life < lastRead && !started.has(runOf(line))) fault('J1', `${runOf(line)} was called, and its start is not there`);
    const { intended = 0 } = checkpoints.get(taskId) ?? {};
    const turn = line.checkpointed?.turn ?? 0;
    if (turn > intended) fault('J3', `${runOf(line)} goes on from a checkpoint that was never made`);
    const lost = events.some(
      (event) => event.taskId === taskId && event.run === line.run - 1 && event.type === 'run_retried' && event.stopReason === 'host_lost',
    );
    const before = lines
      .filter((other) => other.what === 'checkpointed' && other.taskId === taskId && other.run === line.run - 1 && other.life < life)
      .at(-1);
    if (lost && onHostLost === 'resume' && before !== undefined && turn < before.turn)
      fault('J3', `${runOf(line)} goes on from turn ${turn}, and ${before.turn} was acknowledged`);
    if (onHostLost === 'requeue' && lost && line.checkpointed !== null) fault('J3', `${runOf(line)} was to begin anew`);
  }
}

function checkNotices(lines, { events, acknowledged, isSync }, fault) {
  const background = new Set(events.filter(({ type, background }) => type === 'task_admitted' && background).map(({ taskId }) => taskId));
  for (const event of events)
    if (event.type === 'run_ended' && background.has(event.taskId) && event.notice === null)
      fault('N1', `${runOf(event)} ended without a notice`);
  const ids = new Map();
  const runs = new Map();
  const acked = new Set();
  // An end that was lost with its records is decided anew, and has another id (A7). One that was kept has the same in every
  // life from the one on that acknowledged or found it.
  const keptSince = new Map();
  for (const event of [...acknowledged, ...events]) {
    if (event.type !== 'run_ended') continue;
    keptSince.set(runOf(event), Math.min(event.life, keptSince.get(runOf(event)) ?? event.life));
  }
  const isKept = (about) => isSync || about.life >= (keptSince.get(runOf(about)) ?? Number.POSITIVE_INFINITY);
  const endOf = (about) => (isKept(about) ? runOf(about) : `${about.life} ${runOf(about)}`);
  for (const { what, deliveryId, isFirst, ...about } of lines) {
    if (what === 'leased') {
      if ((ids.get(deliveryId) ?? runOf(about)) !== runOf(about)) fault('N1', `${deliveryId} stands for two ends`);
      if ((runs.get(endOf(about)) ?? deliveryId) !== deliveryId) fault('N1', `${runOf(about)} has two notices`);
      ids.set(deliveryId, runOf(about));
      runs.set(endOf(about), deliveryId);
      if (acked.has(deliveryId)) fault('N2', `${deliveryId} was delivered after it was acknowledged`);
    }
    if (what === 'acked' && isFirst) {
      if (acked.has(deliveryId)) fault('N2', `${deliveryId} was acknowledged twice`);
      acked.add(deliveryId);
    }
    if (what === 'opened' || what === 'ended')
      for (const notice of about.notices) if (acked.has(notice.deliveryId)) fault('N2', `${notice.deliveryId} waits, and was acknowledged`);
  }
  const moved = events.filter(({ type, delivery }) => type === 'notice_moved' && delivery === 'acked').map(runOf);
  if (new Set(moved).size !== moved.length) fault('N2', 'a notice was acknowledged twice in the journal');
}

/** Tokens that each run of each task has used in all, by the last event that says so. */
function usedBy(events) {
  const used = new Map();
  for (const { taskId, run, tokens } of events) {
    if (tokens === undefined || !(run > 0)) continue;
    const runs = used.get(taskId) ?? new Map();
    runs.set(run, tokens);
    used.set(taskId, runs);
  }
  return used;
}

const sum = (numbers) => [...numbers].reduce((total, number) => total + number, 0);

/** One look at all tasks: what was acknowledged before is in it, and the ledger adds up; `known` is what was reported of its use. */
function checkView({ what, life, tasks, spent }, lines, known, fault) {
  const place = `as life ${life} ${what}`;
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  const keys = tasks.flatMap(({ key }) => (key === undefined ? [] : [key]));
  if (byId.size !== tasks.length || new Set(keys).size !== keys.length) fault('D7', `a task is there twice ${place}`);
  const before = lines.slice(
    0,
    lines.findIndex((line) => line.what === what && line.life === life),
  );
  for (const line of before) {
    const task = byId.get(line.taskId);
    if (line.what === 'spawned' && task?.key !== line.key) fault('J1', `the task of ${line.key} is gone ${place}`);
    if (line.what === 'cancelled' && task?.status !== line.status && !['completed', 'pending', 'running'].includes(line.status))
      fault('J1', `${line.taskId} was told to be ${line.status} and is ${task?.status} ${place}`);
  }
  for (const { taskId, parentId, ...task } of tasks) {
    const below = tasks.filter((other) => other.parentId === taskId);
    const own = task.spent - sum(below.map((other) => other.spent));
    if (parentId !== null && !byId.has(parentId)) fault('J1', `the parent of ${taskId} is gone ${place}`);
    const least = sum(known.get(taskId)?.values() ?? []);
    if (own < least) fault('B2', `${taskId} has spent ${own} itself, and ${least} was told, ${place}`);
    const raised = (which) => 100 * before.filter((line) => line.what === which && line.taskId === taskId).length;
    if (task.cap !== null && (task.cap < 2_000 + raised('raised') || task.cap > 2_000 + raised('raise')))
      fault('B1', `${taskId} has a cap of ${task.cap} ${place}`);
  }
  const tops = sum(tasks.filter(({ parentId }) => parentId === null).map((task) => task.spent));
  if (tops !== spent) fault('B2', `the manager has spent ${spent}, what it started ${tops}, ${place}`);
}

/** What a run has used by the journal lies between what the program was notified of, and what it set out to report. */
function checkUse(lines, events, capped, fault) {
  const intended = new Map();
  const returned = new Map();
  for (const line of lines) {
    if (line.what === 'report') intended.set(runOf(line), line.used);
    if (line.what === 'ending') returned.set(runOf(line), line.used);
  }
  const tasks = new Map((lines.findLast(({ tasks }) => tasks !== undefined)?.tasks ?? []).map((task) => [task.taskId, task]));
  const hasNoCap = (taskId) => {
    const task = tasks.get(taskId);
    return task !== undefined && task.cap === null && (task.parentId === null || hasNoCap(task.parentId));
  };
  for (const event of events) {
    if (event.type === 'run_ended' && event.status === 'completed' && event.tokens !== returned.get(runOf(event)))
      fault('B6', `${runOf(event)} returned ${returned.get(runOf(event))} tokens, and ${event.tokens} are booked`);
    // A run that is lost is booked with the turn that it was in; where a cap is above it, with all that was set aside for it.
    const most = (intended.get(runOf(event)) ?? 0) + TURN_TOKENS;
    if (!capped && hasNoCap(event.taskId) && event.tokens > most)
      fault('B6', `${runOf(event)} has used ${event.tokens}, more than ${most}`);
  }
}

/** The last look: all has ended, nothing is reserved, every notice is acknowledged, and the ledger is exact. */
function checkEnd({ tasks, notices, spent, reserved }, lines, used, fault) {
  const refused = new Set(lines.filter(({ what }) => what === 'refused').map(({ key }) => key));
  if (reserved !== 0) fault('B2', `${reserved} tokens are reserved, and nothing runs`);
  if (notices.length > 0) fault('N2', `${notices.length} notices are left`);
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  for (const { what, key } of lines)
    if (what === 'spawn' && !byKey.has(key) && !refused.has(key)) fault('J1', `what was asked for as ${key} is not there`);
  for (const task of tasks) {
    const { taskId, key, status, output } = task;
    if (!ENDED.includes(status)) fault('J3', `${taskId} is ${status} at the end`);
    if (status === 'completed' && output !== `${key} is done`) fault('J1', `${taskId} has the output ${output}`);
    if (task.reserved !== 0) fault('B2', `${taskId} holds ${task.reserved} at the end`);
    if (used === undefined) continue;
    const own = task.spent - sum(tasks.filter(({ parentId }) => parentId === taskId).map((other) => other.spent));
    const booked = sum(used.get(taskId)?.values() ?? []);
    if (own !== booked) fault('B2', `${taskId} has spent ${own} itself, and its runs ${booked}`);
  }
  if (used !== undefined && sum([...used.values()].flatMap((runs) => [...runs.values()])) !== spent)
    fault('B2', 'the manager has spent another sum than all runs');
}

/** What was in flight when a life was killed. */
export function inFlight(lines, life) {
  const of = (what) => lines.filter((line) => line.life === life && line.what === what);
  const reported = new Set([...of('told')].filter(({ type }) => type === 'run_ended').map(runOf));
  const kinds = [];
  if (of('append').length > of('appended').length) kinds.push('append');
  if (of('compact').length > of('compacted').length) kinds.push('compaction');
  if (of('ending').some((line) => !reported.has(runOf(line)))) kinds.push('end');
  if (of('opened').length === 0) kinds.push('opening');
  return kinds;
}
