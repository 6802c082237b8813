// The boundary: what the tools serve, and what they refuse.
import assert from 'node:assert/strict';
import { chmod, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

import { Library } from '../dist/documents.js';
import { createDocumentTools } from '../dist/tools.js';
import { withFolder } from './cli-process.js';

const FILES = {
  'docs/a.md': 'Alpha is first.\n',
  'docs/sub/b.md': 'Beta is second.\n',
  'outside/secret.md': 'The secret is gamma.\n',
};

async function call(library: Library, name: 'list' | 'read' | 'search', args: object): Promise<string> {
  const execute = createDocumentTools(library)[name].execute as (args: object, options: object) => unknown;
  return String(await execute(args, { toolCallId: 't', messages: [] }));
}

test('names outside the folder are refused, whatever way they are written', () =>
  withFolder(FILES, async (folder) => {
    const library = await Library.open(['docs'], folder);
    for (const name of [
      '../outside/secret.md',
      'sub/../../outside/secret.md',
      path.join(folder, 'outside/secret.md'),
      '/etc/hostname',
      '..',
      '.',
      '',
      'a.md\0.txt',
    ]) {
      assert.match(await call(library, 'read', { path: name }), /^Refused: /u, name);
      assert.match(await call(library, 'search', { query: 'secret', path: name }), /^Refused: /u, name);
    }
    assert.match(await call(library, 'read', { path: 'sub/../a.md' }), /Alpha is first/u);
    assert.doesNotMatch(await call(library, 'search', { query: 'secret gamma' }), /gamma\./u);
  }));

test('symbolic links out of the folder are neither listed nor read', () =>
  withFolder(FILES, async (folder) => {
    await symlink('../outside/secret.md', path.join(folder, 'docs/link.md'));
    await symlink('../outside', path.join(folder, 'docs/linked'));
    await symlink('..', path.join(folder, 'docs/sub/up'));
    await symlink('nowhere', path.join(folder, 'docs/dangling'));
    const library = await Library.open(['docs'], folder);
    assert.deepEqual(
      library.documents.map((each) => each.name),
      ['a.md', 'sub/b.md'],
    );
    assert.deepEqual(library.skipped, [
      { name: 'dangling', reason: 'symbolic link' },
      { name: 'link.md', reason: 'symbolic link' },
      { name: 'linked', reason: 'symbolic link' },
      { name: 'sub/up', reason: 'symbolic link' },
    ]);
    for (const name of ['link.md', 'linked/secret.md', 'sub/up/../outside/secret.md']) {
      assert.match(await call(library, 'read', { path: name }), /^Refused: /u, name);
    }
  }));

test('a document that becomes a link after the scan is refused', () =>
  withFolder(FILES, async (folder) => {
    const library = await Library.open(['docs'], folder);
    await rm(path.join(folder, 'docs/a.md'));
    await symlink('../outside/secret.md', path.join(folder, 'docs/a.md'));
    assert.match(await call(library, 'read', { path: 'a.md' }), /^Refused: .*outside the given folder/u);

    await rename(path.join(folder, 'docs/sub'), path.join(folder, 'docs/was'));
    await symlink('../outside', path.join(folder, 'docs/sub'));
    await writeFile(path.join(folder, 'outside/b.md'), 'Also secret.\n');
    assert.match(await call(library, 'read', { path: 'sub/b.md' }), /^Refused: .*outside the given folder/u);
  }));

test('a folder that is itself given through a link works', () =>
  withFolder(FILES, async (folder) => {
    await symlink('docs', path.join(folder, 'alias'));
    const library = await Library.open(['alias'], folder);
    assert.match(await call(library, 'read', { path: 'sub/b.md' }), /1\| Beta is second\./u);
  }));

test('of single files nothing beside them is reachable', () =>
  withFolder(FILES, async (folder) => {
    const library = await Library.open(['docs/a.md', 'docs/sub/b.md'], folder);
    assert.match(await call(library, 'list', {}), /^2 documents:\n- a\.md .*\n- sub\/b\.md /u);
    await writeFile(path.join(folder, 'docs/later.md'), 'Not given.\n');
    assert.match(await call(library, 'read', { path: 'later.md' }), /^Refused: .*outside/u);
  }));

test('binary, empty and hidden files are left out, the first two with a reason', () =>
  withFolder(
    {
      'a.md': 'Text.\n',
      'b.png': Uint8Array.of(0x89, 0x50, 0, 1),
      'c.txt': Uint8Array.of(0xff, 0xfe, 0x41),
      'd.md': ' \n',
      '.env': 'KEY=1',
    },
    async (folder) => {
      const library = await Library.open([folder], folder);
      assert.deepEqual(library.skipped, [
        { name: 'b.png', reason: 'binary' },
        { name: 'c.txt', reason: 'binary: not UTF-8 text' },
        { name: 'd.md', reason: 'empty' },
      ]);
      assert.match(await call(library, 'read', { path: '.env' }), /^Refused: /u);
      assert.match(await call(library, 'read', { path: 'b.png' }), /^Refused: /u);
    },
  ));

test('random bytes are no document, whatever they happen to decode to; text with colours and a stray control is one', () =>
  withFolder(
    {
      'a.md': 'Text.\n',
      'coloured.log': '\x1b[31mred\x1b[0m \x1b[32mgreen\x1b[0m\n',
      'late.bin': `${'Text. '.repeat(2_000)}\0`,
      'low.bin': Uint8Array.from({ length: 400 }, (_, at) => (at % 127) + 1),
      'marks.txt': '--- *** ---\n',
      'stray.md': `${'A text of many words. '.repeat(20)}\x07\n`,
      'unassigned.bin': '\u0378\u0379\ue000\ue001ab',
    },
    async (folder) => {
      const library = await Library.open([folder], folder);
      assert.deepEqual(
        library.documents.map((each) => each.name),
        ['a.md', 'coloured.log', 'stray.md'],
      );
      assert.deepEqual(
        library.skipped.map((each) => [each.name, each.reason]),
        [
          ['late.bin', 'binary'],
          ['low.bin', 'binary: control characters'],
          ['marks.txt', 'no words in it'],
          ['unassigned.bin', 'binary: control characters'],
        ],
      );
    },
  ));

test('a name that would steer the terminal or break a list is left out with a reason', () =>
  withFolder(
    { 'a.md': 'Text.\n', 'b\u202edm.md': 'B.\n', 'c\u2028.md': 'C.\n', 'd\x1b[2J.md': 'D.\n', 'e\n.md': 'E.\n' },
    async (folder) => {
      const library = await Library.open([folder], folder);
      assert.deepEqual(
        library.documents.map((each) => each.name),
        ['a.md'],
      );
      const reason = 'control characters in its name';
      assert.deepEqual(
        library.skipped,
        ['b?dm.md', 'c?.md', 'd?[2J.md', 'e?.md'].map((name) => ({ name, reason })),
      );
    },
  ));

test(
  'an unreadable file is left out with a reason',
  { skip: process.getuid === undefined || process.getuid() === 0 ? 'all may be read here' : false },
  () =>
    withFolder({ 'a.md': 'Text.\n', 'b.md': 'Locked.\n' }, async (folder) => {
      await chmod(path.join(folder, 'b.md'), 0);
      const library = await Library.open([folder], folder);
      assert.deepEqual(library.skipped, [{ name: 'b.md', reason: 'unreadable: permission denied' }]);
    }),
);

test('read pages by lines and search puts the fuller match first', () =>
  withFolder({ 'a.md': 'one apple\ntwo apples and a pear\nthree pears\n' }, async (folder) => {
    const library = await Library.open([folder], folder);
    assert.equal(await call(library, 'read', { path: 'a.md', from: 2, count: 1 }), 'a.md, lines 2-2 of 3:\n2| two apples and a pear');
    assert.equal(await call(library, 'read', { path: 'a.md', from: 9 }), 'a.md has only 3 lines.');
    assert.equal(
      await call(library, 'search', { query: 'Pear apple' }),
      '3 of 3 matching lines:\na.md:2: two apples and a pear\na.md:1: one apple\na.md:3: three pears',
    );
    assert.equal(await call(library, 'search', { query: 'plum' }), 'No line matches: plum');
  }));

test('a word that few lines have outweighs one that all have', () =>
  withFolder({ 'a.md': `${'The crane of the quay.\n'.repeat(20)}A permit is required.\n` }, async (folder) => {
    const library = await Library.open([folder], folder);
    assert.match(await call(library, 'search', { query: 'crane quay permit' }), /^12 of 21 matching lines:\na\.md:21: A permit/u);
  }));
