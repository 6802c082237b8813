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
      "description": "Start it and continue; its result comes later."
    }
  },
  "required": [
    "instructions"
  ]
} as const;

/** The tool by which a sub-agent's model asks, and what it reads where there is no answer. */
export const ASK_TOOL = {
  "name": "ask_parent",
  "label": "Question to the parent",
  "description": "Ask the agent that gave you this task a question, and wait for its answer. Use it where you can't do the task well without something that only it can know or decide: a choice between two readings of the task, a missing name, leave to do something that can't be undone. It sees nothing of your work, so the question must say everything. Ask one question at a time. Do not ask what you can find out yourself.",
  "parameters": {
    "type": "object",
    "properties": {
      "question": {
        "type": "string",
        "description": "The question, complete in itself: what you need to know, why, and the choices that you see.",
        "minLength": 1
      }
    },
    "required": [
      "question"
    ]
  },
  "unanswered": {
    "timeout": "Your question was not answered in time. Go on with what you know, and say in your result what you assumed.",
    "stopped": "Your question was not answered, because you must stop. End now with what you have.",
    "cannot_answer": "Your question can't be answered here. Go on with what you know, and say in your result what you assumed."
  }
} as const;
