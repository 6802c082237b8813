// The golden transcripts, as `../../golden.test.ts` plays them in Node.

import { DIFFERENT, NOT_PLAYED } from '../../support/golden-apart.js';
import { replay } from '../../support/golden-replay.js';
import type { Book } from './book.js';
import transcripts from './transcripts.js';
import { inVirtualTime } from './virtual-time.js';

export async function golden(book: Book): Promise<void> {
  for (const [name, transcript] of Object.entries(transcripts)) {
    if (`${name}.txt` in NOT_PLAYED || `${name}.txt` in DIFFERENT) continue;
    const { compared, unseen } = await inVirtualTime(() =>
      replay(transcript, (line) => book.note(line)).catch((error: Error) => {
        throw new Error(`${name}, ${error.message}${error.cause === undefined ? '' : `: ${error.cause}`}`);
      }),
    );
    book.note(name, compared, unseen);
  }
  book.expect('transcripts, at least 20', Object.keys(transcripts).length >= 20, true);
}
