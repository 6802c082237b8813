// The set of tools for a model: `scope.createTools()`. Owns the choice of tools, their names and their descriptions:
// when and how to delegate, and the limits in force. Owns also the texts of parameters that depend on the tool or the
// host: `mode`, `limit`, `profile`, `agent`.

import { invalid, SubAgentError } from '../base/errors.js';
import { counted } from '../base/text.js';
import type { Actor } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import type { Parts } from '../commands/parts.js';
import { DEFAULT_WAIT_MS } from '../generated/limits.js';
import { listOf, noOtherOptions, optionsOf, readArgument } from '../options/arguments.js';
import type { SubAgentParamsType } from '../options/generated/spawn.js';
import { askTool } from './ask.js';
import type { OperationDetails, ToolNames } from './attempt.js';
import { checkFields, type Field, type FieldSchema, notDone, schemaOf } from './fields.js';
import { type Acting, OPERATIONS, type Operation, TOOLS } from './generated/tools.js';
import { type Naming, TOOL_PRESETS, type ToolPreset } from './naming.js';
import { type AgentTool, toolObject } from './object.js';
import { type Operated, Operations } from './operations.js';
import { IN_ONE_TOOL, type Meaning, SCHEMAS } from './parameters.js';
import { askNameOf, tableOf } from './presets.js';
import { SpawnCall } from './spawn-call.js';
import { spawnTool, toolBy, withAgents } from './tool.js';
import type { CheckedArguments } from './tool-arguments.js';
import { type SubAgentDetails, type SubAgentToolOptions, TOOL_OPTIONS, toolOptionsOf } from './tool-options.js';

/** Options of `createTools`. */
export interface ToolsOptions extends SubAgentToolOptions {
  /** The names of the tools and of their parameters. @default 'subagents' */
  preset?: ToolPreset | undefined;
  /**
   * Names of your own, by operation; `ask` names the question tool.
   *
   * At `maxDepth`, spawn tools with the usual names are blocked. Leave out one with a name of your own there.
   */
  names?: Partial<Record<Operation | 'ask', string | undefined>> | undefined;
  /** Which tools are made. Default: those of the preset. An empty list, with `ask`, makes the question tool alone. */
  include?: readonly Operation[] | undefined;
  /**
   * Only in `run.createTools`: adds a tool, `ask_parent`, that asks the agent which gave the task.
   *
   * In the preset `claude` it is `AskParent`. It is `run.ask` with the manager's `askTimeoutMs`; it returns the answer as text,
   * or that there is none. Anywhere else `true` is `invalid_argument`. @default false
   */
  ask?: boolean | undefined;
}

/** The tools by name, as the AI SDK and Mastra take them; iterated, they are a list. */
export type AgentTools = { readonly [name: string]: AgentTool<Record<string, unknown>, SubAgentDetails | OperationDetails> } & Iterable<
  AgentTool<Record<string, unknown>, SubAgentDetails | OperationDetails>
>;

/** Makes the tools of a scope. `actor` is the caller of their operations: a session or a run, never the program (A1). */
export function createTools(runtime: Parts, scope: Operated, actor: Actor, options: ToolsOptions = {}): AgentTools {
  const { preset, names, include, ask, call } = readArgument('the options of createTools', () => read(options));
  if (call.agent !== undefined) runtime.agents.expect(call.agent);
  const table = tableOf(preset);
  const asked = include ?? table.usual;
  const wanted = OPERATIONS.filter((operation) => asked.includes(operation));
  const naming = (operation: Operation): Naming => ({ ...table.tools[operation], ...(names[operation] && { name: names[operation] }) });
  const known: ToolNames = {};
  for (const operation of wanted) known[operation] = { name: naming(operation).name, target: naming(operation).fields.target };
  const operations = new Operations(runtime, scope, actor, known, call.foregroundMs);
  const tools: Record<string, AgentTool<never, never>> = {};
  const add = (name: string, make: () => unknown): void => {
    if (Object.hasOwn(tools, name)) throw new SubAgentError('invalid_argument', `two tools would be called ${name}`, { argument: 'names' });
    tools[name] = make() as AgentTool<never, never>;
  };
  for (const operation of wanted) {
    const named = naming(operation);
    add(named.name, () =>
      operation === 'spawn'
        ? spawning(runtime, actor, call, operations, named, known)
        : acting(runtime, actor, operations, operation, named, call.foregroundMs),
    );
  }
  const askName = names.ask ?? askNameOf(preset);
  if (ask) add(askName, () => askTool(runtime, scope, askName));
  Object.defineProperty(tools, Symbol.iterator, { value: () => Object.values(tools)[Symbol.iterator]() });
  return tools as unknown as AgentTools;
}

const AN_OBJECT = "an object such as { include: ['spawn', 'wait'] }";
const A_LIST = `a list of ${OPERATIONS.join(', ')}`;

function operationOf(operation: unknown, what: string): Operation {
  if (OPERATIONS.includes(operation as Operation)) return operation as Operation;
  throw invalid(what, `one of ${OPERATIONS.join(', ')}`, operation);
}

/** Options by which a program may try to choose tools. */
const CHOICES = ['only', 'exclude', 'pick', 'omit', 'tools', 'operations'];
const CHOOSE =
  'it returns an object with every tool by its name; pass on those that you want, as in `const { spawn_agent } = manager.createTools()`';

interface Read {
  preset: ToolPreset;
  names: NonNullable<ToolsOptions['names']>;
  include: readonly Operation[] | undefined;
  ask: boolean;
  call: SubAgentToolOptions;
}

function read(options: ToolsOptions): Read {
  const { preset = 'subagents', names = {}, include, ask = false, ...rest } = optionsOf('the options of createTools', options, AN_OBJECT);
  if (!TOOL_PRESETS.includes(preset)) throw invalid('`preset`', `one of ${TOOL_PRESETS.join(', ')}`, preset);
  const { kept: call, others } = toolOptionsOf('the options of createTools', rest);
  const choice = CHOICES.find((name) => Object.hasOwn(others, name));
  if (choice !== undefined)
    throw new SubAgentError('invalid_argument', `createTools has no option \`${choice}\`: ${CHOOSE}`, { argument: choice });
  noOtherOptions('createTools', others, [...TOOL_OPTIONS, 'preset', 'names', 'include', 'ask']);
  if (typeof ask !== 'boolean') throw invalid('`ask`', 'a boolean', ask);
  const named = optionsOf('`names`', names, "an object such as { spawn: 'delegate' }");
  for (const [operation, name] of Object.entries(named)) {
    if (name === undefined) continue;
    if (operation !== 'ask' && !OPERATIONS.includes(operation as Operation))
      throw invalid('a key of `names`', `one of ${[...OPERATIONS, 'ask'].join(', ')}`, operation);
    // The names that every provider takes for a tool.
    if (typeof name !== 'string' || !/^[A-Za-z_][\w-]{0,63}$/.test(name))
      throw invalid(`\`names.${operation}\``, 'a name of at most 64 letters, digits, _ and -', name);
  }
  const included = include === undefined ? undefined : listOf('`include`', A_LIST, include, operationOf);
  return { preset, names: named, include: included, ask, call };
}

/** The parameters of a tool, which depend on the host's limits. `inTool`: those of the `SubAgent` tool. */
function fieldsOf(
  runtime: Parts,
  naming: Naming,
  operation: Operation,
  inTool: Partial<Record<string, FieldSchema>> = {},
  foregroundMs = Number.POSITIVE_INFINITY,
): Field[] {
  const { names, descriptions } = runtime.agents;
  // Without a defined agent, the kind of agent is not offered.
  const offered = Object.entries(naming.fields).filter(([means]) => means !== 'agent' || names.length > 0);
  return offered.map(([means, name]) => {
    const meaning = means as Meaning;
    const common = ((SCHEMAS as Partial<Record<Meaning, FieldSchema>>)[meaning] ?? inTool[meaning]) as FieldSchema;
    let schema: FieldSchema = { ...common, ...IN_ONE_TOOL[`${operation} ${meaning}`] };
    if (meaning === 'maxTurns') {
      const limit = limitOf(runtime, 'maxTurns');
      if (Number.isFinite(limit)) schema = { ...schema, description: `${schema.description} Default: ${limit}.` };
    } else if (meaning === 'agent') {
      schema = { ...schema, description: `${schema.description}\n${descriptions}` };
    } else if (meaning === 'timeoutMs') {
      schema = { ...schema, description: `${schema.description} ${waitedMs(foregroundMs)}` };
    } else if (meaning === 'target' && operation === 'send' && !naming.required.includes('target')) {
      schema = { ...schema, description: `${schema.description} Leave it out for the one of yours that changed last.` };
    }
    return { means, name, schema, required: naming.required.includes(meaning) };
  });
}

function spawning(
  runtime: Parts,
  actor: Actor,
  given: SubAgentToolOptions,
  operations: Operations,
  naming: Naming,
  known: ToolNames,
): unknown {
  const shown = toolBy(runtime, (described) => withAgents(runtime, described));
  const fields = fieldsOf(runtime, naming, 'spawn', shown.schema.properties as Record<string, FieldSchema>);
  const read = (args: unknown): CheckedArguments => {
    const checked = checkFields(fields, args);
    if ('mistakes' in checked) return checked;
    const params = { ...checked.params, ...(naming.background && { background: true }) } as unknown as SubAgentParamsType;
    return { params, checked: params };
  };
  // A model without a tool to send with can't answer a question.
  const options = { canAnswer: known.send !== undefined, ...given };
  const [collect, rest, answer] = [known.wait?.name, known.read?.name, known.send?.name];
  const call = new SpawnCall(runtime, actor, options, { collect, rest, answer, fields: naming.fields });
  const tool = {
    name: naming.name,
    description: describeSpawn(runtime, naming, known, shown.description, given),
    schema: schemaOf(fields),
    fields,
    check: read,
  };
  if (naming.fields.continues === undefined) return spawnTool(call, tool);
  return spawnTool(call, tool, (checked, context) => {
    if (!('params' in checked)) return undefined;
    const { continues, instructions, background } = checked.params as SubAgentParamsType & { continues?: string };
    if (continues === undefined) return undefined;
    const json = given.format === 'json';
    const body = () => operations.continueWith(continues, instructions, background === true, context, json);
    return call.told(operations.instead(body, background === true, json), context);
  });
}

/** When and how to delegate, in the core's words, and this host's limits. */
function describeSpawn(runtime: Parts, naming: Naming, known: ToolNames, words: string, given: SubAgentToolOptions): string {
  const parts = [words];
  const { foregroundMs = Number.POSITIVE_INFINITY } = given;
  const turns = limitOf(runtime, 'maxTurns');
  const minutes = limitOf(runtime, 'timeoutMs') / 60_000;
  const limits: string[] = [];
  if (Number.isFinite(turns)) limits.push(counted(turns, 'turn'));
  if (Number.isFinite(minutes)) limits.push(timeOf(minutes * 60_000));
  if (limits.length > 0) parts.push(`Each has ${limits.join(' and ')} unless it is given less.`);
  const background = naming.background === true || naming.fields.background !== undefined;
  if (naming.background === true) parts.push('It runs in the background: this returns at once with its id.');
  if (naming.background !== true && Number.isFinite(foregroundMs))
    parts.push(`One that still runs after ${timeOf(foregroundMs)} continues in the background.`);
  if (background && known.wait !== undefined) parts.push(`${known.wait.name} collects the result of one in the background.`);
  return parts.join(' ');
}

/** The default and the maximum wait of a call. */
function waitedMs(foregroundMs: number): string {
  const most = Number.isFinite(foregroundMs) ? ` No call waits longer than ${foregroundMs}.` : '';
  return `Default: ${Math.min(DEFAULT_WAIT_MS, foregroundMs)}.${most}`;
}

/** A time in its usual unit, never rounded to 0. */
function timeOf(ms: number): string {
  if (ms >= 60_000) return counted(Math.round(ms / 60_000), 'minute');
  return ms >= 1_000 ? counted(Math.round(ms / 1_000), 'second') : counted(Math.max(1, Math.round(ms)), 'millisecond');
}

function acting(
  runtime: Parts,
  actor: Actor,
  operations: Operations,
  operation: Acting,
  naming: Naming,
  foregroundMs: number | undefined,
): unknown {
  const fields = fieldsOf(runtime, naming, operation, {}, foregroundMs);
  const { label, description } = TOOLS[operation];
  const check = (args: unknown): ReturnType<typeof checkFields> => checkFields(fields, args);
  return toolObject<Record<string, unknown>, OperationDetails>(runtime, {
    operation,
    name: naming.name,
    label,
    description,
    schema: schemaOf(fields),
    fields,
    check,
    async call(args, context) {
      runtime.check();
      const checked = check(args);
      if ('params' in checked) return operations.call(operation, checked.params, context);
      if (operation === 'send')
        runtime.refusals.report('send', actor, null, new SubAgentError('invalid_argument', checked.mistakes.join('; ')));
      return { text: notDone(checked), details: { operation, taskIds: [], ok: false } };
    },
    detailsOf: ({ taskId }) => ({ operation, taskIds: [taskId], ok: true }),
  });
}
