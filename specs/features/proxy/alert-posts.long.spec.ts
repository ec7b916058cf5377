/** Alerts arrive one after the other, and a receiver that does not take them holds nothing up. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { AlertPosts } from '../../../src/features/proxy/alert-posts.js';
import { forThisTest, listen } from '../../support/servers.js';
import { until } from '../../support/until.js';

interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** Notes what came, and answers as the test says. */
async function receiver(answer: (response: ServerResponse, nth: number) => void) {
  const received: Received[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization, 'content-type': type } = request.headers;
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ path: request.url!, authorization, type, body });
    answer(response, received.length);
  };
  const { url } = forThisTest(await listen((request, response) => void take(request, response)));
  return { url, received };
}

function posts(url: string) {
  const lost: string[] = [];
  const alerts = new AlertPosts({
    url: new URL(url),
    proxies: undefined,
    onLost: (reason) => void lost.push(reason),
  });
  return { alerts, lost };
}

const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end();

test('alerts are posted in their order, to exactly the address, and the end waits for them', async () => {
  const { url, received } = await receiver(status(204));
  const { alerts, lost } = posts(`${url.replace('//', '//me:se%20cret%25@')}/hook/?of=me`);
  for (const body of ['1', '2', '3']) alerts.post(body);
  await alerts.close(2_000);
  expect(received.map(({ body }) => body)).toEqual(['1', '2', '3']);
  expect(received[0]).toMatchObject({
    ...{ path: '/hook/?of=me', type: 'application/json' },
    authorization: `Basic ${Buffer.from('me:se cret%').toString('base64')}`,
  });
  expect(lost).toEqual([]);
});

test('an alert that is refused is posted once more; that they are lost is told once until one arrives', async () => {
  const { url, received } = await receiver((response, nth) =>
    status(nth <= 4 || nth === 6 ? 500 : 200)(response),
  );
  const { alerts, lost } = posts(url);
  for (const body of ['1', '2', '3', '4']) alerts.post(body);
  await until(() => received.length === 7);
  await alerts.close(2_000);
  expect(received.map(({ body }) => body)).toEqual(['1', '1', '2', '2', '3', '4', '4']);
  expect(lost).toEqual(['it answered 500']);
});

test('nobody listens: that is told, and the end comes soon', async () => {
  const { alerts, lost } = posts('http://127.0.0.1:9/hook');
  for (let nth = 0; nth < 5; nth += 1) alerts.post(String(nth));
  const beganMs = performance.now();
  await alerts.close(500);
  expect(performance.now() - beganMs).toBeLessThan(1_500);
  expect(lost.length).toBe(1);
});

test('a receiver that hangs holds nothing up, and what waits is bounded', async () => {
  const { url, received } = await receiver(() => undefined);
  const { alerts, lost } = posts(url);
  for (let nth = 0; nth < 1_000; nth += 1) alerts.post(String(nth));
  await until(() => received.length === 1);
  expect(lost).toEqual(['100 wait already']);
  const beganMs = performance.now();
  await alerts.close(500);
  expect(performance.now() - beganMs).toBeLessThan(1_500);
  expect(received.map(({ body }) => body)).toEqual(['0']);
});

test('a receiver that hangs is given up after some seconds', { timeout: 20_000 }, async () => {
  const { url, received } = await receiver((response, nth) =>
    nth === 1 ? undefined : status(200)(response),
  );
  const { alerts, lost } = posts(url);
  alerts.post('1');
  await until(() => received.length === 2, 10_000);
  await alerts.close(500);
  expect(received.map(({ body }) => body)).toEqual(['1', '1']);
  expect(lost).toEqual([]);
});
