// Agent definitions: named sets of spawn options. Owns their fields, and that a spawn's own options override them. A spawn
// copies them, so that a task keeps them.

import { describe, invalid, SubAgentError } from '../base/errors.js';
import { nameOf, optionsOf, readArgument, unknownPart } from './arguments.js';
import { type DefinedOptions, SPAWN_OPTIONS, type SpawnOptions } from './generated/spawn.js';
import type { ValueCheck } from './schema/schema.js';
import { readSpawn, type SpawnRequest, type StagedOptions } from './spawn-options.js';
import { strings } from './values.js';

/** A kind of sub-agent. A spawn's own options override these. */
export interface AgentDefinition extends DefinedOptions {
  /** When to use it: shown to the model. */
  description: string;
  /** Its system prompt. Default: its profile's. */
  prompt?: string | undefined;
  /**
   * Tools that it never gets, even if the spawn names them. `*` stands for any characters: `mcp__slack__*`.
   *
   * An entry that fits no tool of the main agent is reported to `onError`.
   */
  disallowedTools?: readonly string[] | undefined;
  /** The model's id; `inherit`, the default, is the parent's. */
  model?: string | undefined;
}

interface ReadDefinition {
  description: string;
  request: SpawnRequest;
  staged: StagedOptions;
}

/** Fields that have another name in a spawn, or are no option of a spawn. */
const OWN = { description: true, prompt: true, model: true, disallowedTools: true } as const;

export class Agents {
  readonly #known = new Map<string, ReadDefinition>();

  /** @param agents the option of a manager */
  constructor(agents: unknown) {
    if (agents === undefined) return;
    for (const [name, definition] of Object.entries(
      optionsOf('`agents`', agents as object, 'an object such as { reader: { description, prompt } }'),
    )) {
      this.#known.set(
        name,
        readArgument(`\`agents.${name}\``, () => read(name, definition)),
      );
    }
  }

  /** The names, in the order of their definition. */
  get names(): string[] {
    return [...this.#known.keys()];
  }

  /** The names and descriptions, a line each. */
  get descriptions(): string {
    return [...this.#known].map(([name, { description }]) => `- ${name}: ${description}`).join('\n');
  }

  /** A definition's check of the values of results. */
  checkOf(name: string | undefined): ValueCheck | undefined {
    return this.#known.get(name ?? '')?.request.schema;
  }

  /** Throws if a definition names an unknown profile. */
  checkProfiles(profiles: { check(name: string): void }): void {
    for (const [name, { staged }] of this.#known) {
      if (staged.profile === undefined) continue;
      try {
        profiles.check(staged.profile);
      } catch (error) {
        const { code, message, details } = error as SubAgentError;
        throw new SubAgentError(code, `\`agents.${name}.profile\`: ${message}`, { ...details });
      }
    }
  }

  /** The definition of a name; throws if there is none. */
  expect(name: string): ReadDefinition {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const { names } = this;
    const others = names.length === 0 ? 'none is defined' : `there are ${names.join(', ')}`;
    throw new SubAgentError('unknown_agent', `there is no agent called ${describe(name)}; ${others}`, { agent: name, known: names });
  }

  /** Fills in the missing options of a spawn from the definition that it names. */
  fill(request: SpawnRequest, staged: StagedOptions, backgroundGiven: boolean): void {
    const { agent: name } = staged;
    if (name === undefined) return;
    const { request: given, staged: givenStaged } = this.expect(name);
    if (Number.isNaN(request.tokens)) request.tokens = given.tokens;
    if (Number.isNaN(request.cost)) request.cost = given.cost;
    if (Number.isNaN(request.turns)) request.turns = given.turns;
    if (!backgroundGiven) request.background = given.background;
    request.schema ??= given.schema;
    for (const key of Object.keys(givenStaged) as (keyof StagedOptions)[]) {
      if (staged[key] === undefined) (staged as unknown as Record<string, unknown>)[key] = givenStaged[key];
    }
  }
}

function read(name: string, definition: unknown): ReadDefinition {
  if (name === '') throw new SubAgentError('invalid_argument', 'the name of an agent must not be empty', { argument: 'agents' });
  nameOf('the name of an agent', name);
  const given = optionsOf(`\`agents.${name}\``, definition as AgentDefinition, 'an object such as { description, prompt }');
  const { description, prompt, model, disallowedTools } = given;
  if (typeof description !== 'string' || description.trim() === '')
    throw invalid(`\`agents.${name}.description\``, "a text such as 'Reads files.'", description);
  const others = Object.entries(given).filter(([key]) => !Object.hasOwn(OWN, key));
  const unknownName = others.find(([key]) => !FIELDS.has(key))?.[0];
  if (unknownName !== undefined)
    throw unknownPart(`an agent has no \`${unknownName}\`: \`agents.${name}\``, unknownName, [...FIELDS, ...Object.keys(OWN)], {
      argument: `agents.${name}.${unknownName}`,
    });
  const options = Object.fromEntries(others) as SpawnOptions;
  if (prompt !== undefined) options.systemPrompt = prompt;
  if (model !== undefined && model !== 'inherit') options.modelId = model;
  // So that the request has staged options to fill in.
  options.agent = name;
  try {
    const request = readSpawn(options);
    const staged = request.staged as StagedOptions;
    if (disallowedTools !== undefined) {
      staged.disallowedTools = strings('`disallowedTools`', disallowedTools) as string[];
    }
    return { description: description.trim(), request, staged };
  } catch (error) {
    throw placed(name, error as SubAgentError);
  }
}

/** Turns the error of a spawn's option into that of the definition's field. */
function placed(name: string, { code, message, details }: SubAgentError): SubAgentError {
  const { argument: option } = details;
  if (option === undefined) return new SubAgentError(code, `\`agents.${name}\`: ${message}`, { ...details });
  const argument = `agents.${name}.${FIELD_OF[option] ?? option}`;
  const said = message.startsWith(`\`${option}\``) ? `\`${argument}\`${message.slice(option.length + 2)}` : `\`${argument}\`: ${message}`;
  return new SubAgentError(code, said, { ...details, argument });
}

/** Fields whose option has another name. */
const FIELD_OF: Readonly<Record<string, string>> = { systemPrompt: 'prompt', modelId: 'model' };

const FIELDS: ReadonlySet<string> = /* @__PURE__ */ (() =>
  new Set(SPAWN_OPTIONS.flatMap(({ name, isDefined }) => (isDefined ? [name] : []))))();
