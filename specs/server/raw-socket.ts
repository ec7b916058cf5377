import { connect, type Socket } from 'node:net';

export interface RawExchange {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** Resolves with everything received when the other side has closed, or after that time. */
  ended(withinMs: number): Promise<string>;
  /** Resolves as soon as what was received matches. */
  matching(pattern: RegExp, withinMs: number): Promise<string>;
}

/** Sends raw bytes, which no HTTP client would send. */
export function sendRaw(port: number, text: string): RawExchange {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  const until = async (isDone: () => boolean, withinMs: number) => {
    for (const endMs = performance.now() + withinMs; !isDone() && performance.now() < endMs;) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return received;
  };
  return {
    socket,
    text: () => received,
    ended: (withinMs) => until(() => socket.closed || socket.readableEnded, withinMs),
    matching: (pattern, withinMs) => until(() => pattern.test(received), withinMs),
  };
}
