// Definitions of agents: what a spawn gives itself goes before what the definition has, and that before the manager's defaults
// (A3). A process may lack one; what was spawned with it then waits (J3).

import { Refused } from './promises.mjs';

/** What a spawn comes to with the definition that it names. */
export function filled(model, given) {
  if (given.agent === undefined) return given;
  if (!model.agents.includes(given.agent)) throw new Refused('unknown_agent');
  model.count('spawns with a definition');
  const { description: _, budget, model: modelId, ...defined } = model.options.agents[given.agent];
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defined, modelId, ...(budget && { cap: budget }), ...Object.fromEntries(own) };
}

/** A process begins that has these definitions, or all of them. */
export function defineAgents(model, agents = Object.keys(model.options.agents ?? {})) {
  model.agents = agents;
  for (const task of model.tasks.values()) task.isUndefined = task.agent !== undefined && !agents.includes(task.agent);
}
