// Types of notices as a user sees them.

import {
  type CancelReceipt,
  type Inbox,
  type Notice,
  type Origin,
  Session,
  type StopReason,
  SubAgentManager,
  type TaskSnapshot,
  type TaskStatus,
  type TurnPermit,
} from '../../dist/index.js';

const manager = new SubAgentManager({
  leaseMs: 1_000,
  maxDeliveries: 3,
  maxNotices: 10,
  maxInjected: 4,
  onWake: (session, { pending }) => {
    const notices: Notice[] = session.inbox.lease({ max: pending, leaseMs: 5 });
    const key: string = session instanceof Session ? session.key : 'the manager';
    void [notices, key];
  },
  spawnSubAgent: async (_, run) => {
    const permit: TurnPermit = await run.beforeTurn();
    const texts: string[] | undefined = permit.go ? permit.inject : undefined;
    const inbox: Inbox = run.inbox;
    void [texts, inbox];
    return { output: '' };
  },
});
const session = manager.session('a', { onWake: async (woken: Session) => woken.inbox.peek() });
const handle = session.spawn({ instructions: 'x', background: true, origin: { channel: 'telegram', chatId: '1' } });
manager.spawn({ instructions: 'x', origin: { chatId: '1' } });
// @ts-expect-error an origin has no such field
manager.spawn({ instructions: 'x', origin: { chat: '1' } });
// @ts-expect-error milliseconds are a number
manager.inbox.lease({ leaseMs: '5' });
// @ts-expect-error an id is a text
manager.inbox.ack(5);

const [notice] = manager.inbox.peek();
if (notice !== undefined) {
  const status: TaskStatus = notice.status;
  const reason: StopReason = notice.stopReason;
  const origin: Origin = notice.origin;
  const delivery: 'pending' | 'awaited' | 'leased' | 'undelivered' = notice.delivery;
  const from: string | null = notice.reroutedFrom;
  void [status, reason, origin, delivery, from];
}
const acked: boolean = session.inbox.ack('del_x');
const moved: Promise<TaskSnapshot> = manager.moveToBackground(handle);
const receipt: Promise<CancelReceipt> = handle.cancel();
manager.createSubAgentTool({ origin: () => ({ channel: 'cli' }) });
void [acked, moved, receipt];
