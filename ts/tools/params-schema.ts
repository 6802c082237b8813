// The schema of the tool's parameters as a value, without a manager. Owns its exported name and type.

import { SUB_AGENT_PARAMETERS } from '../generated/params.js';

/** The parameters of the `SubAgent` tool: plain JSON Schema. The static type is `SubAgentParamsType`. */
export const SubAgentParams = SUB_AGENT_PARAMETERS;
