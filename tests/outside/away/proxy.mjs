// A network that isn't reliable, between programs and their Redis: it delays bytes, loses them, and delivers commands twice. Owns
// that it does no more than TCP allows: bytes that are lost, or come twice, are the last of their connection. A program whose
// connection ends so doesn't know whether its command was carried out, and may find that it was, twice.

import { connect, createServer } from 'node:net';

/** Of a thousand pieces, how many are lost, come twice, or come late. */
const CHANCES = { drop: 3, double: 5, delay: 40 };
const LONGEST_DELAY_MS = 250;
/** So long a connection stays open behind what came twice: its answers are lost. */
const DOUBLED_MS = 20;

/** How many bytes of these are whole commands of Redis: lists of texts, each with its length before it. */
export function wholeCommands(bytes) {
  let whole = 0;
  for (;;) {
    let at = whole;
    const number = (mark) => {
      const end = bytes.indexOf('\r\n', at);
      if (end < 0 || bytes[at] !== mark.charCodeAt(0)) return undefined;
      const found = Number(bytes.subarray(at + 1, end));
      at = end + 2;
      return found;
    };
    const count = number('*');
    for (let text = 0; text < count; text++) {
      const length = number('$');
      if (length === undefined) return whole;
      at += length + 2;
    }
    if (count === undefined || at > bytes.length) return whole;
    whole = at;
  }
}

/** @param dice say what becomes of each piece; @param far the port of the loopback that it leads to */
export async function unreliable(dice, far) {
  const host = '127.0.0.1';
  const happened = { drop: 0, double: 0, delay: 0, connections: 0 };
  const open = new Set();
  let isQuiet = false;

  const fateOf = (isCommand) => {
    if (isQuiet) return 'pass';
    const rolled = dice.int(0, 999);
    if (rolled < CHANCES.drop) return 'drop';
    if (rolled < CHANCES.drop + CHANCES.double) return isCommand ? 'double' : 'pass';
    return rolled < CHANCES.drop + CHANCES.double + CHANCES.delay ? 'delay' : 'pass';
  };

  /** One direction of a connection; its pieces stay in their order. */
  const passOn = (from, to, line, isCommand) => {
    let order = Promise.resolve();
    let left = Buffer.alloc(0);
    const one = async (piece) => {
      if (line.isOver) return;
      const fate = fateOf(isCommand);
      if (fate !== 'pass') happened[fate] += 1;
      if (fate === 'drop') return line.end();
      if (fate === 'delay') await new Promise((resolve) => setTimeout(resolve, dice.int(1, LONGEST_DELAY_MS)));
      if (line.isOver || (line.isMute && !isCommand)) return;
      to.write(piece);
      if (fate !== 'double') return;
      line.isMute = true;
      to.write(piece);
      await new Promise((resolve) => setTimeout(resolve, DOUBLED_MS));
      line.end();
    };
    from.on('data', (bytes) => {
      left = Buffer.concat([left, bytes]);
      const whole = isCommand ? wholeCommands(left) : left.length;
      if (whole === 0) return;
      const piece = left.subarray(0, whole);
      left = left.subarray(whole);
      order = order.then(() => one(piece));
    });
  };

  const server = createServer((near) => {
    const there = connect({ host, port: far });
    happened.connections += 1;
    const line = {
      isOver: false,
      isMute: false,
      end() {
        line.isOver = true;
        for (const socket of [near, there]) socket.destroy();
      },
    };
    for (const socket of [near, there]) {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket);
          line.end();
        });
    }
    passOn(near, there, line, true);
    passOn(there, near, line, false);
  });
  await new Promise((resolve) => server.listen(0, host, resolve));
  return {
    port: server.address().port,
    happened,
    /** Nothing more happens to what it passes on. */
    quiet() {
      isQuiet = true;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
