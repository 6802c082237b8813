// A list of policies, asked in order. Owns which answer counts, and that a policy that fails closes a gate and opens an
// observer, and is reported to the program (P1). The core decides the effect of the answer.

import { describe, invalid, messageOf } from '../base/errors.js';
import { onOneLine } from '../base/quoting.js';
import { wellFormed } from '../base/text.js';
import { type PolicyAnswerName, type PolicyPoint, STOP_REASONS, type StopReason } from '../generated/names.js';
import { TASK_CHARS } from '../generated/quoting.js';
import { listOf, objectOf, propertyOf, readArgument, textOf, unknownField } from '../options/arguments.js';
import { strings } from '../options/values.js';
import { type Agent, type Extra, type Outcome, UNANSWERED, type Verdict } from './agent.js';
import type { Policy, PolicyContext } from './policy.js';

const METHODS = {
  before_spawn: 'beforeSpawn',
  before_start: 'beforeStart',
  before_turn: 'beforeTurn',
  before_tool: 'beforeTool',
  after_tool: 'afterTool',
  before_end: 'beforeEnd',
  on_timeout: 'onTimeout',
} as const satisfies Record<PolicyPoint, keyof Policy>;

/** The fields with which a policy acts. */
const DOING: readonly string[] = ['blockedTools', ...Object.values(METHODS)];
const FIELDS: readonly string[] = ['name', ...DOING];

/** The answers that a point takes. */
const TAKEN: Readonly<Record<PolicyPoint, readonly PolicyAnswerName[]>> = {
  before_spawn: ['inject', 'block', 'finish'],
  before_start: ['inject', 'block', 'finish'],
  before_turn: ['inject', 'block', 'finish'],
  before_tool: ['inject', 'block', 'finish'],
  after_tool: ['inject', 'block', 'finish'],
  before_end: ['inject', 'force_turn', 'block', 'finish'],
  on_timeout: ['inject', 'finish'],
};

interface PolicyQuestion {
  readonly name: string;
  ask(context: PolicyContext & Extra): unknown;
}

export class PolicyList {
  /** Tools that the policies block for the whole set. */
  readonly blockedTools: readonly string[];
  readonly #asked = new Map<PolicyPoint, PolicyQuestion[]>();

  constructor(what: string, policies: readonly Policy[] | undefined) {
    const names = new Map<string, number>();
    const blocked = new Set<string>();
    for (const { policy, place } of policiesOf(what, policies)) {
      const given = nameIn(policy, place);
      const count = (names.get(given) ?? 0) + 1;
      names.set(given, count);
      this.#add(policy, place, count === 1 ? given : `${given}#${count}`);
      const tools = strings(within(place, 'blockedTools'), partOf(policy, place, 'blockedTools'));
      for (const tool of tools ?? []) blocked.add(tool);
    }
    this.blockedTools = [...blocked];
  }

  #add(policy: Policy, place: string, name: string): void {
    const unknownName = readArgument(place, () => unknownNameIn(policy));
    if (unknownName !== undefined) throw unknownField('a policy', unknownName, FIELDS);
    // An undefined field counts: the program sets it at other times.
    if (!readArgument(place, () => DOING.some((field) => field in policy)))
      throw invalid(place, `a policy with at least one of ${DOING.join(', ')}`, policy);
    for (const [point, key] of Object.entries(METHODS) as [PolicyPoint, (typeof METHODS)[PolicyPoint]][]) {
      const method = partOf(policy, place, key);
      if (method === undefined) continue;
      if (typeof method !== 'function') throw invalid(within(place, key), 'a function', method);
      const asked = this.#asked.get(point) ?? [];
      asked.push({ name, ask: (context) => Reflect.apply(method, policy, [context]) });
      this.#asked.set(point, asked);
    }
  }

  /** Whether any policy is asked at a point. */
  has(point: PolicyPoint): boolean {
    return this.#asked.size > 0 && this.#asked.has(point);
  }

  /** Asks in order. Returns the answer at once, unless a policy returns a promise. */
  ask(point: PolicyPoint, agent: Agent, extra: Extra): Verdict | undefined | Promise<Verdict | undefined> {
    const asked = this.#asked.get(point) ?? [];
    for (const [at, policy] of asked.entries()) {
      const answer = answerOf(policy, agent, extra);
      if ('later' in answer) {
        if (point !== 'before_spawn') return this.#wait(point, agent, extra, at, answer.later);
        answer.later.then(undefined, () => undefined);
        return failed(point, agent, policy.name, new Error('it has to answer at once here, it returned a promise'));
      }
      const verdict = judge(point, agent, policy.name, answer);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  }

  /** Continues to ask, from a policy that returned a promise. */
  async #wait(point: PolicyPoint, agent: Agent, extra: Extra, from: number, first: Promise<unknown>): Promise<Verdict | undefined> {
    const asked = this.#asked.get(point) ?? [];
    const waiting = agent.wait(point);
    try {
      let pending: Promise<unknown> | undefined = first;
      for (let at = from; at < asked.length; at += 1) {
        const policy = asked[at] as PolicyQuestion;
        let outcome: Outcome;
        if (pending === undefined) {
          const answer = answerOf(policy, agent, extra);
          outcome = 'later' in answer ? await waiting.until(answer.later) : answer;
        } else {
          outcome = await waiting.until(pending);
          pending = undefined;
        }
        // The core itself refuses a turn and a start.
        if (outcome === 'stopped') return point === 'before_tool' || point === 'before_end' ? UNANSWERED : undefined;
        const verdict = outcome === 'overdue' ? overdue(point, agent, policy.name) : judge(point, agent, policy.name, outcome);
        if (verdict !== undefined) return verdict;
      }
      return undefined;
    } finally {
      waiting.over();
    }
  }
}

/** The policies, each with its name in errors. They are not copied: their methods rely on `this`. */
function policiesOf(what: string, policies: readonly Policy[] | undefined): { policy: Policy; place: string }[] {
  if (policies === undefined) return [];
  return listOf(what, 'a list of policies', policies, (policy, place) => ({
    policy: objectOf(place, policy as Policy, "an object such as { name: 'guard', beforeTurn }"),
    place,
  }));
}

/** The name of a policy's part in errors. */
function within(place: string, part: string): string {
  return place.endsWith('`') ? `${place.slice(0, -1)}.${part}\`` : `\`${part}\` of ${place}`;
}

/** A part of a policy, own or inherited. */
function partOf(policy: Policy, place: string, part: string): unknown {
  return readArgument(within(place, part), () => propertyOf(policy, part));
}

/** The policy's own name. The core counts under this name, so different names must stay different. */
function nameIn(policy: Policy, place: string): string {
  const name = partOf(policy, place, 'name') ?? 'policy';
  return wellFormed(textOf(within(place, 'name'), name));
}

/** A field that no policy has. An instance of a class may have any fields that don't look like a point. */
function unknownNameIn(policy: Policy): string | undefined {
  const prototype: object | null = Object.getPrototypeOf(policy);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return Object.keys(policy).find((key) => !FIELDS.includes(key) && (isPlain || /^(before|after|on)[A-Z]/.test(key)));
}

function answerOf(
  policy: PolicyQuestion,
  agent: Agent,
  extra: Extra,
): { value: unknown } | { error: unknown } | { later: Promise<unknown> } {
  try {
    const value = policy.ask(agent.context(policy.name, extra));
    const isThenable = typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
    // A promise of ours guards against any other thenable.
    return isThenable ? { later: new Promise((resolve) => resolve(value)) } : { value };
  } catch (error) {
    return { error };
  }
}

function judge(point: PolicyPoint, agent: Agent, policy: string, outcome: { value: unknown } | { error: unknown }): Verdict | undefined {
  if ('error' in outcome) return failed(point, agent, policy, outcome.error);
  try {
    return read(point, policy, outcome.value);
  } catch (error) {
    return failed(point, agent, policy, error);
  }
}

/** At a gate, a late policy is no failure of the program: the refusal mentions it. At an observer, it is reported. */
function overdue(point: PolicyPoint, agent: Agent, policy: string): Verdict | undefined {
  const error = new Error('it took too long to answer');
  return isGate(point) ? closed(policy, error) : failed(point, agent, policy, error);
}

/** Gates fail closed, observers open. Reports the failure to the program (P1). */
function failed(point: PolicyPoint, agent: Agent, policy: string, error: unknown): Verdict | undefined {
  agent.runtime.report(error);
  return isGate(point) ? closed(policy, error) : undefined;
}

function isGate(point: PolicyPoint): boolean {
  return point !== 'after_tool' && point !== 'on_timeout';
}

function closed(policy: string, error: unknown): Verdict {
  return { answer: 'block', policy, text: reasonOf(`the policy ${policy} failed: ${messageOf(error)}`), reason: 'policy' };
}

/** A reason for a model, which often has words that another model chose (N5). */
function reasonOf(text: string): string {
  return onOneLine(text, TASK_CHARS);
}

/** Reads an answer: checks its text, and whether the point takes it. */
function read(point: PolicyPoint, policy: string, value: unknown): Verdict | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') throw new Error(`it answered ${describe(value)}`);
  const part = (name: string): unknown => propertyOf(value, name);
  const [action, text, reason, report, stopReason = 'policy'] = ['action', 'text', 'reason', 'report', 'stopReason'].map(part);
  if (action === 'continue') return undefined;
  const answer = action as PolicyAnswerName;
  if (!TAKEN[point].includes(answer))
    throw new Error(`it answered ${describe(action)}, here it may answer ${['continue', ...TAKEN[point]].join(', ')}`);
  const said = { inject: text, force_turn: text ?? 'Take another turn before you end.', block: reason, finish: report }[answer];
  if (typeof said !== 'string') throw new Error(`it answered ${answer} with ${describe(said)} where a text belongs`);
  if (!STOP_REASONS.includes(stopReason as StopReason)) throw new Error(`it answered with the stop reason ${describe(stopReason)}`);
  const words = wellFormed(textOf('what it says', said));
  return { answer, policy, text: answer === 'block' ? reasonOf(words) : words, reason: stopReason as StopReason };
}
