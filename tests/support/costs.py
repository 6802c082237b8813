"""Works out what usages cost, from what each provider documents of its own figures: no code of the package is used.

Reads a JSON object { "price", "usages": [[form, usage], ...] } and prints a JSON list of nano-dollars, each rounded down once.
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
    return {"input": u["promptTokenCount"] - read, "cacheRead": read, "output": out}


def ai_sdk(u):
    of = u["inputTokenDetails"]
    read, write = of["cacheReadTokens"], of["cacheWriteTokens"]
    return {"input": of["noCacheTokens"], "cacheRead": read, "cacheWrite": write, "output": u["outputTokens"]}


def opentelemetry(u):
    read = u["gen_ai.usage.cache_read.input_tokens"]
    write = u["gen_ai.usage.cache_creation.input_tokens"]
    fresh = u["gen_ai.usage.input_tokens"] - read - write
    return {"input": fresh, "cacheRead": read, "cacheWrite": write, "output": u["gen_ai.usage.output_tokens"]}


FORMS = {f.__name__: f for f in (anthropic, responses, chat, gemini, ai_sdk, opentelemetry)}


def main():
    given = json.load(sys.stdin, parse_float=Decimal)
    price = {kind: Decimal(dollars) for kind, dollars in given["price"].items()}
    costs = []
    for form, usage in given["usages"]:
        # Dollars a million tokens are thousands of nano-dollars a token.
        nanos = sum((price[kind] * 1000 * tokens for kind, tokens in FORMS[form](usage).items()), Decimal(0))
        costs.append(int(nanos.to_integral_value(rounding=ROUND_DOWN)))
    print(json.dumps(costs))


main()
