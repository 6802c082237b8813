// Running and waiting sub-agents and the spending over time: a few hundred points, taken with the scenes.

import type { Frame, View } from 'subagents/view';

const MOST = 480;
/** Moments of a journal that are sampled. */
const OF_JOURNAL = 120;

interface Sample {
  readonly seq: number;
  readonly at: number;
  readonly working: number;
  readonly waiting: number;
  readonly tokens: number;
}

export class Samples {
  private taken: Sample[] = [];
  private leastMs = 0;

  clear(): void {
    this.taken = [];
    this.leastMs = 0;
  }

  take(frame: Frame, now: number): void {
    const last = this.taken.at(-1);
    if (last !== undefined && now - last.at < this.leastMs && last.seq !== 0) return;
    this.taken.push(sampleOf(frame, now));
    if (this.taken.length < MOST) return;
    // Every second one is dropped, and the next are taken half as often.
    this.taken = this.taken.filter((_, at) => at % 2 === 0);
    this.leastMs = Math.max(50, this.leastMs * 2);
  }

  /** Adds points from before the page opened: in steps, or at the saved moments of a long journal. */
  fill(view: View): void {
    const { first, last } = view;
    if (last === 0 || (this.taken[0]?.seq ?? Number.POSITIVE_INFINITY) <= first + 1) return;
    const until = this.taken[0]?.seq ?? last;
    const kept = view.keyframes().filter(({ seq }) => seq >= first && seq < until);
    const step = Math.max(1, (until - first) / OF_JOURNAL);
    const frames =
      kept.length > OF_JOURNAL / 4
        ? kept.filter((_, at) => at % Math.ceil(kept.length / OF_JOURNAL) === 0)
        : Array.from({ length: Math.ceil((until - first) / step) }, (_, at) => view.at(Math.round(first + at * step)));
    this.taken = [...frames.map((frame) => sampleOf(frame, frame.at)), ...this.taken];
  }

  /** Milliseconds since the beginning, working, waiting, tokens: up to a moment. */
  upTo(seq: number, startedAt: number): [number[], number[], number[], number[]] {
    const lists: [number[], number[], number[], number[]] = [[], [], [], []];
    for (const sample of this.taken) {
      if (sample.seq > seq) break;
      lists[0].push(sample.at - startedAt);
      lists[1].push(sample.working);
      lists[2].push(sample.waiting);
      lists[3].push(sample.tokens);
    }
    return lists;
  }
}

function sampleOf(frame: Frame, at: number): Sample {
  const { active, queued, parked } = frame.slots;
  return { seq: frame.seq, at, working: active, waiting: queued + parked, tokens: frame.manager.spent.tokens };
}
