// One interface for the two clients of Redis that a program may pass: scripts in, bytes out. Owns their differences, and that a
// command is sent again after a lost connection.

import { Buffer } from 'node:buffer';
import { LONGEST_TIMER } from '../../base/clock.js';
import { wrong } from '../failures.js';

/** A client of the package `redis` (5 or later). */
export interface NodeRedisClient {
  /** Sends a command and returns Redis's answer. */
  sendCommand(args: readonly never[], options?: never): Promise<unknown>;
}

/** A client of the package `ioredis`. */
export interface IoRedisClient {
  /** Sends a command and returns Redis's answer, texts as bytes. */
  callBuffer(command: string, ...args: never[]): Promise<unknown>;
}

/** The clients that the Redis store takes. */
export type RedisClient = NodeRedisClient | IoRedisClient;
export type Argument = string | Uint8Array;
export type Reply = Uint8Array | string | number | null | Reply[];

/** The commands of the store. */
export interface Commands {
  /** Runs a script with keys and arguments. @param isPatient whether it is also sent again if Redis has no memory left */
  run(script: string, keys: string[], args: Argument[], isPatient?: boolean): Promise<Reply>;
  /** Sends a command of another kind. */
  ask(...command: string[]): Promise<Reply>;
}

const LONGEST_PAUSE_MS = 1_000;
/** The shortest time to wait for an answer. Some clients buffer unsent commands forever, and a Redis may hang. */
const LEAST_ANSWER_MS = 5_000;
/** Redis's answers while it can't write yet, or for a moment, such as during a failover. */
const PASSING = /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|READONLY|MISCONF)\b/;
/**
 * Redis's memory is full. Redis also answers this for seconds after a command that was too large; Redis 6 has it at the end of
 * a script's error.
 */
const FULL = /(^|-)OOM /;
/** The errors of a client that its program has closed, or that has given up. */
const CLOSED = /^(The client is closed|Connection is closed)/;
/** The type of replies that hold bytes, in the package `redis`. */
const BYTES_TYPE = 36;

/** Commands over a client. A command without an answer is sent again for this long, so each must recognise a repetition. */
export function commandsOf(client: RedisClient, retryMs: number): Commands {
  const call = callOf(client);
  const send = async (command: Argument[], isPatient: boolean): Promise<Reply> => {
    const begun = performance.now();
    const end = begun + retryMs;
    const last = begun + Math.max(retryMs, LEAST_ANSWER_MS);
    for (let pause = 20; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return (await answered(call(command), last - performance.now())) as Reply;
      } catch (error) {
        const isOver = performance.now() + pause > end;
        if (isOver || !(isPassing(error) || (isPatient && FULL.test((error as Error).message)))) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  };
  return {
    run: (script, keys, args, isPatient = true) => send(['EVAL', script, String(keys.length), ...keys, ...args], isPatient),
    ask: (...command) => send(command, true),
  };
}

/** The answer, if it comes in time. If a command arrives later, the store recognises it, or refuses it as another process's. */
async function answered(answer: Promise<unknown>, ms: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it has not answered in time')), Math.min(Math.max(0, ms), LONGEST_TIMER));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function callOf(client: RedisClient): (args: Argument[]) => Promise<unknown> {
  const { callBuffer, sendCommand } = (client ?? {}) as Partial<NodeRedisClient & IoRedisClient>;
  // Both take bytes only as Node's own class.
  const own = (args: Argument[]): never[] => args.map((one) => (typeof one === 'string' ? one : Buffer.from(one))) as never[];
  if (typeof callBuffer === 'function') {
    return (args) => {
      const [command, ...rest] = own(args) as [never, ...never[]];
      return (client as IoRedisClient).callBuffer(command, ...rest);
    };
  }
  if (typeof sendCommand === 'function') {
    const options = { typeMapping: { [BYTES_TYPE]: Buffer } } as never;
    return (args) => (client as NodeRedisClient).sendCommand(own(args), options);
  }
  throw wrong('client', 'a client of the package redis or ioredis');
}

/** Whether an error says nothing about the command: the connection was lost, or Redis can't work for a moment. */
function isPassing(error: unknown): boolean {
  const { message } = error as Error;
  if (PASSING.test(message)) return true;
  const { code } = error as { code?: unknown };
  // Redis's answers begin like this; the system's errors about a connection have a code.
  const isAnswer = /^[A-Z]+ /.test(message) && typeof code !== 'string';
  return !isAnswer && !CLOSED.test(message);
}
