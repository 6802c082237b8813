// The extractive model: it decides from its own messages and the tools' schemas, and from nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { rank } from '../dist/model/rank.js';
import { ExtractiveRanker } from '../dist/model/ranker.js';
import { sentencesOf } from '../dist/model/sentences.js';
import { stemOf, subjectOf } from '../dist/model/words.js';

function tool(name: string, description: string, required: string[], optional: string[] = []): LanguageModelV3FunctionTool {
  const properties = Object.fromEntries([...required, ...optional].map((each) => [each, { type: 'string' as const }]));
  return { type: 'function', name, description, inputSchema: { type: 'object', properties, required } };
}

const LIST = tool('list', 'Lists what there is.', []);
const READ = tool('read', 'Gives lines.', ['path'], ['from', 'count']);
const SEARCH = tool('search', 'Finds lines.', ['query'], ['path']);
const DELEGATE = tool('SubAgent', 'Starts a helper.', ['instructions'], ['tools']);

const ASKED: LanguageModelV3Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Question: What color is the sky?' }] }];
const LISTED: LanguageModelV3Prompt = [
  ...ASKED,
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: {} }] },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'list',
        output: { type: 'text', value: '2 documents:\n- a b.md (3 lines, 20 bytes)\n- c.md (1 lines, 9 bytes)' },
      },
    ],
  },
];

async function step(options: LanguageModelV3CallOptions) {
  const { content, usage } = await new ExtractiveRanker().doGenerate(options);
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [{ name: part.toolName, args: JSON.parse(part.input) }] : []));
  return { calls, text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''), usage };
}

test('it lists first', async () => {
  const { calls } = await step({ prompt: ASKED, tools: [DELEGATE, READ, LIST] });
  assert.deepEqual(calls, [{ name: 'list', args: {} }]);
});

test('with a delegate tool it delegates every document in one step', async () => {
  const { calls } = await step({ prompt: LISTED, tools: [LIST, READ, SEARCH, DELEGATE] });
  assert.deepEqual(
    calls.map((each) => each.name),
    ['SubAgent', 'SubAgent'],
  );
  assert.match(calls[0]?.args.instructions, /^Document: a b\.md\nQuestion: What color is the sky\?$/mu);
  assert.deepEqual(calls[0]?.args.tools, ['search', 'read']);
});

test('without it, it looks into the first document itself: search if there is one, else read', async () => {
  const searched = await step({ prompt: LISTED, tools: [LIST, READ, SEARCH] });
  assert.deepEqual(searched.calls, [{ name: 'search', args: { query: 'color sky', path: 'a b.md' } }]);
  const read = await step({ prompt: LISTED, tools: [LIST, READ] });
  assert.deepEqual(read.calls, [{ name: 'read', args: { path: 'a b.md', from: 1 } }]);
});

test('without any tool it knows nothing', async () => {
  const { calls, text } = await step({ prompt: ASKED });
  assert.deepEqual(calls, []);
  assert.match(text, /^No evidence/u);
});

test('tool choice none makes it answer', async () => {
  const { calls } = await step({ prompt: LISTED, tools: [LIST, READ, DELEGATE], toolChoice: { type: 'none' } });
  assert.deepEqual(calls, []);
});

test('usage grows with the prompt, and counts UTF-8 bytes ÷ 4', async () => {
  const short = await step({ prompt: ASKED });
  const long = await step({ prompt: LISTED });
  assert.equal(short.usage.inputTokens.total, Math.ceil((JSON.stringify(ASKED).length + '[]'.length) / 4));
  assert.ok((long.usage.inputTokens.total ?? 0) > (short.usage.inputTokens.total ?? 0));
});

test('a stream carries what generate gives', async () => {
  const options = { prompt: LISTED, tools: [LIST, READ, DELEGATE] };
  const model = new ExtractiveRanker();
  const whole = await model.doGenerate(options);
  const { stream } = await model.doStream(options);
  let text = '';
  const calls: unknown[] = [];
  let finish: unknown;
  for await (const part of stream) {
    if (part.type === 'text-delta') text += part.delta;
    if (part.type === 'tool-call') calls.push(part);
    if (part.type === 'finish') finish = part;
  }
  assert.deepEqual([{ type: 'text', text }, ...calls], whole.content);
  assert.deepEqual(finish, { type: 'finish', finishReason: whole.finishReason, usage: whole.usage });
});

test('sentences know their first line; code, front matter and headings are none', () => {
  const text = '---\ntitle: T\n---\n# Head\nIt ends here. A second,\ne.g. this one, goes on.\n```ts\nconst x = 1.\n```\n- An item.';
  const lines = text.split('\n').map((each, at) => ({ line: at + 1, text: each }));
  assert.deepEqual(
    sentencesOf('a.md', lines, lines.length).map((each) => [each.line, each.text, each.heading]),
    [
      [5, 'It ends here.', 'Head'],
      [5, 'A second, e.g. this one, goes on.', 'Head'],
      [10, 'An item.', 'Head'],
    ],
  );
});

test('headings are kept from the outermost on, and units and tags end nothing', () => {
  const text = '# Crane\n## Rules\n### Wind\nOne is 8 m/s. Two.\n## Load\n<Tag\n  name="x"\n/>\nThree by A. Smith.\n# Other\nFour.';
  const lines = text.split('\n').map((each, at) => ({ line: at + 1, text: each }));
  assert.deepEqual(
    sentencesOf('a.md', lines, lines.length).map((each) => [each.text, each.heading]),
    [
      ['One is 8 m/s.', 'Crane › Rules › Wind'],
      ['Two.', 'Crane › Rules › Wind'],
      ['Three by A. Smith.', 'Crane › Load'],
      ['Four.', 'Other'],
    ],
  );
});

test('a sentence that holds half of the question is understood from what stands before it', () => {
  const question = 'When does the harbour crane need a permit?';
  const evidence = (text: string): string[] => {
    const lines = text.split('\n').map((each, at) => ({ line: at + 1, text: each }));
    return rank(question, sentencesOf('a.txt', lines, lines.length))
      .filter(({ isEvidence }) => isEvidence)
      .map((each) => each.text);
  };
  const rule = 'A permit is required when the load exceeds 20 tonnes.';
  assert.deepEqual(evidence(`The harbour crane stands at quay 3. ${rule} It is red.`), [rule]);
  assert.deepEqual(evidence(`${rule} The harbour crane is red.`), []);
  assert.deepEqual(evidence(`Harbour crane handbook\n\nLoads\n\n${rule}`), [rule]);
  assert.deepEqual(evidence(`The harbour office opens at eight.\n\n${rule}`), []);
});

test('what is required answers what is needed; what affirms goes before what denies, unless yes or no is asked', () => {
  const items = [
    { text: 'The crane lifts 5 tonnes without a permit.' },
    { text: 'A permit is required when the load of the crane exceeds 20 tonnes.' },
    { text: 'The crane may not be moved without a permit.' },
  ];
  const denied = (question: string): boolean[] => rank(question, items).map((each) => each.denies);
  assert.deepEqual(
    rank('When does the crane need a permit?', items).map((each) => [items.findIndex(({ text }) => text === each.text), each.denies]),
    [
      [1, false],
      [2, false],
      [0, true],
    ],
  );
  assert.deepEqual(denied('Does the crane need a permit?'), [false, false, false]);
  assert.deepEqual(rank('When does the crane not need a permit?', items)[0]?.text, items[0]?.text);
});

test('endings are cut alike on both sides, and stop words do not count', () => {
  for (const family of [
    ['step', 'steps', 'stepped', 'stepping'],
    ['cache', 'caches', 'cached', 'caching'],
    ['need', 'needs', 'needed', 'needing'],
    ['city', 'cities'],
  ]) {
    assert.equal(new Set(family.map(stemOf)).size, 1, family.join());
  }
  assert.deepEqual(subjectOf('How does the sub-agent stop?'), ['sub-agent', 'stop']);
  assert.deepEqual(subjectOf('What is it?'), ['What', 'is', 'it']);
  assert.deepEqual(subjectOf('How high is the fee?'), ['fee']);
  assert.deepEqual(subjectOf('Is the high crane old?'), ['high', 'crane', 'old']);
  assert.deepEqual(subjectOf('How high?'), ['How', 'high']);
});

test('a sentence with too little of the question is no evidence', () => {
  const items = [{ text: 'The pump was built in 1954.' }, { text: 'A pump needs oil.' }, { text: 'Nothing here.' }];
  assert.deepEqual(
    rank('When was the pump built?', items)
      .filter(({ isEvidence }) => isEvidence)
      .map((each) => each.text),
    ['The pump was built in 1954.'],
  );
});
