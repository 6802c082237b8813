"""Works out what usages cost, from what each provider documents of its own figures: no code of the package is used.

Reads a JSON object { "price", "usages": [[form, [usage, ...]], ...] }, with a list of usages for each run. Prints a JSON list of
nano-dollars, one for each run, each rounded down once.
"""

import json
import sys
from decimal import ROUND_DOWN, Decimal


def anthropic(u):
    hour = u.get("cache_creation", {}).get("ephemeral_1h_input_tokens", 0)
    return {
        "input": u["input_tokens"],
        "cacheRead": u["cache_read_input_tokens"],
        "cacheWrite": u["cache_creation_input_tokens"] - hour,
        "cacheWrite1h": hour,
        "output": u["output_tokens"],
    }


def responses(u):
    read = u["input_tokens_details"]["cached_tokens"]
    return {"input": u["input_tokens"] - read, "cacheRead": read, "output": u["output_tokens"]}


def chat(u):
    read = u["prompt_tokens_details"]["cached_tokens"]
    return {"input": u["prompt_tokens"] - read, "cacheRead": read, "output": u["completion_tokens"]}


def gemini(u):
    read = u["cachedContentTokenCount"]
    out = u["candidatesTokenCount"] + u["thoughtsTokenCount"]
    return {"input": u["promptTokenCount"] + u["toolUsePromptTokenCount"] - read, "cacheRead": read, "output": out}


def ai_sdk(u):
    of = u["inputTokenDetails"]
    read, write = of["cacheReadTokens"], of["cacheWriteTokens"]
    return {"input": of["noCacheTokens"], "cacheRead": read, "cacheWrite": write, "output": u["outputTokens"]}


def opentelemetry(u):
    read = u["gen_ai.usage.cache_read.input_tokens"]
    write = u["gen_ai.usage.cache_creation.input_tokens"]
    fresh = u["gen_ai.usage.input_tokens"] - read - write
    return {"input": fresh, "cacheRead": read, "cacheWrite": write, "output": u["gen_ai.usage.output_tokens"]}


def ai_sdk_model(u):
    of = u["inputTokens"]
    hour = u["raw"]["cache_creation"]["ephemeral_1h_input_tokens"]
    write = of["cacheWrite"] - hour
    return {"input": of["noCache"], "cacheRead": of["cacheRead"], "cacheWrite": write, "cacheWrite1h": hour, "output": u["outputTokens"]["total"]}


def openai_agents(u):
    of = u["input_tokens_details"]
    read, write = of["cached_tokens"], of["cache_write_tokens"]
    return {"input": u["input_tokens"] - read - write, "cacheRead": read, "cacheWrite": write, "output": u["output_tokens"]}


def langchain(u):
    used = u["usage_metadata"]
    of = used["input_token_details"]
    hour = u["response_metadata"]["usage"]["cache_creation"]["ephemeral_1h_input_tokens"]
    read, write = of["cache_read"], of["cache_creation"] - hour
    fresh = used["input_tokens"] - read - of["cache_creation"]
    return {"input": fresh, "cacheRead": read, "cacheWrite": write, "cacheWrite1h": hour, "output": used["output_tokens"]}


def mastra(u):
    read, write = u["cachedInputTokens"], u["cacheCreationInputTokens"]
    return {"input": u["inputTokens"] - read - write, "cacheRead": read, "cacheWrite": write, "output": u["outputTokens"]}


def pi(u):
    write = u["cacheWrite"] - u["cacheWrite1h"]
    return {"input": u["input"], "cacheRead": u["cacheRead"], "cacheWrite": write, "cacheWrite1h": u["cacheWrite1h"], "output": u["output"]}


def ai_sdk_step(u):
    read = u["cachedInputTokens"]
    return {"input": u["inputTokens"] - read, "cacheRead": read, "output": u["outputTokens"]}


def acp(u):
    read, write = u["cachedReadTokens"], u["cachedWriteTokens"]
    return {"input": u["inputTokens"], "cacheRead": read, "cacheWrite": write, "output": u["outputTokens"] + u["thoughtTokens"]}


def codex_command(u):
    read = u["cached_input_tokens"]
    return {"input": u["input_tokens"] - read, "cacheRead": read, "output": u["output_tokens"]}


def claude_command(u):
    return anthropic(u)


def opencode_command(u):
    cache = u["cache"]
    return {"input": u["input"], "cacheRead": cache["read"], "cacheWrite": cache["write"], "output": u["output"] + u["reasoning"]}


def gemini_command(u):
    read = u["cached"]
    return {"input": u["input_tokens"] - read, "cacheRead": read, "output": u["total_tokens"] - u["input_tokens"]}


PROVIDERS = (anthropic, responses, chat, gemini, ai_sdk, opentelemetry)
ADAPTERS = (ai_sdk_model, ai_sdk_step, openai_agents, langchain, mastra, pi)
AGENTS = (acp, codex_command, claude_command, opencode_command, gemini_command)
FORMS = {f.__name__: f for f in PROVIDERS + ADAPTERS + AGENTS}


def main():
    given = json.load(sys.stdin, parse_float=Decimal)
    price = {kind: Decimal(dollars) for kind, dollars in given["price"].items()}
    costs = []
    for form, usages in given["usages"]:
        # Dollars a million tokens are thousands of nano-dollars a token.
        nanos = sum((price[kind] * 1000 * tokens for usage in usages for kind, tokens in FORMS[form](usage).items()), Decimal(0))
        costs.append(int(nanos.to_integral_value(rounding=ROUND_DOWN)))
    print(json.dumps(costs))


main()
