import { expect, it, onTestFinished } from 'vitest';
import { WEATHERS } from '../../../src/client/weather/index.js';
import { WeatherEndpoint } from '../../../src/features/client/endpoint.js';

it('a job is that of the call that has made it, not of one to a path that is none', async () => {
  const endpoint = new WeatherEndpoint({
    weather: WEATHERS.find(({ id }) => id === 'clear')!,
    ...{ edition: 'document', apiKey: 'k', chance: 0.5, speed: 1, nowMs: () => performance.now() },
    ...{ output: undefined, handler: undefined, forwardWebhooks: 'http://127.0.0.1:9/' },
  });
  onTestFinished(() => endpoint.close());
  const submit = async (path: string, call: number): Promise<number> => {
    const headers = { authorization: 'k', 'content-type': 'application/json' };
    const request = { method: 'POST', target: path, headers, body: Buffer.from('{"input":{"a":1}}') };
    return (await endpoint.call(request, undefined, call)).status;
  };
  expect(await submit('/v2/weather/run/', 1)).toBe(404);
  expect(await submit('/v2/weather/run', 2)).toBe(200);
  expect(endpoint.jobs()).toMatchObject([{ call: 2 }]);
});
