/** Calls to the webhook receiver. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Mode } from '../mode.js';
import { deep, endlessly, large, MB, post, recordText } from './helpers.js';

const body40 = large(() => Buffer.from(`{"id":"x","output":"${'x'.repeat(40 * MB)}"}`));
const strings = large(() => `[${Array.from({ length: 3_000_000 }, (_, n) => `"s${n}"`).join(',')}]`);

const hook = (
  name: string,
  what: string,
  calls: NonNullable<Mode['calls']>,
  more: Partial<Mode> = {},
): Mode => ({
  name: `webhook-${name}`,
  what,
  calls,
  scope: ['short-webhooks'],
  ...more,
});

/** One raw call: the bytes are sent unchanged. */
function raw(url: string, head: string): ReturnType<typeof connect> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n`);
  return socket;
}

const withOutput = (job: Job, output: string): string =>
  `${recordText(job).slice(0, -1)},"output":${output}}`;

export const WEBHOOKS: readonly Mode[] = [
  hook('flood', 'calls each webhook 3,000 times at once', async (url, job) => {
    await Promise.all(Array.from({ length: 3_000 }, () => post(url, recordText(job))));
  }),
  hook('deep', 'calls webhooks with JSON 2,200 deep', (url, job) => post(url, withOutput(job, deep(2_200)))),
  hook('deeper', 'calls webhooks with JSON 100,000 deep', (url, job) =>
    post(url, withOutput(job, '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))),
  ),
  hook('40-mb', 'calls webhooks with 40 MB', (url) => post(url, body40())),
  hook('3-million-strings', 'calls webhooks with three million strings', (url, job) =>
    post(url, withOutput(job, strings())),
  ),
  hook('of-other-jobs', 'calls webhooks with the records of other jobs', async (url, job) => {
    const other = recordText(job).replaceAll(job.id, `${job.id}0`);
    await post(url, other);
    await post(url, recordText({ ...job, record: { id: '', status: null } }));
  }),
  hook('late', 'calls webhooks for as long as there is somebody', async (url, job) => {
    for (let n = 0; n < 60; n += 1) {
      await post(url, recordText(job));
      await sleep(500);
    }
  }),
  hook('endless-body', 'calls webhooks with bodies that never end', async (url) => {
    const socket = raw(url, 'transfer-encoding: chunked\r\n');
    await endlessly(socket, `1000\r\n${'x'.repeat(0x1000)}\r\n`, 1);
  }),
  hook(
    'hangs',
    'opens calls to webhooks and sends nothing more',
    (url) => void raw(url, 'content-length: 1000\r\n'),
  ),
  hook('resets', 'resets calls to webhooks in the middle', async (url) => {
    const socket = raw(url, 'content-length: 1000\r\n');
    await sleep(20);
    socket.resetAndDestroy();
  }),
  hook('no-http', 'sends to webhooks what is no HTTP', async (url) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.end(Buffer.from('16030100ff00\r\n\r\n\u0000', 'latin1'));
    await sleep(20);
  }),
  hook('odd-paths', 'calls addresses beside the webhook', async (url) => {
    const { origin, pathname } = new URL(url);
    for (const path of [
      '/',
      '/..%2f..',
      `${pathname}/../../x`,
      `${pathname}%00`,
      `${pathname}?${'q'.repeat(5_000)}`,
      '//',
      '/%',
    ])
      await post(origin + path, '{}');
  }),
  hook('odd-methods', 'calls webhooks by DELETE, OPTIONS, CONNECT and words of its own', async (url, job) => {
    for (const method of ['DELETE', 'OPTIONS', 'PROPFIND', 'PUT', 'HEAD']) {
      const outgoing = request(url, { method });
      outgoing.on('error', () => undefined);
      outgoing.end(method === 'HEAD' ? undefined : recordText(job));
    }
    raw(url, '').write('CONNECT x:1 HTTP/1.1\r\n\r\nHOSTILE / HTTP/1.1\r\n\r\n');
    await sleep(20);
  }),
  hook('odd-headers', 'calls webhooks with headers full of escapes and names of objects', (url, job) => {
    const socket = raw(
      url,
      `__proto__: x\r\nconstructor: y\r\nx-esc: \u009b31m\u0085\r\nx-long: ${'y'.repeat(8_000)}\r\ncontent-length: ${recordText(job).length}\r\n`,
    );
    socket.end(recordText(job));
  }),
  hook('odd-texts', 'calls webhooks with markup, escapes and half characters', (url, job) =>
    post(
      url,
      withOutput(
        job,
        '{"<script>hostile()</script>":"\\ud800\\u001b[2J\\u202e","__proto__":{"a":1}}',
      ).replace('"status"', '"\u001b[31m\u202e":1,"status"'),
    ),
  ),
  hook('no-json', 'calls webhooks with a body that is not JSON', async (url) => {
    await post(url, Buffer.from('fffe00d8', 'hex'), { 'content-type': '\u00ff; x="\u0080' });
    await post(url, '<xml/>', { 'content-type': 'text/xml' });
    await post(url, '', {});
  }),
  hook('expects', 'asks webhooks whether it may go on, and never does', (url) => {
    raw(url, 'content-length: 100\r\nexpect: 100-continue\r\n');
  }),
  hook('before-the-answer', 'calls webhooks before it has answered the submission', (url, job) =>
    post(url, recordText(job)),
  ),
];
