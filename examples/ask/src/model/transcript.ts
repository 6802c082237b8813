// The transcript: what the extractive model can know. It is made from the messages and tool schemas of one call only.
import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';

import type { NumberedLine } from './sentences.js';

/** What a tool is good for, told from its parameters, not from its name. */
export type Role = 'delegate' | 'search' | 'read' | 'list';

export interface ToolUse {
  readonly role: Role | undefined;
  readonly args: Readonly<Record<string, unknown>>;
  /** Undefined while there is no result. */
  readonly result: string | undefined;
}

export interface Transcript {
  readonly question: string;
  /** The one document that the first message confines this agent to. */
  readonly document: string | undefined;
  readonly tools: ReadonlyMap<Role, LanguageModelV3FunctionTool>;
  readonly uses: readonly ToolUse[];
}

export interface Hit {
  readonly path: string;
  readonly line: number;
  /** The line, or a part of it between dots. */
  readonly text: string;
}

export interface Page {
  readonly path: string;
  readonly total: number;
  readonly lines: readonly NumberedLine[];
}

export function transcriptOf(options: LanguageModelV3CallOptions): Transcript {
  const offered = (options.tools ?? []).filter((each) => each.type === 'function');
  const all = new Map<Role, LanguageModelV3FunctionTool>();
  const roleOfName = new Map<string, Role>();
  for (const each of offered) {
    const role = roleOf(each);
    if (role === undefined || all.has(role)) continue;
    all.set(role, each);
    roleOfName.set(each.name, role);
  }

  const calls = new Map<string, { name: string; args: Record<string, unknown> }>();
  const results = new Map<string, string>();
  let task = '';
  for (const message of options.prompt) {
    if (message.role === 'user' && task === '') {
      task = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    }
    if (message.role === 'assistant' || message.role === 'tool') {
      for (const part of message.content) {
        if (part.type === 'tool-call') calls.set(part.toolCallId, { name: part.toolName, args: recordOf(part.input) });
        if (part.type === 'tool-result') results.set(part.toolCallId, textOf(part));
      }
    }
  }
  return {
    question: field(task, 'Question') ?? task.trim(),
    document: field(task, 'Document'),
    tools: options.toolChoice?.type === 'none' ? new Map() : all,
    uses: [...calls].map(([id, call]) => ({ role: roleOfName.get(call.name), args: call.args, result: results.get(id) })),
  };
}

/** The names in a list tool's result. */
export function listedIn(text: string): string[] {
  return [...text.matchAll(/^- (.+) \(\d+ lines, \d+ bytes\)$/gmu)].map((match) => match[1] ?? '');
}

/** The places in a search tool's result. */
export function hitsIn(text: string): Hit[] {
  return [...text.matchAll(/^(.+?):(\d+): (.*)$/gmu)].map((match) => ({
    path: match[1] ?? '',
    line: Number(match[2]),
    text: match[3] ?? '',
  }));
}

/** The numbered lines in a read tool's result. */
export function pageIn(text: string): Page | undefined {
  const [head = '', ...rest] = text.split('\n');
  const title = /^(.+), lines \d+-\d+ of (\d+):$/u.exec(head);
  if (title === null) return undefined;
  const lines = rest.flatMap((each) => {
    // A line may hold a line separator of Unicode.
    const match = /^(\d+)\| ?(.*)$/su.exec(each);
    return match === null ? [] : [{ line: Number(match[1]), text: match[2] ?? '' }];
  });
  return { path: title[1] ?? '', total: Number(title[2]), lines };
}

/** The value of a line `name: value`, as instructions give the document and the question. */
export function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.+)$`, 'mu').exec(text)?.[1];
}

function roleOf(tool: LanguageModelV3FunctionTool): Role | undefined {
  const properties = Object.keys(tool.inputSchema.properties ?? {});
  const required = tool.inputSchema.required ?? [];
  if (required.includes('instructions')) return 'delegate';
  if (required.includes('query')) return 'search';
  if (required.includes('path') && properties.includes('from')) return 'read';
  if (required.length === 0 && /\blists?\b/iu.test(`${tool.name} ${tool.description ?? ''}`)) return 'list';
  return undefined;
}

function recordOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}

function textOf(part: LanguageModelV3ToolResultPart): string {
  const output = part.output;
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
    case 'content':
      return output.value.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
    case 'execution-denied':
      return output.reason ?? 'denied';
  }
}
