import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { WEATHERS } from '../../../src/client/weather/index.js';
import { WeatherEndpoint } from '../../../src/features/client/endpoint.js';

const headers = { authorization: 'k', 'content-type': 'application/json' };

it('the clock goes on where others move it at a call and between calls at the same time', async () => {
  const endpoint = new WeatherEndpoint({
    weather: WEATHERS.find(({ id }) => id === 'result-gone')!,
    ...{ edition: 'document', apiKey: 'k', chance: 0.5, speed: 60, nowMs: () => performance.now() },
    ...{ output: undefined, forwardWebhooks: 'http://127.0.0.1:9/' },
    handler: async (job, context) => {
      await context.sleep((job.input as { readonly ms: number }).ms);
      return 1;
    },
  });
  onTestFinished(() => endpoint.close());
  for (let at = 0; at < 12; at++) {
    const body = Buffer.from(JSON.stringify({ input: { ms: 300 * at } }));
    await endpoint.call({ method: 'POST', target: '/v2/weather/run', headers, body }, undefined, at + 1);
  }
  const target = '/v2/weather/health';
  for (let at = 0; at < 400; at++) {
    void endpoint.call({ method: 'GET', target, headers, body: null });
    await sleep(1);
  }
  expect(endpoint.jobs().map(({ state }) => state)).toEqual(Array.from({ length: 12 }, () => 'GONE'));
});
