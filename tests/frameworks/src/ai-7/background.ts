import { type LanguageModel, type ModelMessage, ToolLoopAgent } from 'ai';
import type { SubAgentManager } from 'subagents';

/** A text that came before the message with this number. */
type News = { at: number; message: ModelMessage };

/** A main agent that gets the notices of its background sub-agents: before each call of its model, and when `onWake` calls it. */
export function createLead(model: LanguageModel, manager: SubAgentManager) {
  let conversation: ModelMessage[] = [];
  let news: News[] = [];
  const agent = new ToolLoopAgent({
    model,
    tools: manager.createTools(),
    prepareStep: async ({ initialMessages, responseMessages }) => {
      const said = [...initialMessages, ...responseMessages];
      const permit = await manager.beforeTurn();
      if (!permit.go) throw new Error(`no further turn: ${permit.reason}`);
      for (const content of permit.inject ?? []) news.push({ at: said.length, message: { role: 'user', content } });
      return { messages: withNews(said, news) };
    },
  });
  let last: Promise<unknown> = Promise.resolve();
  const answer = async (prompt?: string): Promise<string | undefined> => {
    if (prompt !== undefined) conversation.push({ role: 'user', content: prompt });
    else if (!manager.inbox.peek().some(({ delivery }) => delivery === 'pending')) return undefined;
    news = [];
    const result = await agent.generate({ messages: conversation });
    conversation = withNews([...conversation, ...result.responseMessages], news);
    await manager.beforeEnd(result.text); // acknowledges what the model has read
    return result.text;
  };
  /** One call after the other. Without a prompt it reads what has come, if anything has. */
  return (prompt?: string): Promise<string | undefined> => {
    const next = last.then(() => answer(prompt));
    last = next.catch(() => undefined);
    return next;
  };
}

function withNews(said: readonly ModelMessage[], news: readonly News[]): ModelMessage[] {
  const all = [...said];
  for (const { at, message } of [...news].reverse()) all.splice(at, 0, message);
  return all;
}
