/** The servers that are sent the exchanges, each anew for each of them. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { WEATHERS } from '../../src/client/weather/index.js';
import { serveChecks } from '../../src/features/campaign/checks-view.js';
import { ENDPOINT, WeatherEndpoint } from '../../src/features/client/endpoint.js';
import { startFront } from '../../src/features/client/front.js';
import { startWebhookRelay } from '../../src/features/client/webhook-relay.js';
import { startProxy } from '../../src/proxy/proxy-server.js';
import { startStatus } from '../../src/proxy/status-server.js';
import { startServer } from '../../src/server/index.js';
import { WebhookReceiver } from '../../src/target/session/webhook-receiver.js';
import type { Exchange, UpstreamAnswer } from './written.js';
import { sendParts } from './send-parts.js';

interface Side {
  readonly port: number;
  /** What is known behind it: the bytes that an upstream was sent, the calls that were noted. */
  readonly behind?: () => string;
  close(): Promise<unknown>;
}

export type Open = (exchange: Exchange) => Promise<Side>;

const portOf = (url: string): number => Number(new URL(url).port);

export const serveSide: Open = async () => {
  const server = await startServer({
    clock: 'controlled',
    apiKeys: ['k'],
    endpoints: [ENDPOINT],
    page: 'off',
  });
  return { port: server.port, close: () => server.close() };
};

export const frontSide: Open = async () => {
  const [weather] = WEATHERS.filter(({ id }) => id === 'clear');
  const nowMs = (): number => performance.now();
  const endpoint = new WeatherEndpoint({
    ...{ weather: weather!, edition: 'document', apiKey: 'k', chance: 0.5, speed: 1, nowMs },
    ...{ output: undefined, handler: undefined, forwardWebhooks: 'http://127.0.0.1:9/' },
  });
  const front = await startFront({
    ...{ weather: weather!, edition: 'document', apiKey: 'k', endpoint, nowMs },
    delivered: () => Promise.resolve(),
  });
  return {
    port: front.port,
    behind: () =>
      front.calls
        .map(({ request, names, key, bytes, outcome }) => {
          const { method, target, body } = request;
          const isJson = body ? typeof body === 'object' && body.as === 'json' : null;
          const end =
            outcome.kind === 'answer' ? outcome.status : outcome.kind === 'lost' ? 'none' : outcome.kind;
          return `${method} ${target.replace(/[?].*/su, '').slice(0, 60)} ${names?.operation ?? null} ${JSON.stringify(key)} ${bytes} bytes, JSON ${isJson}: ${end}\r\n`;
        })
        .join(''),
    async close() {
      await front.close();
      await endpoint.close();
    },
  };
};

export const proxySide: Open = async ({ upstream = [] }) => {
  const behind = await tinyUpstream(upstream);
  const running = await startProxy({
    upstream: new URL(`http://127.0.0.1:${behind.port}`),
    ...{
      host: '127.0.0.1',
      port: 0,
      tap: () => undefined,
      namesOf: () => ({ base: '', operation: 'run', job: null, isExact: true, hasItsMethod: true }),
    },
  });
  return {
    port: portOf(running.url),
    behind: behind.behind,
    async close() {
      await running.close(0);
      await behind.close();
    },
  };
};

export const relaySide: Open = async () => {
  const relay = await startWebhookRelay(undefined, () => 0);
  return {
    port: portOf(relay.url),
    behind: () => relay.deliveries.map((one) => `${JSON.stringify(one)}\r\n`).join(''),
    close: () => relay.close(),
  };
};

export const receiverSide: Open = async () => {
  const receiver = await WebhookReceiver.start();
  return { port: portOf(receiver.base), close: () => receiver.close() };
};

export const statusSide: Open = async () => {
  const running = await startStatus({
    ...{ host: '127.0.0.1', port: 0, token: null },
    answer: ({ method, url }) => new Response(`${method} ${url}\n`),
  });
  return { port: running.port, close: () => running.close(0) };
};

export const checksSide: Open = async () => {
  const listening = await serveChecks({ host: '127.0.0.1', port: 0 }, () => Promise.resolve([]));
  return { port: listening.port, close: () => listening.close(0) };
};

const OK: UpstreamAnswer = { parts: ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'] };

/** Answers each request as it is told, byte by byte, and keeps what it was sent. */
async function tinyUpstream(answers: readonly UpstreamAnswer[]): Promise<Required<Side>> {
  const connections: { readonly socket: Socket; text: string }[] = [];
  let asked = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const received = { socket, text: '' };
    let from = 0;
    connections.push(received);
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      received.text += piece.toString('latin1');
      for (;;) {
        const end = endOf(received.text, from, answers[asked]?.early === true);
        if (end === null) return;
        from = end;
        void sendParts(socket, (answers[asked++] ?? OK).parts);
      }
    });
    socket.once('end', () => {
      received.text += '. ended\r\n';
      socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    behind: () => connections.map(({ text }) => inOneChunk(text)).join('---\r\n'),
    close: () => {
      for (const { socket } of connections) socket.destroy();
      return new Promise((closed) => server.close(closed));
    },
  };
}

/** A busy machine reads in one piece what another reads in two, so the chunks of a body say nothing. */
const inOneChunk = (text: string): string =>
  text.replace(/(?<=^transfer-encoding: chunked\r\n(?:[^\r]+\r\n)*\r\n)[\da-f]+\r\n[^]*/gimu, (body) => {
    let content = '';
    let from = 0;
    for (;;) {
      const [frame, size = ''] = /^([1-9a-f][\da-f]*)\r\n/iu.exec(body.slice(from)) ?? [];
      const length = parseInt(size, 16);
      if (frame === undefined || body.length < from + frame.length + length + 2) break;
      content += body.slice(from + frame.length, from + frame.length + length);
      from += frame.length + length + 2;
    }
    return content === '' ? body : `${content.length.toString(16)}\r\n${content}\r\n${body.slice(from)}`;
  });

/** Where the request ends that begins there; null: not yet. */
function endOf(text: string, from: number, isEarly: boolean): number | null {
  const head = text.indexOf('\r\n\r\n', from);
  if (head < 0) return null;
  if (isEarly) return text.length;
  const lines = text.slice(from, head);
  const length = Number(/^content-length: *(\d+)/imu.exec(lines)?.[1] ?? 0);
  if (!/^transfer-encoding:/imu.test(lines))
    return text.length < head + 4 + length ? null : head + 4 + length;
  const last = /(?:^|\r\n)0+\r\n(?:[^\r]+\r\n)*\r\n/u.exec(text.slice(head + 4));
  return last === null ? null : head + 4 + last.index + last[0].length;
}
