// What narrows without a word: permits that are destructured, errors by their code, policies as literals; checked by
// `tsc -p tests`, never run.

import { isSubAgentError, type Policy, type Run, SubAgentError, type SubAgentErrorOf, SubAgentManager } from '../../dist/index.js';

/** Compiles only where both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

// Permits: what only one kind of answer has can be taken out of any.
async function _permits(run: Run): Promise<void> {
  const { go, inject = [], wrapUp, reason, message, report, turn, tokens } = await run.beforeTurn();
  same<typeof inject, string[]>(true);
  same<typeof turn, number | undefined>(true);
  same<typeof wrapUp, true | undefined>(true);
  void [go, reason, message, report, tokens];
  const { allowed, reason: why = 'none', inject: beside = [], finished } = await run.beforeTool('read', {});
  same<typeof why, string>(true);
  void [allowed, beside, finished];
  const { withheld, reason: instead, inject: steering = [], finished: over } = await run.afterTool('read', 'text');
  void [withheld, instead, steering, over];
  const { end, output = '', inject: another = [], reason: refused } = await run.beforeEnd('text');
  same<typeof output, string>(true);
  void [end, another, refused];
  const permit = await run.beforeTurn();
  if (!permit.go) same<typeof permit.inject, undefined>(true);
  else same<typeof permit.turn, number>(true);
}
void _permits;

// Errors: the code says what the details have.
function _errors(error: unknown): void {
  if (error instanceof SubAgentError) {
    if (error.code === 'budget_exhausted') same<typeof error.details.remaining, number>(true);
    if (error.code === 'concurrency_limit') void ((error.details.active satisfies number) + (error.details.limit satisfies number));
    if (error.code === 'disposed') same<typeof error.details.limit, number | undefined>(true);
    // @ts-expect-error no error has this code
    if (error.code === 'no_such_code') return;
    void error.stack;
  }
  if (isSubAgentError(error, 'budget_exhausted')) {
    same<typeof error.code, 'budget_exhausted'>(true);
    const short: number = error.details.needed - error.details.remaining;
    void short;
  }
  if (isSubAgentError(error)) {
    switch (error.code) {
      case 'rate_limited':
        same<typeof error.details.retryAfterMs, number>(true);
        break;
      default:
        void error.details.argument;
    }
  }
  // @ts-expect-error no error has this code
  isSubAgentError(error, 'no_such_code');
  const own: SubAgentErrorOf<'aborted'> = new SubAgentError('aborted', 'by hand');
  void own;
}
void _errors;

// Policies: a literal in the options needs no annotation, and elsewhere `satisfies Policy`.
new SubAgentManager({
  policies: {
    subAgents: [
      {
        name: 'no shell',
        beforeSpawn: () => ({ action: 'inject', text: 'be short' }),
        beforeTool: ({ tool }) => (tool === 'shell' ? { action: 'block', reason: 'no shell' } : undefined),
        beforeTurn: async ({ turns }) => (turns > 5 ? { action: 'finish', report: 'enough' } : { action: 'continue' }),
        beforeEnd: ({ output }) => (output === '' ? { action: 'force_turn', text: 'say something' } : undefined),
      },
    ],
  },
});
const apart = {
  name: 'apart',
  async beforeTool({ tool }) {
    if (tool === 'shell') return { action: 'block', reason: 'no shell' };
    return undefined;
  },
} satisfies Policy;
new SubAgentManager({ policies: { main: [apart] } });
