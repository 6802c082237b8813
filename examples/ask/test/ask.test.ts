// The command line end to end, with the built-in model.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { test } from 'node:test';

import { ask } from '../dist/ask.js';
import { parseCommandLine } from '../dist/cli.js';
import { Library } from '../dist/documents.js';
import { chooseModel } from '../dist/endpoint.js';
import { run, runInto, start, withFolder } from './cli-process.js';

const QUESTION = ['--question', 'When was the harbour crane built?'];
const TOWN = {
  'bridge.md': '# The bridge\n\nThe bridge over the Lenne was opened in 1931. It carries two lanes.\n',
  'church.md': '# The church\n\nThe church has a bell of bronze. Nobody rings it today.\n',
  'crane.md': '# The crane\n\nIt stands at the quay.\nThe harbour crane was built in 1954 by a local firm. It lifts ten tons.\n',
  'mill.md': '# The mill\n\nThe mill grinds rye. Its wheel is of oak.\n',
  'school.md': '# The school\n\nThe school has nine rooms. Lessons begin at eight.\n',
};

interface Json {
  outcome: string;
  answer: string;
  error: string | null;
  sources: { document: string; line: number; text: string }[];
  agents: { name: string; status: string; turns: number; tokens: number; subtreeTokens: number }[];
  statistics: { tokens: { lead: number; subAgents: number; budget: number }; mostAtOnce: number; turns: number };
}

async function askJson(args: readonly string[]): Promise<{ code: number | null; json: Json }> {
  const { code, stdout, stderr } = await run([...args, '--json']);
  assert.match(stderr, /extractive-ranker/u);
  return { code, json: JSON.parse(stdout) as Json };
}

test('it answers over the shipped documents with more documents than slots', async () => {
  const { code, json } = await askJson([]);
  assert.equal(code, 0);
  assert.match(json.answer, /agents stop after 20 steps/u);
  assert.ok(json.agents.length - 1 > 3, 'more sub-agents than slots');
  assert.equal(json.statistics.mostAtOnce, 3);
  assert.equal(json.statistics.tokens.lead + json.statistics.tokens.subAgents, json.agents[0]?.subtreeTokens);
  assert.equal(json.statistics.tokens.lead, json.agents[0]?.tokens);
});

test('the answer names its source, and each document had its sub-agent', () =>
  withFolder(TOWN, async (folder) => {
    const { code, json } = await askJson([...QUESTION, '--max-concurrent', '2', folder]);
    assert.equal(code, 0);
    assert.match(json.answer, /^- "The harbour crane was built in 1954 by a local firm\." \(crane\.md:4\)$/mu);
    assert.deepEqual(json.sources, [
      { document: 'crane.md', line: 4, text: 'The harbour crane was built in 1954 by a local firm. It lifts ten tons.' },
    ]);
    assert.deepEqual(
      json.agents.map((each) => [each.name, each.status]),
      [['lead', 'completed'], ...Object.keys(TOWN).map((name) => [name, 'completed'])],
    );
    assert.equal(json.statistics.mostAtOnce, 2);
  }));

test('one slot is enough for the lead and all its sub-agents', () =>
  withFolder(TOWN, async (folder) => {
    const { code, json } = await askJson([...QUESTION, '--max-concurrent', '1', folder]);
    assert.equal(code, 0);
    assert.equal(json.statistics.mostAtOnce, 1);
  }));

test('the same documents give the same answer', () =>
  withFolder(TOWN, async (folder) => {
    const [first, second] = await Promise.all([askJson([...QUESTION, folder]), askJson([...QUESTION, folder])]);
    assert.equal(first.json.answer, second.json.answer);
    assert.deepEqual(first.json.statistics.tokens, second.json.statistics.tokens);
  }));

test('changing one sentence changes the answer', () =>
  withFolder({ ...TOWN, 'crane.md': TOWN['crane.md'].replace('1954 by a local firm', '1961 in Hagen') }, async (folder) => {
    const { json } = await askJson([...QUESTION, folder]);
    assert.match(json.answer, /"The harbour crane was built in 1961 in Hagen\." \(crane\.md:4\)/u);
  }));

test('moving one sentence changes the source', () =>
  withFolder(
    {
      ...TOWN,
      'crane.md': '# The crane\n\nIt stands at the quay.\n',
      'mill.md': `${TOWN['mill.md']}\nThe harbour crane was built in 1954 by a local firm.\n`,
    },
    async (folder) => {
      const { json } = await askJson([...QUESTION, folder]);
      assert.deepEqual(
        json.sources.map((each) => [each.document, each.line]),
        [['mill.md', 5]],
      );
    },
  ));

test('a document whose name is the end of another one is no source for it', () =>
  withFolder(
    { 'crane.md': 'A\nB\nC\nNothing here.\n', 'harbour crane.md': '# The crane\n\n\nThe harbour crane was built in 1954.\n' },
    async (folder) => {
      const { json } = await askJson([...QUESTION, folder]);
      assert.deepEqual(
        json.sources.map((each) => [each.document, each.line]),
        [['harbour crane.md', 4]],
      );
    },
  ));

test('evidence far into a very long line is found', () => {
  const other = Array.from({ length: 60 }, (_, at) => `The mill number ${at} grinds rye for the people of the quay.`).join(' ');
  const evidence = 'The harbour crane was built in 1954.';
  return withFolder({ 'town.md': `# Town\n\n${other} ${evidence} ${other}\n`, 'last.md': `${other} ${evidence}` }, async (folder) => {
    const { code, json } = await askJson([...QUESTION, folder]);
    assert.equal(code, 0);
    assert.deepEqual(json.agents.map((each) => each.status).join(), 'completed,completed,completed');
    assert.match(json.answer, /^- "The harbour crane was built in 1954\." \(last\.md:1\)$/mu);
    const alone = await askJson([...QUESTION, `${folder}/town.md`]);
    assert.match(alone.json.answer, /^- "The harbour crane was built in 1954\." \(town\.md:3\)$/mu);
  });
});

test('how high, how long and the like ask for a figure: the subject is what follows', () =>
  withFolder({ 'fees.md': 'The fee for a permit is 120 euros.\n', 'crane.md': 'The harbour crane is high.\n' }, async (folder) => {
    const { code, json } = await askJson(['--question', 'How high is the fee?', folder]);
    assert.equal(code, 0);
    assert.match(json.answer, /^- "The fee for a permit is 120 euros\." \(fees\.md:1\)$/mu);
    assert.doesNotMatch(json.answer, /crane is high/u);
  }));

test('unrelated documents give no evidence', () =>
  withFolder(TOWN, async (folder) => {
    const { code, json } = await askJson(['--question', 'Which enzyme splits lactose?', folder]);
    assert.equal(code, 3);
    assert.equal(json.outcome, 'noEvidence');
    assert.match(json.answer, /^No evidence/u);
    assert.deepEqual(json.sources, []);
  }));

const PERMIT = ['--question', 'When does the harbour crane need a permit?'];

test('what is required answers what is needed, and every document is named', () =>
  withFolder(
    {
      'daily.md': '# Everyday work\n\nThe harbour crane lifts up to 5 tonnes without a permit. The harbour crane is red.\n',
      'office.md': 'The harbour office opens at eight.\n',
      'rules.md': '# Harbour crane\n\n## Permits\n\nA permit is required when the load exceeds 20 tonnes or the wind 8 m/s.\n',
    },
    async (folder) => {
      const { code, json } = await askJson([...PERMIT, folder]);
      assert.equal(code, 0);
      assert.equal(
        json.answer,
        '- "A permit is required when the load exceeds 20 tonnes or the wind 8 m/s." (rules.md:5)\n' +
          '- "The harbour crane lifts up to 5 tonnes without a permit." (daily.md:3)\n\nNo evidence in: office.md.',
      );
    },
  ));

test('every document that answers is named or counted', () =>
  withFolder(
    {
      ...Object.fromEntries(
        Array.from({ length: 35 }, (_, at) => [`d${at + 10}.md`, `The harbour crane ${at} needs a permit above ${at} tonnes.\n`]),
      ),
      'e.md': 'The harbour crane 7 needs a permit above 7 tonnes.\n',
    },
    async (folder) => {
      const { json } = await askJson([...PERMIT, '--budget', '900000', folder]);
      assert.equal(json.answer.match(/^- "/gmu)?.length, 8);
      assert.match(json.answer, /^The same stands in: e\.md:1\.$/mu);
      assert.match(json.answer, /^27 more documents with an answer: (?:d\d\d\.md:1, ){20}7 more\.$/mu);
      assert.doesNotMatch(json.answer, /not named above/u);
    },
  ));

test('a budget too small for one turn starts nothing and says so', () =>
  withFolder(TOWN, async (folder) => {
    const { code, stdout, stderr } = await run([...QUESTION, '--budget', '100', folder]);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.equal(stderr, '--budget needs a whole number of at least 2000, got "100"\nSee --help.\n');
    assert.equal((await run([...QUESTION, '--budget', '2000', folder])).code, 4);
  }));

test('a budget that runs out keeps what was found and is not overspent', () =>
  withFolder({ ...TOWN, 'a.md': 'The harbour crane was built in 1954.\n' }, async (folder) => {
    // With one slot the first document is done before the budget is short.
    const args = [...QUESTION, '--max-concurrent', '1', folder];
    const { json: whole } = await askJson(args);
    const budget = Math.floor((whole.statistics.tokens.lead + whole.statistics.tokens.subAgents) * 0.8);
    const { code, json } = await askJson([...args, '--budget', String(budget)]);
    assert.equal(code, 4);
    assert.equal(json.outcome, 'partial');
    assert.ok(json.statistics.tokens.lead + json.statistics.tokens.subAgents <= budget);
    assert.equal(json.agents.find((each) => each.name === 'a.md')?.status, 'completed');
    assert.match(json.answer, /built in 1954\." \(a\.md:1\)/u);
  }));

test('in a pipe it prints plain lines, then answer, sources and statistics', () =>
  withFolder(TOWN, async (folder) => {
    const { code, stdout, stderr } = await run([...QUESTION, folder]);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.doesNotMatch(stdout, /[\x1b\r]/u);
    assert.match(stdout, /mill\.md +queued, waits for a slot\n/u);
    assert.match(stdout, /crane\.md +search "harbour crane built"\n/u);
    assert.match(stdout, /crane\.md +read from line 1\n/u);
    assert.match(
      stdout,
      /crane\.md +completed, 3 turns, [\d,]+ tokens, line 4: "The harbour crane was built in 1954 by a local firm\."\n/u,
    );
    assert.match(stdout, /mill\.md +completed, 2 turns, [\d,]+ tokens, found nothing\n/u);
    assert.match(stdout, /lead +delegates\n[\s\S]*lead +waits for its sub-agents\n/u);
    assert.equal(stdout.match(/lead +delegate/gu)?.length, 1, 'it has delegated once');
    assert.match(stdout, /lead +completed, 3 turns, [\d,]+ tokens, crane\.md:4 "The/u);
    assert.match(stdout, /not a language model/u);
    assert.match(stdout, /\nAnswer\n[\s\S]*\nSources\n {2}\[1\] crane\.md:4 [\s\S]*\nStatistics\n/u);
  }));

test('with --json a reader of the progress that goes away does not cost the answer', () =>
  withFolder(TOWN, async (folder) => {
    const running = start([...QUESTION, '--json', folder]);
    running.child.stderr?.destroy();
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.match((JSON.parse(stdout) as Json).answer, /built in 1954/u);
  }));

test('an answer that cannot be written is no success, and is said', { skip: existsSync('/dev/full') ? false : 'needs /dev/full' }, () =>
  withFolder(TOWN, async (folder) => {
    const { code, stderr } = runInto('/dev/full', [...QUESTION, folder]);
    assert.equal(code, 1);
    assert.equal(stderr, 'the output could not be written: ENOSPC\n');
  }),
);

test('what comes to stop it after the end finds nothing to stop', () =>
  withFolder(TOWN, async (folder) => {
    const options = parseCommandLine([...QUESTION, folder]);
    assert.ok(options);
    const stop = new AbortController();
    let written = '';
    const write = (chunk: unknown, _: unknown, done: () => void): void => {
      written += chunk;
      done();
    };
    const out = new Writable({ write }) as NodeJS.WriteStream;
    const report = await ask(options, await Library.open([folder], folder), chooseModel(undefined, 0, {}), out, stop.signal);
    assert.equal(report?.outcome, 'answered');
    const before = written;
    stop.abort();
    await new Promise(setImmediate);
    assert.equal(written, before);
  }));

test('what documents and questions say cannot steer the terminal', () =>
  withFolder({ 'a.md': 'The harbour crane was built in \x1b[31m1954\x1b[2J.\n' }, async (folder) => {
    const { code, stdout } = await run(['--question', 'When was the \x1b[2Jharbour crane built?', folder]);
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /\x1b/u);
  }));

test('a name with joiners is cited, a text with a line separator is read', () =>
  withFolder(
    { 'می\u200cخواهم.md': 'The harbour crane was built in 1954.\n', 'b.md': 'The harbour crane was\u2028built in 1961.\n' },
    async (folder) => {
      const { json } = await askJson([...QUESTION, folder]);
      assert.deepEqual(json.sources.map((each) => each.document).sort(), ['b.md', 'می\u200cخواهم.md']);
      assert.match(json.answer, /^- "The harbour crane was built in 1961\." \(b\.md:1\)$/mu);
    },
  ));

test('binary files are skipped with a reason, the rest is answered', () =>
  withFolder({ ...TOWN, 'photo.jpg': Uint8Array.of(0xff, 0xd8, 0, 0) }, async (folder) => {
    const { code, stderr } = await run([...QUESTION, folder]);
    assert.equal(code, 0);
    assert.equal(stderr, 'skipped photo.jpg: binary\n');
  }));

test('a document that vanishes while it is asked about makes the answer partial', () =>
  withFolder({ 'a.md': 'The harbour crane was built in 1954.\n', 'b.md': 'Nothing of it.\n' }, async (folder) => {
    const options = parseCommandLine([...QUESTION, folder]);
    assert.ok(options);
    const library = await Library.open([folder], folder);
    await rm(`${folder}/a.md`);
    const out = new Writable({ write: (_chunk, _encoding, done) => done() }) as NodeJS.WriteStream;
    const report = await ask(options, library, chooseModel(undefined, 0, {}), out, new AbortController().signal);
    assert.equal(report?.outcome, 'partial');
    assert.equal(report?.error, 'no longer readable: a.md');
    assert.match(report?.answer ?? '', /^No evidence in 1 of 2 documents\.\nNot answered: a\.md\.$/u);
  }));

test('of many files that are left out the first are named and the rest is counted', () =>
  withFolder(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`b${at + 10}.bin`, '\0'])), async (folder) => {
    const nothing = await run(['--question', 'Why?', folder]);
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /: b10\.bin \(binary\), .*b29\.bin \(binary\), 10 more\n/u);
    await writeFile(`${folder}/a.md`, 'The harbour crane was built in 1954.\n');
    const { code, stdout, stderr } = await run([...QUESTION, folder]);
    assert.equal(code, 0);
    assert.equal(stderr.split('\n').length, 22);
    assert.match(stderr, /\nskipped b29\.bin: binary\nskipped 10 more\n$/u);
    assert.match(stdout, /documents +1 \(30 skipped\)/u);
  }));

test('wrong usage exits with 2 and one clear line', () =>
  withFolder({ 'only.bin': Uint8Array.of(0, 1, 2), 'empty/.keep': '' }, async (folder) => {
    const cases: [string[], RegExp][] = [
      [['--bogus'], /^Unknown option '--bogus'\nSee --help\.\n$/u],
      [['--question', 'Why?', `${folder}/missing`], /missing: no such file or folder/u],
      [['--question', 'Why?', `${folder}/empty`], /empty: it is empty/u],
      [['--question', 'Why?', ''], /^a folder or file with an empty name\n/u],
      [['--question', 'Why?', folder], /nothing readable in .*only\.bin \(binary\)/u],
      [['--budget', 'lots'], /--budget needs a whole number of at least 2000, got "lots"/u],
      [['--max-concurrent', '0'], /--max-concurrent needs a whole number/u],
      // Of one's own documents the default question makes no sense.
      [['../README.md'], /^which question\? --question "…" asks it of these documents\nSee --help\.\n$/u],
      [['--question', ' '], /--question is empty/u],
      [['--base-url', 'http://localhost/v1', '--model', ''], /--model is empty/u],
      [['--model', 'm'], /--base-url and --model belong together/u],
      [['--base-url', 'file:///etc', '--model', 'm'], /needs an http or https address/u],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
      assert.equal(stdout, '');
    }
  }));

test('--help names every exit code', async () => {
  const { code, stdout } = await run(['--help']);
  assert.equal(code, 0);
  for (const each of [0, 1, 2, 3, 4, 130]) assert.match(stdout, new RegExp(`^ +${each} +\\S`, 'mu'));
});
