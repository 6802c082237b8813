// What must be the same on both sides after each step. Owns the list of everything that is looked at.

import { isBlurred, isLoose } from './known-differences.mjs';
import { DIMENSIONS, each, units } from './model/amounts.mjs';
import { account, adopt } from './model/budget.mjs';
import { estimateOf, hasUsed, KINDS, kindsOf, shares } from './model/kinds.mjs';
import { canSpawn, concurrency, counts, inOrder, parkedFor, waitsFor } from './model/slots.mjs';
import { actorOf, lastRun, openRun, sessionOf, statusOf } from './model/tree.mjs';
import { doubts } from './model/usage.mjs';
import { MODELS } from './options.mjs';
import { errorAs } from './said.mjs';

/** Every difference between the package and the model, each one line; none where they agree. */
export function differences(model, driver) {
  const found = [];
  const same = (what, real, expected) => {
    const [got, wanted] = [text(real), text(expected)];
    if (got !== wanted) found.push(`${what}: is ${got}, must be ${wanted}`);
  };
  same('host functions called', driver.calls.slice(-6), model.calls.slice(-6));
  same('number of calls', driver.calls.length, model.calls.length);
  same('signals fired', [...driver.aborts].sort(), [...model.aborts].sort());
  same('errors told', driver.errors, []);
  same('models without a price', driver.unpriced, model.toldUnpriced);
  compareCosts(model, driver, same);
  same('sessions missing', [...(driver.missing?.sessions ?? [])].sort(), model.missing?.sessions ?? []);
  same('definitions missing', [...(driver.missing?.agents ?? [])].sort(), model.missing?.agents ?? []);
  for (const line of model.complaints) found.push(line);
  // Each is read once: nothing changes while this looks.
  const shown = new Map([...model.tasks.keys()].map((name) => [name, driver.task(name)]));
  compareTasks(model, driver, shown, same);
  compareFigures(model, driver, same);
  compareBudgets(model, driver, shown, same);
  compareInboxes(model, driver, same);
  for (const [name, expected] of model.promises) {
    if (!isLoose(model, name) && !saysEnded(driver.promises.get(name), expected))
      same(`promise ${name}`, driver.promises.get(name), expected);
  }
  return found;
}

function compareTasks(model, driver, shown, same) {
  for (const task of model.tasks.values()) {
    const real = shown.get(task.name);
    if (task.forgotten) {
      same(task.name, real.gone, 'forgotten');
      continue;
    }
    const run = lastRun(task);
    const open = openRun(task);
    const expected = {
      status: statusOf(task),
      parked: open ? parkedFor(open) : null,
      run: run?.number ?? 0,
      turns: run?.turns ?? 0,
      queueSize: task.queue.length,
      hostStillRunning: task.runs.some((one) => one.started && one.end && !one.hostReturned),
      spent: task.spent,
      waitingFor: waitsFor(model, task),
    };
    if (open) expected.cancelRequested = open.stop !== undefined;
    if (!open) Object.assign(expected, { stopReason: task.reason ?? null, undelivered: [...(task.unheard ?? [])].sort() });
    if (run?.end) Object.assign(expected, { output: run.end.output, partial: run.end.partial, usage: run.spent });
    if (run?.end) expected.value = run.end.value ?? null;
    if (run?.started) expected.kinds = { ...kindsOf(run.of.tally), estimated: run.of.tally.estimated };
    if (run?.end && run.started) expected.doubts = doubts(run);
    if (driver.disk) Object.assign(expected, placeOf(driver, task));
    if (run?.end && run.end.error !== undefined) expected.error = run.end.error;
    if (task.late !== undefined) expected.late = task.late;
    for (const field of Object.keys(expected)) if (isBlurred(field, task)) delete expected[field];
    same(
      task.name,
      Object.fromEntries(
        Object.keys(expected).map((field) => {
          if (field === 'spent') return [field, each((dimension) => units({ [dimension]: real.budget?.[dimension].spent })[dimension])];
          if (field === 'doubts') return [field, doubtsOf(real.usage)];
          if (field === 'kinds') return [field, { ...kindsIn(real.usage), estimated: real.usage.estimated }];
          if (field === 'usage') return [field, units(real.usage)];
          if (field === 'undelivered') return [field, [...(real.undelivered ?? [])].sort()];
          if (field === 'error') return [field, errorAs(real.error)];
          if (field === 'late') return [field, errorAs(real.lateResult)];
          return [field, real[field]];
        }),
      ),
      expected,
    );
  }
}

function kindsIn(usage) {
  return Object.fromEntries(KINDS.map((kind) => [kind, usage[kind]]));
}

function doubtsOf({ unknown, invalid }) {
  const counted = (names) => DIMENSIONS.filter((dimension) => names.includes(dimension));
  return { unknown: counted(unknown), invalid: counted(invalid) };
}

/** What no restart changes. */
function placeOf(driver, task) {
  const { parent, depth, background } = task;
  return {
    label: task.label,
    depth,
    background,
    parentId: parent.kind === 'task' ? driver.idOf(parent.name) : null,
    sessionKey: sessionOf(task).key,
  };
}

function compareBudgets(model, driver, shown, same) {
  for (const run of model.begun) {
    const amounts = each((dimension) => ownHold(shown, run.task, dimension));
    model.adopted?.push({ run: `${run.task.name}#${run.number}`, amounts });
    adopt(model, run, amounts);
  }
  for (const dimension of DIMENSIONS) {
    const sameAccount = (what, real, node) => {
      const [is, must] = [accountOf(real?.[dimension], dimension), account(node, dimension)];
      if (Object.keys(must).some((field) => is[field] !== must[field])) same(`${dimension} in ${what}`, is, must);
    };
    sameAccount('budget()', driver.manager.budget(), model.root);
    for (const session of model.sessions.values()) {
      if (!session.closed && !session.absent)
        sameAccount(`budget of ${session.key}`, driver.manager.budget(driver.scopes.get(`s:${session.key}`)), session);
    }
    for (const task of model.tasks.values()) {
      if (!task.forgotten) sameAccount(`budget of ${task.name}`, shown.get(task.name).budget, task);
    }
  }
}

/** What was spent by model and by agent: as it must be, and adding up to the ledger (B2, B11). */
function compareCosts(model, driver, same) {
  const costs = driver.manager.costs();
  const real = (share) => rowOf({ ...share, ...units(share), kinds: kindsIn(share), isUnpriced: share.unpriced });
  for (const [list, by] of [
    ['byModel', 'model'],
    ['byAgent', 'agent'],
  ]) {
    const rows = costs[list].map(real);
    same(`costs().${list}`, listed(rows), listed(shares(model, by).map(rowOf)));
    const sum = (field) => rows.reduce((all, row) => all + row[field], 0);
    same(`the sums in costs().${list}`, { tokens: sum('tokens'), costUsd: sum('costUsd'), turns: sum('turns') }, inAll(costs));
  }
  for (const modelId of MODELS) {
    const { basis, tokens, costUsd } = driver.manager.estimate([{ modelId }]);
    same(
      `estimate() of ${modelId}`,
      { basis, tokens, costUsd: costUsd === null ? null : units({ costUsd }).costUsd },
      estimateOf(model, modelId),
    );
  }
  same('costs() in all', inAll(costs), { ...model.root.spent, turns: turnsOf(model) });
  const ofItself = ({ key, used, of: { tally } }) => ({ ...tally, name: key, ...used, kinds: kindsOf(tally), turns: 0, runs: 0 });
  const sessions = [model.home, ...model.sessions.values()].filter(({ closed }) => !closed);
  same('costs().mainAgents', listed(costs.mainAgents.map(real)), listed(sessions.map(ofItself).filter(hasUsed).map(rowOf)));
}

function rowOf({ name, tokens, costUsd, turns, runs, kinds, estimated, isUnpriced }) {
  return { name, tokens, costUsd, turns, runs, ...kinds, estimated, unpriced: isUnpriced };
}

function inAll(costs) {
  return { ...units(costs), turns: costs.turns };
}

function listed(rows) {
  return [...rows].sort((one, other) => (text(one) < text(other) ? -1 : 1));
}

function turnsOf(model) {
  return [...model.costs.values()].reduce((sum, { turns }) => sum + turns, 0);
}

function ownHold(shown, task, dimension) {
  const held = (one) => units({ [dimension]: shown.get(one.name).budget?.[dimension].reserved ?? 0 })[dimension];
  return task.children.filter((child) => !child.forgotten).reduce((rest, child) => rest - held(child), held(task));
}

function accountOf(budget, dimension) {
  const { cap, spent, reserved, available, overspent } = budget ?? {};
  const whole = (amount) => units({ [dimension]: amount })[dimension];
  return { cap: whole(cap), spent: whole(spent), reserved: whole(reserved), available: whole(available), overspent: whole(overspent) };
}

function compareFigures(model, driver, same) {
  const info = driver.manager.getConcurrencyInfo();
  info.waitingFor = inOrder(info.waitingFor);
  const expected = concurrency(model);
  same('getConcurrencyInfo()', Object.fromEntries(Object.keys(expected).map((field) => [field, info[field]])), expected);
  const stats = driver.manager.stats();
  const states = counts(model);
  same('stats()', Object.fromEntries(Object.keys(states).map((field) => [field, stats[field]])), states);
  same(
    'stats().total',
    stats.total,
    Object.values(states).reduce((sum, count) => sum + count, 0),
  );
  same('what stats() say is spent', units({ tokens: stats.tokensSpent, costUsd: stats.costSpentUsd }), model.root.spent);
  for (const [by, scope] of driver.scopes) {
    const actor = actorOf(model, by);
    if (actor.run?.end || actor.run?.returned || actor.node.closed) continue;
    const wanted = canSpawn(model, actor);
    if (wanted !== undefined) same(`canSpawn() of ${by}`, scope.canSpawn(), wanted);
  }
}

function compareInboxes(model, driver, same) {
  for (const by of driver.scopes.keys()) {
    const actor = actorOf(model, by);
    if (actor.run && (actor.run.end || actor.run.stop || actor.run.returned)) continue;
    if (actor.node.closed) continue;
    const [real, expected] = [driver.inbox(by), model.inboxOf(actor.node)];
    same(`inbox of ${by}`, sorted(real), sorted(expected));
    const ends = straight(model, real);
    same(
      `inbox of ${by}, oldest first`,
      ends,
      [...ends].sort((a, b) => a - b),
    );
  }
}

function sorted(notices) {
  return Array.isArray(notices) ? [...notices].sort((a, b) => (a.end < b.end ? -1 : 1)) : notices;
}

/** When those ended that came to whom they were for. A handed-on one may stand before or after. */
function straight(model, notices) {
  return Array.isArray(notices) ? notices.filter((notice) => notice.from === null).map((notice) => model.runOf(notice.end)?.end?.at) : [];
}

/** A refused turn may say that the run has ended in place of why. */
function saysEnded(real, expected) {
  return expected.value?.go === false && real?.value?.go === false && real.value.reason === 'actor_ended';
}

/** As JSON has it, but infinity is not nothing. */
function text(value) {
  return JSON.stringify(value, (_, inner) => (inner === Number.POSITIVE_INFINITY ? 'Infinity' : inner));
}
