// Answers an agent's permission requests. Owns the order: the manager's policies, then the program's rules, then the parent by
// `run.ask`. Anything else is refused, with how to allow it.

import type { Run } from '../../api/run.js';
import { mistake } from '../mistake.js';
import type { AcpPermissionAnswer, AcpPermissionRequest } from './acp-types.js';

/** The answer to a request: `ask` asks the sub-agent's parent. */
export type PermissionAnswer = 'allow' | 'reject' | 'ask';

/** A rule for requests. Requests that don't fit it are left to the next rule. */
export interface PermissionRule {
  /** The kind of tool, or several: `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode`, `other`. Default: any. */
  readonly kind?: string | readonly string[] | undefined;
  /**
   * Matches the whole title, such as the command to run. Default: any.
   *
   * `/npm test/` doesn't match `npm test; rm -rf .`.
   */
  readonly title?: RegExp | undefined;
  /** The answer to a request that fits. */
  readonly answer: PermissionAnswer;
}

/** One answer to every request; rules, of which the first that fits counts, and `ask` if none does; or a function. */
export type Permission =
  | PermissionAnswer
  | readonly PermissionRule[]
  | ((request: AcpPermissionRequest, run: Run) => PermissionAnswer | Promise<PermissionAnswer>);

/** Questions that one run may ask its parent about permissions; later ones are refused. */
const MOST_QUESTIONS = 50;
/** Requests that may wait for an answer at once; later ones are refused. */
const MOST_OPEN = 100;
/** Characters of a title, and of an input, that a question shows. */
const SHOWN = 500;
/** The kinds of tools that the protocol has. */
export const KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'] as const;
const ANSWERS: readonly unknown[] = ['allow', 'reject', 'ask'];
/** Consent is the whole answer: words after it may withdraw it. */
const CONSENT = /^\W*(?:(?:yes|ok|okay)\W+)?(?:yes|y|ok|okay|allow(?:ed)?(?: (?:it|this|that|once))?)\W*$/i;
const CANCELLED: AcpPermissionAnswer = { outcome: { outcome: 'cancelled' } };

export class Permissions {
  /** The refusals of this run, with how to allow each. */
  readonly refusals: string[] = [];
  private readonly run: Run;
  private readonly permission: Permission;
  /** Called when a tool call is over because it was refused. */
  onRefused: (name: string, reason: string) => void = () => undefined;
  private readonly refused = new Set<string>();
  private readonly refusedCalls = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private questions = 0;
  private stop: () => void = () => undefined;
  private stopped: Promise<AcpPermissionAnswer>;

  constructor(run: Run, permission: Permission) {
    this.run = run;
    this.permission = permission;
    this.stopped = this.untilStop();
  }

  /** Cancels the requests that wait for an answer: the turn has to end. */
  cancelOpen(): void {
    this.stop();
    this.stopped = this.untilStop();
  }

  private untilStop(): Promise<AcpPermissionAnswer> {
    return new Promise((resolve) => {
      this.stop = () => resolve(CANCELLED);
    });
  }

  /** Answers one request, after earlier ones: a run has one question at a time. */
  answer(request: AcpPermissionRequest): Promise<AcpPermissionAnswer> {
    if (this.waiting >= MOST_OPEN) return Promise.resolve(answerOf(request, false));
    this.waiting += 1;
    const answered = this.last.then(async () => {
      try {
        return answerOf(request, await this.allows(request));
      } catch {
        return CANCELLED;
      } finally {
        this.waiting -= 1;
      }
    });
    this.last = answered;
    return Promise.race([answered, this.stopped]);
  }

  /** Whether a tool call that had begun was refused. */
  hasRefused(toolCallId: string | undefined): boolean {
    return toolCallId !== undefined && this.refusedCalls.has(toolCallId);
  }

  private async allows(request: AcpPermissionRequest): Promise<boolean> {
    const { run } = this;
    const { title, kind, rawInput } = request.toolCall ?? {};
    const name = kind ?? 'other';
    const whole = title ?? name;
    const shown = cut(whole);
    const key = JSON.stringify([name, whole, rawInput]);
    // Some agents ask forever.
    if (run.signal.aborted || this.refused.has(key)) return false;
    const policy = await run.beforeTool(name, rawInput);
    const way = policy.allowed ? await this.ways(request, name, whole) : policy.reason;
    if (way === undefined) return true;
    if (policy.allowed) {
      const { toolCallId } = request.toolCall ?? {};
      if (toolCallId !== undefined) this.refusedCalls.add(toolCallId);
      this.onRefused(name, way);
    }
    this.refused.add(key);
    this.refusals.push(`${shown} (${name}) was refused: ${way}`);
    return false;
  }

  /** Undefined if it is allowed, else why it isn't and how to allow it. */
  private async ways(request: AcpPermissionRequest, kind: string, title: string): Promise<string | undefined> {
    const { permission, run } = this;
    let decided: PermissionAnswer;
    try {
      decided = typeof permission === 'function' ? await permission(request, run) : ruled(permission, kind, title);
    } catch (error) {
      return `\`permission\` threw ${String(error)}`;
    }
    if (decided === 'allow') return undefined;
    const rule = `allow it by \`permission: [{ kind: '${kind}', answer: 'allow' }]\``;
    if (decided === 'reject') return `a rule rejects it; ${rule}`;
    this.questions += 1;
    if (this.questions > MOST_QUESTIONS) return `it asked for permission more than ${MOST_QUESTIONS} times; ${rule}`;
    const input = request.toolCall?.rawInput === undefined ? '' : ` Its input: ${cut(JSON.stringify(request.toolCall.rawInput))}.`;
    const answer = await run.ask(`May I use ${cut(title)} (${kind})?${input} Answer only "allow" or "reject".`);
    if (!answer.answered) {
      const why =
        answer.reason === 'cannot_answer' ? 'its parent has no tool to answer with' : `its parent did not answer (${answer.reason})`;
      return `${why}; ${rule}, or answer its question`;
    }
    return CONSENT.test(answer.answer) ? undefined : `its parent answered ${JSON.stringify(answer.answer.slice(0, 100))}`;
  }
}

function ruled(permission: PermissionAnswer | readonly PermissionRule[], kind: string, title: string): PermissionAnswer {
  if (typeof permission === 'string') return permission;
  const fits = (rule: PermissionRule): boolean => {
    const kinds = rule.kind === undefined ? [kind] : [rule.kind].flat();
    if (!kinds.includes(kind)) return false;
    if (rule.title === undefined) return true;
    // A second line must not evade a rule that doesn't allow: `/rm .*/` rejects it too.
    const flags = rule.title.flags.replace(/[gmsy]/g, '') + (rule.answer === 'allow' && !rule.title.dotAll ? '' : 's');
    return new RegExp(`^(?:${rule.title.source})$`, flags).test(title);
  };
  return permission.find(fits)?.answer ?? 'ask';
}

/** The part of a text that a question shows, and how much it omits. */
function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length - SHOWN} more characters)` : text;
}

/** Refuses a value that is no permission. */
export function expectPermission(helper: string, permission: unknown): void {
  if (typeof permission === 'function' || ANSWERS.includes(permission)) return;
  const wrong = Array.isArray(permission) ? permission.findIndex((rule: unknown) => !isRule(rule)) : 0;
  if (wrong < 0) return;
  const what = Array.isArray(permission)
    ? `\`permission[${wrong}]\` must be`
    : "`permission` must be 'allow', 'reject', 'ask', a function, or a list of";
  throw mistake(`${helper}: ${what} { kind?, title?, answer }: kinds are ${KINDS.join(', ')}, \`title\` is a regular expression`, {
    argument: 'permission',
  });
}

function isRule(rule: unknown): boolean {
  if (typeof rule !== 'object' || rule === null) return false;
  const { kind, title, answer, ...others } = rule as Record<string, unknown>;
  const areKinds = kind === undefined || [kind].flat().every((each) => KINDS.includes(each as never));
  return areKinds && (title === undefined || title instanceof RegExp) && ANSWERS.includes(answer) && Object.keys(others).length === 0;
}

function answerOf({ options = [] }: AcpPermissionRequest, isAllowed: boolean): AcpPermissionAnswer {
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const chosen = kinds.map((kind) => options.find((option) => option.kind === kind)).find((option) => option !== undefined);
  return chosen === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId: chosen.optionId } };
}
