// The live tree, in a real terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import columnsOf from 'string-width';
import { hasTerminal, startInTerminal, withFolder } from './cli-process.js';

const skip = hasTerminal() ? false : 'needs util-linux script';
const FILES = { 'a.md': 'Apples are red.\n', 'b.md': 'Bananas are yellow.\n', 'c.md': 'Cherries are dark.\n' };

/** What stood on the screen after each redraw, as plain text; the last one has all that came after. */
function framesOf(stdout: string): string[] {
  const screen: string[] = [''];
  const frames: string[] = [];
  let [row, column] = [0, 0];
  for (const [token, , amount, command] of stdout.matchAll(/\x1b\[([?]?)([\d;]*)([a-zA-Z])|[\s\S]/gu)) {
    if (command === 'A') row = Math.max(0, row - Number(amount || 1));
    else if (command === 'B') row += Number(amount || 1);
    else if (command === 'G' || token === '\r') column = 0;
    else if (command === 'K') screen[row] = amount === '2' ? '' : (screen[row] ?? '').slice(0, column);
    else if (command === 'J') screen.length = row;
    else if (token === '\x1b[?2026l') frames.push(screen.join('\n'));
    else if (token === '\n') row += 1;
    else if (command === undefined) {
      const line = (screen[row] ?? '').padEnd(column);
      screen[row] = line.slice(0, column) + token + line.slice(column + token.length);
      column += token.length;
    }
    while (screen.length <= row) screen.push('');
  }
  return [...frames, screen.join('\n')];
}

test('a terminal shows the tree, then the answer, and gets its cursor back', { skip }, () =>
  withFolder(FILES, async (folder) => {
    const { code, stdout } = await startInTerminal([
      '--question',
      'Which apples are red?',
      '--pace',
      '200',
      '--max-concurrent',
      '2',
      folder,
    ]).ended;
    assert.equal(code, 0);
    assert.ok(stdout.includes('\x1b[?25l') && stdout.lastIndexOf('\x1b[?25h') > stdout.lastIndexOf('\x1b[?25l'));
    const frames = framesOf(stdout);
    const last = frames.at(-1) ?? '';
    assert.match(last, /\n {2}agent +turns +own\n✔ lead +3 +[\d,]+ {2}a\.md:1 "Apples are red\."\n/u);
    assert.match(last, /\n├ ✔ a\.md +3 +[\d,]+ {2}line 1: "Apples are red\."\n/u);
    assert.match(last, /\n└ ✔ c\.md .* found nothing\n[█▒░]{10} all together [\d,]+ of 200,000 tokens · 0 reserved/u);
    // What they do and wait for was there to be seen, and the lead's own tokens are without those of its sub-agents.
    const all = frames.join('\n');
    for (const seen of [
      /● a\.md .* search "apples red"/u,
      /● a\.md .* read from line 1/u,
      /○ c\.md .* waits for a slot\n/u,
      /◐ lead .* waits for its sub-agents\n/u,
    ])
      assert.match(all, seen);
    const [own = 0, ...others] = [...last.matchAll(/✔ \S+ +\d +([\d,]+) /gu)].map((match) => Number(match[1]?.replace(',', '')));
    const total = Number(/together ([\d,]+) of/u.exec(last)?.[1]?.replace(',', ''));
    assert.equal(own + others.reduce((sum, each) => sum + each, 0), total);
    assert.match(last, /\nAnswer\n\n- "Apples are red\." \(a\.md:1\)\n/u);
  }),
);

for (const columns of [24, 50, 80, 120]) {
  test(`each line of the tree fits ${columns} columns`, { skip }, () =>
    withFolder({ ...FILES, '文書についてのとても長い名前のファイル.md': 'Apples are red.\n' }, async (folder) => {
      const args = ['--question', 'Which apples are red?', '--pace', '20', folder];
      const { code, stdout } = await startInTerminal(args, {}, columns).ended;
      assert.equal(code, 0);
      const frames = framesOf(stdout);
      // Above the tree stand the question and the model.
      const trees = frames.map((each) => each.slice(each.indexOf('  agent')).split('\nAnswer\n')[0] ?? '');
      for (const line of trees.flatMap((each) => each.split('\n'))) assert.ok(columnsOf(line) < columns, line);
      assert.match(frames.at(-1) ?? '', /\n└ ✔ 文書に/u);
      if (columns < 50) return;
      // The report is broken between words; only a name may be longer than a line.
      const report = frames.at(-1)?.split('\nAnswer\n')[1] ?? '';
      for (const line of report.split('\n')) assert.ok(columnsOf(line) <= columns || line.includes('文書'), line);
    }),
  );
}

test('NO_COLOR leaves the tree without colours', { skip }, () =>
  withFolder(FILES, async (folder) => {
    const { code, stdout } = await startInTerminal(['--question', 'Which apples are red?', folder], { NO_COLOR: '1' }).ended;
    assert.equal(code, 0);
    assert.match(framesOf(stdout).at(-1) ?? '', /\n✔ lead +3 /u);
    assert.doesNotMatch(stdout, /\x1b\[[\d;]*m/u);
  }),
);

test('Ctrl-C typed in the terminal cancels', { skip }, () =>
  withFolder(FILES, async (folder) => {
    const running = startInTerminal(['--question', 'Why?', '--pace', '60000', folder]);
    await running.seen('slots 1/3');
    running.child.stdin?.write('\x03');
    const { code, stdout } = await running.ended;
    assert.equal(code, 130);
    // The terminal shows ^C where the cursor stands; the tree is drawn anew from the line's start.
    assert.match(stdout, /Cancelling; once more to exit at once\./u);
    const frames = framesOf(stdout);
    assert.match(
      frames.find((each) => each.includes('slots 1/3')) ?? '',
      /\n● lead +1 +0 {2}asks the model\n[▒░]{10} all together 0 of 200,000 tokens · [\d,]+ reserved · slots 1\/3 · 0 queued\n/u,
    );
    assert.match(frames.at(-1) ?? '', /\n✘ lead /u);
  }),
);
