// The `SubAgent` tool: one object that frameworks take unchanged. Owns how it is made for an actor and how it is
// called; the core has its texts and its schema, `spawn-call.ts` does the call.

import type { SubAgentToolObject } from '../../pkg/subagents.js';
import { type Actor, PROGRAM } from '../boundary/key.js';
import type { Parts } from '../commands/parts.js';
import { noOtherOptions, readArgument } from '../options/arguments.js';
import type { SubAgentParamsType } from '../options/generated/spawn.js';
import { type Field, fieldsIn } from './fields.js';
import { type AgentTool, type ToolAnswer, type ToolCallContext, type ToolSchema, toolObject } from './object.js';
import { SpawnCall } from './spawn-call.js';
import { type CheckedArguments, checkArguments } from './tool-arguments.js';
import { type SubAgentDetails, type SubAgentToolOptions, TOOL_OPTIONS, toolOptionsOf } from './tool-options.js';

/** The parameters of the `SubAgent` tool, as JSON Schema and Standard Schema. */
export type ToolParameters = ToolSchema<SubAgentParamsType>;

/** The `SubAgent` tool, by which a model spawns. */
export type SubAgentTool = AgentTool<SubAgentParamsType, SubAgentDetails>;

/** Makes the tool for an actor; the core describes it. `isAlone`: no inbox delivers ends, so its answers do. */
export function createTool(runtime: Parts, actor: Actor, options: SubAgentToolOptions = {}, isAlone = false): SubAgentTool {
  const { kept, others } = readArgument('the options of the tool', () =>
    toolOptionsOf('the options of the tool', options, "an object such as { format: 'json' }"),
  );
  noOtherOptions('createSubAgentTool', others, TOOL_OPTIONS);
  if (kept.agent !== undefined) runtime.agents.expect(kept.agent);
  return toolBy(runtime, (described) => assemble(runtime, actor, kept, described, isAlone));
}

/** The core's description of the tool. */
export type Described = Pick<SubAgentToolObject, 'name' | 'description' | 'parameters'>;

/** Has the core describe the tool, and makes the tool from that. */
export function toolBy<Tool>(runtime: Parts, make: (described: Described) => Tool): Tool {
  return runtime.call((core) => core.createSubAgentTool(make)) as unknown as Tool;
}

/** The tool of the core's own export if no maker is given: for the program. */
export function programTool(runtime: Parts, described: Described): SubAgentTool {
  return assemble(runtime, PROGRAM, {}, described);
}

function assemble(runtime: Parts, actor: Actor, options: SubAgentToolOptions, described: Described, isAlone = false): SubAgentTool {
  const { description, schema } = withAgents(runtime, described);
  const fields = fieldsIn(schema);
  const check = (args: unknown): CheckedArguments => checkArguments(args, fields);
  return spawnTool(new SpawnCall(runtime, actor, options, {}, isAlone), { name: described.name, description, schema, fields, check });
}

/** The tool's description, with the parameter `agent` if there are definitions. */
export function withAgents(
  runtime: Parts,
  { description, parameters }: Described,
): { description: string; schema: Pick<ToolParameters, 'properties' | 'required'> } {
  const { names, descriptions } = runtime.agents;
  const schema = parameters as ToolParameters;
  if (names.length === 0) return { description, schema: { ...schema } };
  const agent = { type: 'string', enum: names, description: 'What kind of sub-agent. Leave it out for a general one.' };
  return {
    description: `${description}\n\nWhat \`agent\` may name:\n${descriptions}`,
    schema: { ...schema, properties: { ...schema.properties, agent } },
  };
}

/** A tool that spawns, under any name and with any arguments, unless `instead` gives the answer. */
export function spawnTool<Params>(
  call: SpawnCall,
  described: { name: string; description: string; schema: object; fields: readonly Field[]; check: (args: unknown) => CheckedArguments },
  instead?: (checked: CheckedArguments, context: ToolCallContext) => Promise<ToolAnswer<SubAgentDetails>> | undefined,
): AgentTool<Params, SubAgentDetails> {
  const { name, description, schema, fields, check } = described;
  return toolObject<Params, SubAgentDetails>(call.runtime, {
    operation: 'spawn',
    name,
    label: 'Sub-agent',
    description,
    schema,
    fields,
    check: (args) => check(args) as unknown as { params: Params } | { mistakes: string[] },
    async call(args, context) {
      const checked = check(args);
      // Within the call, so that parallel calls in one step of the model find its sub-agent.
      return instead?.(checked, context) ?? call.run(checked, context);
    },
    detailsOf: ({ taskId, turn }) => ({ taskId, background: false, status: 'running', durationMs: null, turns: turn, cost: null }),
  });
}
