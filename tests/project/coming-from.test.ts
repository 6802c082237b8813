// The pages for those who come from elsewhere: every name of ours that they put beside one of theirs is there, and every
// name that the five sources give has its row.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, SubAgentManager, TOOL_PRESETS } from '../../dist/index.js';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/coming-from');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Cells of every row of every table, without the heads. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|-'))
    .map((line) => line.slice(2, -2).split(' | '));
const namesIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => (code as string).match(/[A-Za-z_]\w{2,}/g) ?? []);

/** Words of the published types, and what models see of the tools. */
function known(): Set<string> {
  const types = readdirSync(join(root, 'dist'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.d.ts'));
  const words = types.flatMap((name) => readFileSync(join(root, 'dist', name), 'utf8').match(/\w+/g) ?? []);
  const manager = new SubAgentManager({ agents: { a: { description: 'any' } } });
  for (const preset of TOOL_PRESETS)
    for (const { name, parameters } of manager.createTools({ preset, include: [...OPERATIONS] }))
      words.push(name, ...Object.keys(parameters.properties));
  manager.dispose();
  return new Set(words);
}

/** What is the language's, or another's on purpose. */
const OTHERS = new Set([
  'Infinity',
  'Promise',
  'all',
  'map',
  'list',
  'execute',
  'AskParent',
  'ask_parent',
  'question',
  'isolation',
  'researcher',
  'send_file_to_user',
  'Task',
  'ask_user',
]);

describe('the pages for those who come from elsewhere', () => {
  test('the list names every page', () => {
    for (const name of pages) expect(read('README.md')).toContain(`](${name})`);
  });

  test.each(pages)('%s: each name of ours is there', (name) => {
    const words = known();
    const missing = rowsOf(read(name)).flatMap((cells) =>
      namesIn(cells.at(-1) as string).filter((word) => !words.has(word) && !OTHERS.has(word)),
    );
    expect(missing).toEqual([]);
  });

  const faces = readdirSync(join(root, 'dist/from')).filter((name) => name.endsWith('.d.ts'));
  test.each(faces)('%s: each of its exports is on its page', (name) => {
    const page = pages.map(read).find((text) => text.includes(`from 'subagents/from/${name.slice(0, -5)}'`)) ?? '';
    const types = readFileSync(join(root, 'dist/from', name), 'utf8');
    const declared = types.matchAll(/^export (?:declare )?(?:class|function|const|interface|type) ([\w$]+)/gm);
    const passedOn = [...types.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(
      ([, names]) => (names as string).match(/\b\w+\b(?=,| ?$)/g) ?? [],
    );
    const missing = [...Array.from(declared, ([, exported]) => exported as string), ...passedOn].filter(
      (exported) => !page.includes(exported),
    );
    expect(missing).toEqual([]);
  });

  const THEIRS: [string, string][] = [
    [
      'cortex-python.md',
      'max_concurrent max_sub_agent_steps max_summary_tokens total_token_budget create_task build_sub_agent_prompt build_summary_prompt parse_summary mark_running mark_completed mark_failed cancel_task can_spawn allocate_budget get_task get_running_tasks get_completed_results get_all_tasks get_stats task_id goal context_hint max_steps token_budget status result artifacts started_at completed_at tokens_used steps_taken success summary duration_ms total_tasks running completed failed cancelled pending tokens_spent tokens_remaining',
    ],
    [
      'cortex-typescript.md',
      'SubAgentParams SubAgentParamsType SubAgentDetails SubAgentToolConfig SUB_AGENT_TOOL_NAME createSubAgentTool spawnSubAgent spawnBackgroundSubAgent canSpawn checkConsumerSpawn getConcurrencyInfo getModelId instructions tools systemPrompt maxTurns maxCost background taskId status durationMs turns cost modelId',
    ],
    [
      'calute.md',
      'SpawnedAgentHandle SpawnedAgentManager runtime_state _handles close list_handles resume send_input spawn wait handle_id agent source_agent_id status created_at updated_at prompt_profile last_input last_output error queue task closed snapshot message task_description interrupt agent_id nickname targets timeout_ms previous_status queue_size queued_preview',
    ],
    [
      'nanobot.md',
      'SubagentManager provider workspace bus model brave_api_key exec_config restrict_to_workspace spawn task label origin_channel origin_chat_id get_running_count spawn_tool message channel chat_id content _process_system_message',
    ],
    [
      'oxide.md',
      'CompletionCheckHook WorkloadDistributorHook DelegationGuardHook SubAgentSafetyHook SearchBudgetHook TimeoutReportHook BLOCKED_SUB_AGENT_TOOLS delegate_to_sub_agent create_sub_agent_runner AgentRunner SUB_AGENT_MAX_ITERATIONS SUB_AGENT_MAX_TOKENS max_iterations max_tokens blocked_tools get_agent_search_limit EphemeralSession AgentMemory child_token',
    ],
  ];
  test.each(THEIRS)('%s: each name of theirs has its place', (name, theirs) => {
    const words = new Set(read(name).match(/\w+/g));
    expect(theirs.split(' ').filter((word) => !words.has(word))).toEqual([]);
  });
});
