/** Both ends of the proxy under test as bytes: what they send is not touched by any library. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { startProxy, type ProxyOptions } from '../../src/proxy/proxy-server.js';
import { answerOf, type Answer, type Exchange } from '../../src/history/exchange.js';
import type { Names } from '../../src/spec/operation-of.js';
import { until } from '../support/until.js';

export interface Proxied {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Exchange<Uint8Array>[];
  close(waitMs: number): Promise<void>;
  /** Resolves once so many calls are told to the end. */
  told(calls?: number): Promise<readonly Over[]>;
}

/** A call that is over, and its answer. */
type Over = Exchange<Uint8Array> & { readonly reply: Answer<Uint8Array> | null };

export const NAMES: Names = {
  ...{ base: 'http://host/v2/a', operation: 'health', job: null, isExact: true, hasItsMethod: true },
};

/** The proxy in front of that, for this test. Every call is watched. */
export async function proxy(upstream: string, more: Partial<ProxyOptions> = {}): Promise<Proxied> {
  const seen: Exchange<Uint8Array>[] = [];
  const running = await startProxy({
    upstream: new URL(upstream),
    host: '127.0.0.1',
    port: 0,
    tap: (one) => void seen.push(one),
    namesOf: () => NAMES,
    ...more,
  });
  onTestFinished(() => running.close(0));
  const ends = () =>
    seen.filter(({ outcome }) => outcome.kind !== 'open').map((one) => ({ ...one, reply: answerOf(one) }));
  return {
    url: running.url,
    port: Number(new URL(running.url).port),
    seen,
    close: (waitMs) => running.close(waitMs),
    async told(calls = 1) {
      await until(() => ends().length >= calls);
      return ends();
    },
  };
}

export interface Peer {
  readonly socket: Socket;
  /** What came so far, byte by byte. */
  readonly text: string;
  /** Resolves once the text has come; fails where the peer went away without it. */
  has(text: string): Promise<void>;
  /** Everything that came, once the peer has gone. */
  readonly all: Promise<string>;
  /** How it went: null, or the code of the error. */
  readonly code: string | null;
}

function peerOf(socket: Socket): Peer {
  let text = '';
  let code: string | null = null;
  socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? error.message));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    get text() {
      return text;
    },
    async has(wanted) {
      await until(() => text.includes(wanted) || socket.destroyed);
      if (!text.includes(wanted))
        throw new Error(`${JSON.stringify(wanted)} is not in ${JSON.stringify(text)}`);
    },
    all: closed.then(() => text),
    get code() {
      return code;
    },
  };
}

export interface RawUpstream {
  readonly url: string;
  /** One for each connection. */
  readonly peers: readonly Peer[];
}

/** An upstream that is told of each request whose head and announced body have come, by its bytes. */
export async function rawUpstream(answer: (request: string, peer: Peer) => void): Promise<RawUpstream> {
  const peers: Peer[] = [];
  const server = createServer((socket) => {
    const peer = peerOf(socket);
    peers.push(peer);
    let from = 0;
    socket.on('data', () => {
      for (let end = endOf(peer.text, from); end !== null; end = endOf(peer.text, from)) {
        const request = peer.text.slice(from, end);
        from = end;
        answer(request, peer);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const { socket } of peers) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, peers };
}

/** Where the message ends that begins there; null: not yet. Bodies in pieces end with their last. */
function endOf(text: string, from: number): number | null {
  const head = text.indexOf('\r\n\r\n', from);
  if (head < 0) return null;
  const lines = text.slice(from, head);
  const length = Number(/^content-length: *(\d+)/imu.exec(lines)?.[1] ?? 0);
  if (!/^transfer-encoding:/imu.test(lines))
    return text.length < head + 4 + length ? null : head + 4 + length;
  const last = text.indexOf('0\r\n', head);
  const end = last < 0 ? -1 : text.indexOf('\r\n\r\n', last);
  return end < 0 ? null : end + 4;
}

/** A client that sends these bytes. */
export async function rawClient(port: number, bytes: string): Promise<Peer> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const peer = peerOf(socket);
  await once(socket, 'connect');
  socket.write(bytes, 'latin1');
  return peer;
}

/** Lines as they go over the wire. */
export const wire = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;
