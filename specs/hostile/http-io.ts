/**
 * A raw server: it reads requests and lets a mode write any bytes, including invalid HTTP. It is independent
 * of the code under test.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A request as it came. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string };
  /** Request line and headers, as they came. */
  readonly head: string;
  readonly body: Buffer;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

type Handle = (received: Received, socket: Socket) => Promise<void>;

/** Requests of one connection are handled one after the other. */
export async function listen(handle: Handle, onConnection: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Errors of a disconnected client are ignored: clients may leave at any time.
    socket.on('error', () => undefined);
    onConnection(socket);
    void serveAll(socket, handle);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeAll(server, sockets),
  };
}

async function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  await closed;
}

async function serveAll(socket: Socket, handle: Handle): Promise<void> {
  const reader = new Reader(socket);
  try {
    for (let next = await reader.next(); next !== null; next = await reader.next()) {
      await handle(next, socket);
      if (socket.destroyed) return;
    }
  } catch {
    socket.destroy();
  }
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** The client is well behaved: it names the length of each body. */
class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** Null when the client has closed. */
  async next(): Promise<Received | null> {
    let end = this.#rest.indexOf(END_OF_HEAD);
    while (end === -1) {
      if (!(await this.#more())) return null;
      end = this.#rest.indexOf(END_OF_HEAD);
    }
    const head = this.#rest.subarray(0, end).toString('latin1');
    const [first = '', ...lines] = head.split('\r\n');
    const [method = '', target = ''] = first.split(' ');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      }),
    );
    const from = end + END_OF_HEAD.length;
    const length = Number(headers['content-length'] ?? 0);
    const body = await this.#take(from, length);
    return body === null ? null : { method, target, headers, head, body };
  }

  async #take(from: number, length: number): Promise<Buffer | null> {
    const parts = [this.#rest.subarray(from)];
    let bytes = parts[0]!.length;
    while (bytes < length) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return null;
      parts.push(value);
      bytes += value.length;
    }
    const whole = Buffer.concat(parts);
    this.#rest = whole.subarray(length);
    return whole.subarray(0, length);
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done === true) return false;
    this.#rest = Buffer.concat([this.#rest, value]);
    return true;
  }
}
