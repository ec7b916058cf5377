import { request } from 'node:http';
import { expect, it } from 'vitest';
import type { ClientEnvironment } from '../../../src/features/client/environment.js';
import { runWeather } from '../../../src/features/client/run-weather.js';
import type { WeatherResult } from '../../../src/client/report.js';
import { WEATHERS } from '../../../src/client/weather/index.js';
import { SUBMISSION, untilEnded } from './simple-client.js';

/** What each weather does, as a client in it sees it, and as the session tells it. */

type Run = (environment: ClientEnvironment & { readonly base: string }) => unknown;

async function inWeather(id: string, run: Run): Promise<WeatherResult> {
  const weather = WEATHERS.find((one) => one.id === id)!;
  const result = await runWeather({
    client: {
      kind: 'function',
      name: 'test',
      run: (environment) => run({ ...environment, base: `${environment.url}/v2/${environment.endpoint}` }),
    },
    weather,
    ...{
      chance: 0.5,
      speed: 60,
      limitMs: 25_000,
      edition: 'document',
      handler: undefined,
      output: undefined,
    },
    expected: undefined,
    jobsWhenClear: null,
    signal: new AbortController().signal,
  });
  expect(result!.selfCheck).toEqual([]);
  return result!;
}

const statesOf = ({ session }: WeatherResult): readonly string[] => session.jobs.map(({ state }) => state);

it.each([
  ['clear', 'COMPLETED'],
  ['cold-start', 'COMPLETED'],
  ['job-fails', 'FAILED'],
  ['worker-crashes', 'FAILED'],
  ['job-times-out', 'TIMED_OUT'],
  ['cancelled-while-waiting', 'CANCELLED'],
  ['cancelled-while-running', 'CANCELLED'],
  ['queue-purged', 'GONE'],
  ['ttl-over-while-running', 'GONE'],
  ['no-worker', 'GONE'],
  ['result-gone', 'GONE'],
  ['fails-after-chunks', 'FAILED'],
] as const)('in weather %s the job ends as %s', async (id, state) => {
  const result = await inWeather(id, async ({ base, apiKey }) => {
    await untilEnded(base, apiKey);
  });
  expect(statesOf(result)).toEqual([state]);
});

it('a policy that allows less than an ordinary run does not make the job time out', async () => {
  const result = await inWeather('long-run', ({ base, apiKey }) =>
    untilEnded(base, apiKey, { input: {}, policy: { executionTimeout: 5_000, ttl: 60_000 } }),
  );
  expect(statesOf(result)).toEqual(['COMPLETED']);
});

it('another seed gives other durations', async () => {
  const runOf = async (chance: number): Promise<number> => {
    // What the endpoint reports, in ms of its own time: beside others, real time tells of others.
    let reportedMs = 0;
    await runWeather({
      client: {
        kind: 'function',
        name: 'test',
        run: async ({ url, endpoint, apiKey }) => {
          const record = await untilEnded(`${url}/v2/${endpoint}`, apiKey);
          reportedMs = (record as { executionTime: number }).executionTime;
        },
      },
      weather: { ...WEATHERS[0]!, job: { runMs: 120_000 } },
      ...{ chance, speed: 60, limitMs: 25_000, edition: 'document', handler: undefined, output: undefined },
      expected: undefined,
      jobsWhenClear: null,
      signal: new AbortController().signal,
    });
    return reportedMs;
  };
  const [short, long] = [await runOf(0), await runOf(1)];
  expect(short).toBeGreaterThan(100_000);
  expect(long).toBeGreaterThan(short);
});

it('a lost reply is one of a call that was handled', async () => {
  const result = await inWeather('reply-of-submission-lost', async ({ base, apiKey }) => {
    await expect(fetch(`${base}/run`, SUBMISSION(apiKey))).rejects.toThrow();
  });
  expect(result.session.calls).toMatchObject([{ reached: true, outcome: { kind: 'lost', why: 'lost' } }]);
  expect(result.session.jobs).toHaveLength(1);
});

it('a reset read did not reach the endpoint', async () => {
  const result = await inWeather('read-reset', async ({ base, apiKey }) => {
    const { id } = (await (await fetch(`${base}/run`, SUBMISSION(apiKey))).json()) as { id: string };
    await expect(fetch(`${base}/status/${id}`, { headers: { authorization: apiKey } })).rejects.toThrow();
  });
  expect(result.session.calls[1]).toMatchObject({
    reached: false,
    outcome: { kind: 'lost', why: 'refused' },
  });
});

it('half a reply has its code and the beginning of its body', async () => {
  const result = await inWeather('read-half', async ({ base, apiKey }) => {
    const { id } = (await (await fetch(`${base}/run`, SUBMISSION(apiKey))).json()) as { id: string };
    const reply = await fetch(`${base}/status/${id}`, { headers: { authorization: apiKey } });
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
  });
  expect(result.session.calls[1]).toMatchObject({ reached: true, outcome: { kind: 'lost', why: 'half' } });
});

it('nothing listens for the first two seconds where a connection is refused', async () => {
  const result = await inWeather('connection-refused', async ({ base, apiKey }) => {
    await expect(fetch(`${base}/health`)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await fetch(`${base}/health`, { headers: { authorization: apiKey } })).status).toBe(200);
  });
  expect(result.session.calls).toHaveLength(1);
});

it('a gateway answers with HTML and Retry-After', async () => {
  await inWeather('read-answered-503', async ({ base, apiKey }) => {
    const { id } = (await (await fetch(`${base}/run`, SUBMISSION(apiKey))).json()) as { id: string };
    const reply = await fetch(`${base}/status/${id}`, { headers: { authorization: apiKey } });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await reply.text()).toContain('<html>');
  });
});

it('unknown fields stand beside those of the record, and a missing output is none', async () => {
  await inWeather('unknown-fields', async ({ base, apiKey }) => {
    expect(await untilEnded(base, apiKey)).toMatchObject({ status: 'COMPLETED', retries: 0, trace: {} });
  });
  await inWeather('output-missing', async ({ base, apiKey }) => {
    expect(await untilEnded(base, apiKey)).not.toHaveProperty('output');
  });
});

it('a rejected key is rejected from the first call on', async () => {
  const result = await inWeather('key-rejected', async ({ base, apiKey }) => {
    expect((await fetch(`${base}/run`, SUBMISSION(apiKey))).status).toBe(401);
  });
  expect(result.session.calls[0]!.key).toEqual({ header: 'bare', elsewhere: null });
});

it('the key is found wherever it is sent', async () => {
  const result = await inWeather('clear', async ({ base, apiKey }) => {
    await fetch(`${base}/health?api_key=${apiKey}`);
    await fetch(`${base}/health`, { headers: { 'x-api-key': apiKey } });
    await fetch(`${base}/health`, { headers: { authorization: `Bearer ${apiKey}` } });
    await fetch(`${base}/health`, { headers: { authorization: 'another' } });
  });
  expect(result.session.calls.map(({ key }) => key)).toEqual([
    { header: 'missing', elsewhere: 'the query' },
    { header: 'missing', elsewhere: 'the header x-api-key' },
    { header: 'bearer', elsewhere: null },
    { header: 'wrong', elsewhere: null },
  ]);
});

it('a client that breaks off its body, or calls with a method that is none, harms no other call', async () => {
  const result = await inWeather('clear', async ({ base, apiKey, url }) => {
    await new Promise<void>((resolve) => {
      const call = request(`${base}/run`, { method: 'POST', headers: { 'content-length': 100 } });
      call.on('error', () => resolve());
      call.write('{"inp');
      setTimeout(() => call.destroy(), 100);
    });
    await expect(
      new Promise((resolve, reject) => {
        request(`${url}/`, { method: 'TRACE' }, resolve).on('error', reject).end();
      }),
    ).rejects.toThrow();
    expect((await fetch(`${base}/health`, { headers: { authorization: apiKey } })).status).toBe(200);
  });
  expect(result.session.calls).toMatchObject([
    { reached: false, outcome: { kind: 'abandoned' } },
    { request: { method: 'TRACE' } },
    { outcome: { kind: 'answer', status: 200 } },
  ]);
});

it('a call whose client goes away is abandoned, and its body is seen on a GET', async () => {
  const result = await inWeather('late-replies', async ({ base, apiKey }) => {
    await new Promise<void>((resolve) => {
      const call = request(`${base}/health`, { headers: { authorization: apiKey, 'content-length': 7 } });
      call.on('error', () => resolve());
      call.end('{"a":1}');
      setTimeout(() => call.destroy(), 300);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  expect(result.session.calls).toMatchObject([
    { outcome: { kind: 'abandoned' }, bytes: 7, request: { body: { as: 'json', value: { a: 1 } } } },
  ]);
});
