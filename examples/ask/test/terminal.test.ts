// The live tree, in a real terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hasTerminal, startInTerminal, withFolder } from './cli-process.js';

const skip = hasTerminal() ? false : 'needs util-linux script';
const FILES = { 'a.md': 'Apples are red.\n', 'b.md': 'Bananas are yellow.\n', 'c.md': 'Cherries are dark.\n' };

/** What stood on the screen at each redraw, as plain text; the last one has all that came after. */
function framesOf(stdout: string): string[] {
  return stdout.split('\x1b[?7l').map((frame) => frame.replace(/\x1b\[[0-9;?]*[a-zA-Z]|\r/gu, ''));
}

test('a terminal shows the tree, then the answer, and gets its cursor back', { skip }, () =>
  withFolder(FILES, async (folder) => {
    const { code, stdout } = await startInTerminal(['--question', 'Which apples are red?', '--pace', '20', folder]).ended;
    assert.equal(code, 0);
    assert.ok(stdout.includes('\x1b[?25l') && stdout.lastIndexOf('\x1b[?25h') > stdout.lastIndexOf('\x1b[?25l'));
    const frames = framesOf(stdout);
    const last = frames.at(-1) ?? '';
    assert.match(last, /^✔ lead +completed +3 turns +[\d,]+ tokens [█▒░]{10} +\d+\.\d s\n├ ✔ a\.md +completed +3 turns /u);
    assert.match(last, /\n└ ✔ c\.md +completed/u);
    assert.match(last, /\nAnswer\n\n- "Apples are red\." \(a\.md:1\)\n/u);
  }),
);

test('NO_COLOR leaves the tree without colours', { skip }, () =>
  withFolder(FILES, async (folder) => {
    const { code, stdout } = await startInTerminal(['--question', 'Which apples are red?', folder], { NO_COLOR: '1' }).ended;
    assert.equal(code, 0);
    assert.match(framesOf(stdout).at(-1) ?? '', /^✔ lead +completed/u);
    assert.doesNotMatch(stdout, /\x1b\[[\d;]*m/u);
  }),
);

test('Ctrl-C typed in the terminal cancels', { skip }, () =>
  withFolder(FILES, async (folder) => {
    const running = startInTerminal(['--pace', '60000', folder]);
    await running.seen('slots 1/3');
    running.child.stdin?.write('\x03');
    const { code, stdout } = await running.ended;
    assert.equal(code, 130);
    // The terminal shows ^C where the cursor stands; the tree is drawn anew from the line's start.
    assert.match(stdout, /\r\x1b\[2A\x1b\[JCancelling; once more to exit at once\./u);
    const frames = framesOf(stdout);
    assert.match(
      frames[1] ?? '',
      /^● lead +running +1 turns +0 tokens [▒░]{10} +\d+\.\d s\n[▒░]{10} 0 of 200,000 tokens, [\d,]+ held · slots 1\/3 · 0 queued\n/u,
    );
    assert.match(frames.at(-1) ?? '', /^✘ lead +cancelled/u);
  }),
);
