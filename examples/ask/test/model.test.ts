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
const used = (toolName: string, input: object, value: string): LanguageModelV3Prompt => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName, input }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName, output: { type: 'text', value } }] },
];
const LISTED = [...ASKED, ...used('list', {}, '2 documents:\n- a b.md (3 lines, 1,020 bytes)\n- c.md (1 line, 9 bytes)')];

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

test('of one document it searches, then reads around what it found', async () => {
  const asked: LanguageModelV3Prompt = [
    { role: 'user', content: [{ type: 'text', text: 'Document: a b.md\nQuestion: What color is the sky?' }] },
  ];
  const searched = await step({ prompt: asked, tools: [READ, SEARCH] });
  assert.deepEqual(searched.calls, [{ name: 'search', args: { query: 'color sky', path: 'a b.md' } }]);
  const found = 'a b.md:4: The sky.\na b.md:9: Its color.\na b.md:90: A sky.';
  const read = await step({ prompt: [...asked, ...used('search', { query: 'color sky', path: 'a b.md' }, found)], tools: [READ, SEARCH] });
  // The second hit is in sight of the first.
  assert.deepEqual(read.calls, [
    { name: 'read', args: { path: 'a b.md', from: 1, count: 14 } },
    { name: 'read', args: { path: 'a b.md', from: 84, count: 17 } },
  ]);
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

test('sentences know their first line; code, front matter and headings are none', () => {
  const text = '---\ntitle: T\n---\n# Head\nIt ends here. A second,\ne.g. this one, goes on.\n```ts\nconst x = 1.\n```\n- An item.';
  const lines = text.split('\n').map((each, at) => ({ line: at + 1, text: each }));
  assert.deepEqual(
    sentencesOf('a.md', lines, lines.length).map((each) => [each.line, each.text, each.around]),
    [
      [5, 'It ends here.', 'Head'],
      [5, 'A second, e.g. this one, goes on.', 'Head › It ends here.'],
      [10, 'An item.', 'Head'],
    ],
  );
});

test('headings are kept from the outermost on, and units and tags end nothing', () => {
  const text = '# Crane\n## Rules\n### Wind\nOne is 8 m/s. Two.\n## Load\n<Tag\n  name="x"\n/>\nThree by A. Smith.\n# Other\nFour.';
  const lines = text.split('\n').map((each, at) => ({ line: at + 1, text: each }));
  assert.deepEqual(
    sentencesOf('a.md', lines, lines.length).map((each) => [each.text, each.around]),
    [
      ['One is 8 m/s.', 'Crane › Rules › Wind'],
      ['Two.', 'Crane › Rules › Wind › One is 8 m/s.'],
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

test('what is required answers what is needed; what affirms goes before what denies, unless the question denies', () => {
  const items = [
    { text: 'The crane lifts 5 tonnes without a permit.' },
    { text: 'A permit is required when the load of the crane exceeds 20 tonnes.' },
    { text: 'The crane may not be moved without a permit.' },
  ];
  const order = (question: string): number[] => rank(question, items).map((each) => items.findIndex(({ text }) => text === each.text));
  assert.equal(order('When does the crane need a permit?').at(-1), 0);
  assert.equal(order('When does the crane need a permit?')[0], 1);
  assert.equal(order('When does the crane not need a permit?')[0], 0);
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
