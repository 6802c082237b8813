// What the types of the `SubAgent` tool allow: the configuration of source 2 as it stands there, and the ways
// that frameworks call it; checked by `tsc -p tests`, never run.

import {
  type AgentTool,
  type AgentTools,
  createSubAgentTool,
  type SpawnSubAgent,
  type StandaloneSubAgentTool,
  SUB_AGENT_TOOL_NAME,
  type SubAgentDetails,
  type SubAgentManager,
  type SubAgentParams,
  type SubAgentParamsType,
  type SubAgentTool,
  type SubAgentToolConfig,
  type ToolContent,
} from '../../dist/index.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

// S2.14 S2.15 S2.17 S2.18 S2.20 S2.21 S2.22: a configuration typed as the source types it.
interface SourceConfig {
  spawnSubAgent: (params: SubAgentParamsType) => Promise<{
    taskId: string;
    output: string;
    status: string;
    usage: { turns: number; cost: number; durationMs: number };
  }>;
  spawnBackgroundSubAgent: (params: SubAgentParamsType) => Promise<{ taskId: string }>;
  canSpawn: () => boolean;
  checkConsumerSpawn?: () => { allowed: boolean; reason?: string };
  getConcurrencyInfo: () => { active: number; limit: number };
  getModelId: () => string;
}
declare const source: SourceConfig;
const config: SubAgentToolConfig = source;
const tool = createSubAgentTool(source);
same<typeof tool, StandaloneSubAgentTool>(true);
// A manager's host function is one of the tool's, too.
declare const host: SpawnSubAgent;
createSubAgentTool({ spawnSubAgent: host });
createSubAgentTool({ ...source, onDetails: (details, id) => void [details.taskId, id?.length] });

// @ts-expect-error canSpawn is required
const { canSpawn: _, ...lacking }: SourceConfig = createSubAgentTool;
declare const without: Omit<SourceConfig, 'spawnSubAgent'>;
// @ts-expect-error spawnSubAgent is required
createSubAgentTool(without);
// @ts-expect-error canSpawn answers at once
createSubAgentTool({ ...source, canSpawn: async () => true });
// @ts-expect-error there is no such function
createSubAgentTool({ ...source, onDone: () => undefined });
// D6: both host functions get the run, so that a second parameter that is the host's own doesn't compile.
createSubAgentTool({ ...source, spawnSubAgent: async (params, run) => ({ output: `${params.instructions} ${run.signal.aborted}` }) });
createSubAgentTool({ ...source, spawnBackgroundSubAgent: async (_, run) => ({ taskId: run.taskId }), graceMs: 5, onError: console.error });
declare const takesOptions: (params: SubAgentParamsType, options?: { parentSpan?: string }) => Promise<{ output: string }>;
// @ts-expect-error its second parameter would be a run
createSubAgentTool({ ...source, spawnSubAgent: takesOptions });
createSubAgentTool({ ...source, spawnSubAgent: (params) => takesOptions(params) });
declare const startsWithOptions: (params: SubAgentParamsType, options?: { parentSpan?: string }) => Promise<{ taskId: string }>;
// @ts-expect-error its second parameter would be a run
createSubAgentTool({ ...source, spawnBackgroundSubAgent: startsWithOptions });
void [config, lacking];

// S2.05 – S2.12: the parameters, and their type.
same<
  Required<SubAgentParamsType>,
  { instructions: string; tools: string[]; systemPrompt: string; maxTurns: number; maxCost: number; background: boolean }
>(true);
const least: SubAgentParamsType = { instructions: 'x' };
// @ts-expect-error instructions are required
const none: SubAgentParamsType = {};
same<(typeof SubAgentParams)['type'], 'object'>(true);
same<keyof (typeof SubAgentParams)['properties'], keyof SubAgentParamsType>(true);
void [least, none];

// S2.13: the details.
same<SubAgentDetails['durationMs'], number | null>(true);
same<SubAgentDetails['turns'], number | null>(true);
same<SubAgentDetails['cost'], number | null>(true);
same<SubAgentDetails['modelId'], string | undefined>(true);
const details: SubAgentDetails = { taskId: 'x', background: false, status: 'completed', durationMs: null, turns: null, cost: null };
void details;

// S2.23
const name: string = SUB_AGENT_TOOL_NAME;
void name;

// S2.24: the ways of calling.
const text: Promise<string> = tool.execute({ instructions: 'x' });
const withOptions: Promise<string> = tool.execute({ instructions: 'x' }, { abortSignal: new AbortController().signal, toolCallId: 'x' });
const pi: Promise<ToolContent> = tool.execute('call-1', { instructions: 'x' }, new AbortController().signal);
const piOfAny: Promise<ToolContent> = tool.execute('call-1', JSON.parse('{}'));
// @ts-expect-error called with the arguments it resolves to text
const mixed: Promise<ToolContent> = tool.execute({ instructions: 'x' });
void [text, withOptions, pi, piOfAny, mixed];

// What frameworks ask for structurally.
const plain: { name: string; description: string; parameters: object; execute: (args: unknown) => Promise<string> } = tool;
const aiSdk: {
  description?: string;
  inputSchema: object;
  execute: (args: unknown, options: { toolCallId: string; abortSignal?: AbortSignal }) => Promise<string>;
} = tool;
const piTool: { execute: (toolCallId: string, params: unknown, signal?: AbortSignal) => Promise<ToolContent> } = tool;
void [plain, aiSdk, piTool];

// A Standard Schema.
interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly { readonly message: string }[] };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
const schema: StandardSchemaV1<SubAgentParamsType> = tool.parameters;
void schema;

// As a method.
declare const manager: SubAgentManager;
same<ReturnType<SubAgentManager['createSubAgentTool']>, SubAgentTool>(true);
manager.createSubAgentTool({ onDetails: (given) => given.status.length });
// @ts-expect-error there is no such option
manager.createSubAgentTool({ onEnd: () => undefined });
// @ts-expect-error a tool is not to be changed
tool.name = 'x';

// The set of tools.
const tools: AgentTools = manager.createTools();
manager.createTools({
  preset: 'claude',
  names: { spawn: 'Delegate' },
  include: ['spawn', 'wait'],
  onDetails: (given) => given.taskId.length,
});
manager.session('a').createTools({ preset: 'opencode' });
manager.createTools({ idempotencyKey: undefined, origin: { channel: undefined, chatId: undefined } });
manager.createSubAgentTool({ idempotencyKey: undefined, origin: () => ({ chatId: undefined }) });
// @ts-expect-error there is no such preset
manager.createTools({ preset: 'none' });
// @ts-expect-error there is no such operation
manager.createTools({ include: ['fly'] });
const list: AgentTool[] = [...tools];
const named: Promise<string> | undefined = tools.wait_agents?.execute({ agent_ids: [] }, { onUpdate: ({ text }) => text.length });
// @ts-expect-error a set of tools is not to be changed
tools.mine = list[0];
void [list, named];
