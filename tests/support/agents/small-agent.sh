#!/bin/sh
# An agent over the Agent Client Protocol that takes little memory, so that very many run at once. A prompt ends once $FAKE_LOG.go
# is there. Each prompt is a line of $FAKE_LOG.

answer() {
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"
}

while IFS= read -r line; do
  id=${line##*\"id\":}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*) answer "$id" '{"protocolVersion":1,"agentCapabilities":{}}' ;;
    *'"method":"session/new"'*) answer "$id" "{\"sessionId\":\"s$$\"}" ;;
    *'"method":"session/prompt"'*)
      echo prompt >> "$FAKE_LOG"
      while [ ! -e "$FAKE_LOG.go" ]; do sleep 0.2; done
      update='{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"done"}}'
      printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s%s","update":%s}}\n' "$$" "$update"
      answer "$id" '{"stopReason":"end_turn","usage":{"inputTokens":90,"outputTokens":10,"totalTokens":100}}'
      ;;
  esac
done
