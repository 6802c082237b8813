// Stands for a model: five answers for each text. What it is asked, and what it has answered, goes to a log that lives when
// the process is killed.

import { openSync, writeSync } from 'node:fs';

const ANSWERS = 5;
const file = openSync(process.env.RECIPE_LOG as string, 'a');

export async function askModel(prompt: string, signal: AbortSignal): Promise<{ said: string; isDone: boolean; tokens: number }> {
  const [text = '', said = ''] = prompt.split('\n');
  const turn = said.split('.').length;
  const tell = (what: string): number => writeSync(file, `${JSON.stringify({ what, text, turn, pid: process.pid })}\n`);
  tell('asked');
  await new Promise((resolve) => setTimeout(resolve, 150));
  signal.throwIfAborted();
  tell('answered');
  return { said: `${turn}.`, isDone: turn === ANSWERS, tokens: 10 };
}
