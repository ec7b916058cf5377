import { expect, it } from 'vitest';
import { judgeClient } from '../../../src/features/client/index.js';
import { selfCheck } from '../../../src/features/client/self-check.js';
import { OPEN, type Exchange } from '../../../src/history/exchange.js';
import { namesAt } from '../../../src/traffic/index.js';
import { SUBMISSION, untilEnded } from './simple-client.js';

const ended =
  (accepts: readonly string[]) =>
  async ({ url, endpoint, apiKey }: { url: string; endpoint: string; apiKey: string }): Promise<void> => {
    const record = await untilEnded(`${url}/v2/${endpoint}`, apiKey);
    const status = record === null ? 'gone' : (record as { status: string }).status;
    if (!accepts.includes(status)) throw new Error(`the job is ${status}`);
  };

it('a client that copes survives', async () => {
  const judged = await judgeClient(ended(['COMPLETED']), { weather: ['clear', 'job-fails', 'queue-purged'] });
  judged.assertSurvived();
  expect(judged).toMatchObject({ survived: true, violations: [] });
  expect(judged.cause).toMatch(/^SURVIVED 3 conditions: \d+ rules kept/u);
});

it('a client that takes FAILED for success is told so first', async () => {
  const judged = await judgeClient(ended(['COMPLETED', 'FAILED']), { weather: ['clear', 'job-fails'] });
  expect(judged.survived).toBe(false);
  expect(judged.violations).toContainEqual({
    rule: 'client/success-is-completed',
    weather: 'job-fails',
    text: 'it ended with success although it was told FAILED',
  });
  expect(judged.cause).toContain('client/success-is-completed under 1 of 2 conditions');
  expect(() => judged.assertSurvived()).toThrow('it was told FAILED');
});

it('what the user expects of an ending counts', async () => {
  const run = ended(['COMPLETED']);
  const options = { weather: ['clear'], expect: { clear: 'failure' } } as const;
  expect((await judgeClient(run, options)).violations).toMatchObject([{ rule: 'client/ending' }]);
  expect((await judgeClient(run, { ...options, expect: { '*': 'either' } })).violations).toEqual([]);
});

it.each([
  ['output', { output: { images: ['a'] } }],
  ['a handler', { handler: ({ input }: { input: unknown }) => ({ images: Object.keys(input as object) }) }],
])('jobs return what the user says by %s', async (_name, options) => {
  const judged = await judgeClient(
    async ({ url, endpoint, apiKey }) => {
      const record = await untilEnded(`${url}/v2/${endpoint}`, apiKey, { input: { a: 1 } });
      expect(record).toMatchObject({ output: { images: ['a'] } });
    },
    { weather: ['clear'], ...options },
  );
  judged.assertSurvived();
});

it('a client that is never done is told to stop, and judged', async () => {
  let told = false;
  const judged = await judgeClient(
    async ({ url, endpoint, apiKey }, signal) => {
      await fetch(`${url}/v2/${endpoint}/run`, SUBMISSION(apiKey));
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      told = true;
    },
    { weather: ['clear'], limitMs: 1_000 },
  );
  expect(told).toBe(true);
  expect(judged.text).toContain('1 condition, 1 call, 0 webhooks in ');
});

it('a weather that is none is a usage error that names the nearest', async () => {
  await expect(judgeClient(() => undefined, { weather: ['job-fail'] })).rejects.toThrow(/job-fails/u);
});

it.each([
  ['seed', { seed: 0.5 }],
  ['speed', { speed: 0 }],
  ['limitMs', { limitMs: 0 }],
  ['atOnce', { atOnce: 0 }],
  ['is not a condition', { expect: { 'job-fail': 'failure' } }],
] as const)('an option that makes no sense is a usage error: %s', async (says, options) => {
  await expect(judgeClient(() => undefined, { weather: ['clear'], ...options })).rejects.toThrow(says);
});

it('a client that makes no call is a usage error', async () => {
  await expect(judgeClient(() => undefined, { weather: ['clear'] })).rejects.toThrow('made no call');
});

it('an emulator that is wrong is found by its own oracle', async () => {
  const message = (text: string) => ({
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
  });
  const [method, target] = ['POST', '/v2/weather/run'] as const;
  const begun: Exchange<Uint8Array> = {
    ...{ id: 1, fromMs: 0, byMs: null, outcome: OPEN },
    request: { method, target, ...message('{"input":{}}') },
    names: namesAt(method, `http://emulator${target}`, 'document'),
  };
  const answer = { ...message('{"id":"j","status":"COMPLETED"}'), kind: 'answer', status: 200 } as const;
  expect(await selfCheck([begun, { ...begun, byMs: 1, outcome: answer }], 'document', 10)).toMatchObject([
    expect.stringContaining('4.2/'),
  ]);
});
