// Playing one transcript against the package. Owns the comparison of its lines; what a command means is the
// stage's.

import { fits, isUnseen, type Line, shown } from './golden-lines.js';
import { inTellingOrder } from './golden-log.js';
import { Stage } from './golden-stage.js';
import { blocksOf } from './golden-transcript.js';

export interface Counts {
  compared: number;
  unseen: number;
}

/** Plays a transcript; throws at the first line that is another. `hear` gets each line as it came. */
export async function replay(transcript: string, hear?: (line: string) => void): Promise<Counts> {
  const counts: Counts = { compared: 0, unseen: 0 };
  const stage = new Stage();
  try {
    for (const { commands, results } of blocksOf(transcript)) {
      const lines: Line[] = [];
      let last = 0;
      for (const { text, number } of commands) {
        last = number;
        try {
          lines.push(...(await stage.perform(text)));
        } catch (error) {
          throw new Error(`line ${number}: \`${text}\` can't be played`, { cause: error });
        }
      }
      const expected = inTellingOrder(results, ({ text }) => text);
      const actual = inTellingOrder(lines, (line) => (typeof line === 'string' ? line : ''));
      for (let at = 0; at < Math.max(expected.length, actual.length); at += 1) {
        const [wanted, got] = [expected[at], actual[at]];
        last = wanted?.number ?? last;
        if (wanted === undefined || got === undefined || !fits(got, wanted.text)) {
          const said = got === undefined ? '(the end)' : shown(got);
          throw new Error(`line ${last}\n  expected: ${wanted?.text ?? '(the end)'}\n  got:      ${said}`);
        }
        counts[isUnseen(got) ? 'unseen' : 'compared'] += 1;
        hear?.(shown(got));
      }
    }
    return counts;
  } finally {
    stage.dispose();
  }
}
