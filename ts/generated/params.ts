// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The parameters of the `SubAgent` tool, as JSON Schema. */
export const SUB_AGENT_PARAMETERS = {
  "type": "object",
  "properties": {
    "instructions": {
      "type": "string",
      "description": "The whole task: goal, material, and what to return. The sub-agent knows nothing else.",
      "minLength": 1
    },
    "tools": {
      "type": "array",
      "description": "Names of the tools it may use. Leave it out for all that you may hand on.",
      "items": {
        "type": "string"
      }
    },
    "systemPrompt": {
      "type": "string",
      "description": "A system prompt of its own, in place of the usual one."
    },
    "maxTurns": {
      "type": "integer",
      "description": "How many times its model may be called.",
      "minimum": 1
    },
    "maxCost": {
      "type": "number",
      "description": "What it may cost, in US dollars.",
      "exclusiveMinimum": 0
    },
    "background": {
      "type": "boolean",
      "description": "Start it and go on; its result comes later."
    }
  },
  "required": [
    "instructions"
  ]
} as const;
