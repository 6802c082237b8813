// Notices in events. Owns how events change them, and whether the end of a run has reached its receiver.

import type { SubAgentEvent } from '../generated/facts.js';
import type { Moment } from './moment.js';
import type { NodeRecord } from './node-record.js';
import type { NoticeView } from './record.js';
import { eachEntry } from './table.js';

export function makeNotice(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_ended' }>): void {
  const { notice, run, status, stopReason, at: endedAt } = event;
  const { id: taskId, label, sessionKey } = node;
  if (notice?.acked === true) node.collected = true;
  else if (notice !== null && taskId !== null) {
    const index = moment.notices.length;
    const { to, reroutedFrom, awaited } = notice;
    const delivery = awaited ? 'awaited' : 'pending';
    const made: NoticeView = {
      index,
      taskId,
      run,
      label,
      to,
      sessionKey,
      reroutedFrom,
      delivery,
      attempt: 0,
      until: null,
      status,
      stopReason,
      endedAt,
    };
    moment.notices.set(index, made);
    node.notices = [...node.notices, index];
  }
}

/** A notice may outlive its sub-agent. */
export function noticeMoved(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'notice_moved' }>): void {
  const at = node.notices.find((each) => moment.notice(each)?.run === event.run) ?? -1;
  const notice = moment.notice(at);
  if (notice === undefined) return;
  const { delivery, to, attempt, until } = event;
  const isAcked = delivery === 'acked';
  const isLast = node.runs === event.run && node.run === null;
  if (isAcked) {
    moment.notices.set(at, undefined);
    node.notices = node.notices.filter((each) => each !== at);
    if (isLast) node.collected = true;
    moment.drop(node);
    return;
  }
  const reroutedFrom = to === notice.to ? notice.reroutedFrom : (notice.reroutedFrom ?? notice.to);
  moment.notices.set(at, { ...notice, delivery, to, attempt, until, reroutedFrom });
  if (isLast) node.collected = delivery === 'leased' || delivery === 'awaited';
}

export function collect(moment: Moment, id: string | null): void {
  const node = moment.read(moment.names.task(id, moment));
  if (node !== undefined) moment.write(node.index).collected = true;
}

/** The waits for notices ended with the process: the notices are pending again. */
export function awaitNoNotices(moment: Moment): void {
  eachEntry<NoticeView>(moment.notices, (notice) => {
    if (notice.delivery !== 'awaited') return;
    moment.notices.set(notice.index, { ...notice, delivery: 'pending' });
    const node = moment.read(moment.names.task(notice.taskId, moment));
    if (node !== undefined && node.runs === notice.run && node.run === null) moment.write(node.index).collected = false;
  });
}
