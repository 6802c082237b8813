// `subagents doctor`: the agents of this machine that can work, and the missing parts. Owns these lines.

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findAgent, profiles } from 'subagents/agents';
import { messageOf } from '../inspector/node/unreadable.js';
import { depthHere, offer } from './agents.js';
import { type Config, PROFILES } from './config.js';
import { journalsFolder } from './journals.js';
import { lacking } from './models.js';

/** Prints them. Resolves to 0 if at least one agent can be started, else to 1. */
export function doctor(out: (text: string) => void, config: Config): number {
  const cwd = process.cwd();
  let usable = 0;
  for (const name of PROFILES) {
    const profile = profiles[name];
    const acp = findAgent(profile, 'acp', cwd);
    const command = findAgent(profile, 'command', cwd);
    if (acp === undefined && command === undefined) {
      out(`missing  ${name}: ${profile.install}`);
      continue;
    }
    usable += 1;
    out(`ok       ${name}: ${acp ?? command}; if it isn't logged in, ${profile.login}`);
    if (acp === undefined) out(`         it is run by its command line, and can't ask for permissions; for that: ${profile.install}`);
  }
  for (const [name, model] of Object.entries(config.models ?? {})) {
    const missing = lacking(name, model, cwd);
    for (const each of missing) out(`missing  ${each}`);
    if (missing.length > 0) continue;
    usable += 1;
    out(`ok       ${name}: the model ${model.model} at ${model.baseUrl}`);
  }
  for (const [name, agent] of Object.entries(config.agents ?? {})) {
    try {
      const { how, file } = offer(name, agent, config, cwd);
      usable += 1;
      out(`ok       ${name}: ${file} (${how})`);
    } catch (error) {
      out(`missing  ${messageOf(error)}`);
    }
  }
  const [major = 0] = process.versions.node.split('.').map(Number);
  out(major >= 20 ? `ok       Node ${process.versions.node}` : `missing  Node 20 or newer; this is ${process.versions.node}`);
  out(process.platform === 'win32' ? 'missing  Linux or macOS: on Windows, run this in WSL' : `ok       ${process.platform}`);
  const folder = journalsFolder(config.state);
  out(
    canWrite(folder) ? `ok       journals: ${folder}` : `missing  ${folder} can't be written: set XDG_STATE_HOME, or \`state\` in --config`,
  );
  const depth = depthHere();
  if (depth > 0)
    out(`note     this runs inside of a sub-agent, at depth ${depth}: with \`maxDepth\` of ${depth} a server offers no tools here`);
  if (usable === 0) out('No agent was found: install one of those above, or name one by its `command` in --config.');
  return usable > 0 ? 0 : 1;
}

function canWrite(folder: string): boolean {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
