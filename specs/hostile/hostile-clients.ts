/** What clients do to a server that trusts them. */
import type { Socket } from 'node:net';
import { endlessly, MB } from './modes/helpers.js';

export interface HostileClient {
  readonly name: string;
  /** It may go on for ever. */
  attack(socket: Socket): Promise<void>;
}

const HEAD = 'POST /v2/test/run HTTP/1.1\r\nhost: x\r\n';
const never = (): Promise<void> => new Promise(() => undefined);

/** Sends it, and waits for what comes of it. */
const sends = (name: string, bytes: string | Buffer): HostileClient => ({
  name,
  attack(socket) {
    socket.resume().write(bytes);
    return never();
  },
});

const goesOn = (name: string, start: string, piece: string, pauseMs = 0): HostileClient => ({
  name,
  attack(socket) {
    socket.resume().write(start);
    return endlessly(socket, piece, pauseMs);
  },
});

export const HOSTILE_CLIENTS: readonly HostileClient[] = [
  sends('says nothing', ''),
  sends('random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 89) % 256))),
  sends('hello of TLS', Buffer.from('16030100a5010000a10303', 'hex')),
  sends('preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  sends('length and pieces', `${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  sends('two lengths', `${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\n{}{}`),
  sends('negative length', `${HEAD}content-length: -1\r\n\r\n{}`),
  sends('huge length', `${HEAD}content-length: 9007199254740993000\r\n\r\n{`),
  sends('size of a piece that is none', `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  sends('coding that is unknown', `${HEAD}transfer-encoding: chunked, x\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  sends('coding around pieces', `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  sends('header injection', 'GET / HTTP/1.1\r\nhost: x\r\na: b\rc: d\r\nfolded: 1\r\n 2\r\n\r\n'),
  sends(
    'names of objects',
    'GET /v2/test/health HTTP/1.1\r\nhost: x\r\n__proto__: 1\r\nconstructor: 2\r\n\r\n',
  ),
  sends('trailer of no pieces', `${HEAD}trailer: x\r\ncontent-length: 2\r\n\r\n{}`),
  sends(
    'connection names all',
    `${HEAD}connection: host, content-length, authorization\r\ncontent-length: 2\r\n\r\n{}`,
  ),
  sends('unknown expectation', `${HEAD}expect: miracles\r\ncontent-length: 2\r\n\r\n{}`),
  sends('two hosts', `${HEAD}host: y\r\ncontent-length: 2\r\n\r\n{}`),
  sends('CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nhost: x\r\n\r\n'),
  sends('upgrade', 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  sends('target of 900 KB', `GET /${'a'.repeat(900_000)} HTTP/1.1\r\nhost: x\r\n\r\n`),
  sends('target that is no path', 'GET a:b@c HTTP/1.1\r\nhost: x\r\n\r\n'),
  sends('whole URL of elsewhere', 'GET http://192.0.2.1/v2/test/health HTTP/1.1\r\nhost: x\r\n\r\n'),
  sends('2,000 calls at once', 'GET /v2/test/health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2_000)),
  sends('HTTP/0.9', 'GET /\r\n\r\n'),
  sends(
    'HTTP/1.0 with pieces',
    'POST /v2/test/run HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ),
  goesOn('head without end', 'GET / HTTP/1.1\r\nhost: x\r\n', `x-more: ${'y'.repeat(1_000)}\r\n`),
  goesOn('head byte by byte', 'GET / HTTP/1.1\r\nhost: x\r\nx: ', 'y', 20),
  goesOn('body byte by byte', `${HEAD}content-length: 100000\r\n\r\n`, ' ', 20),
  goesOn(
    'pieces without end',
    `${HEAD}transfer-encoding: chunked\r\n\r\n`,
    `1000\r\n${'x'.repeat(0x1000)}\r\n`,
  ),
  goesOn('calls without end', '', 'GET /v2/test/health HTTP/1.1\r\nhost: x\r\n\r\n'),
  {
    name: 'calls and never reads',
    attack(socket) {
      socket.pause();
      return endlessly(socket, 'GET /v2/test/health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100));
    },
  },
  {
    name: 'resets within its upload',
    async attack(socket) {
      socket.write(`${HEAD}content-length: ${20 * MB}\r\n\r\n`);
      await new Promise((written) => socket.write(Buffer.alloc(MB), written));
      socket.resetAndDestroy();
    },
  },
  {
    name: 'half-closes within its upload',
    attack(socket) {
      socket.end(`${HEAD}content-length: 20\r\n\r\n{`);
      return never();
    },
  },
];
