import { describe, expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { plainEndpoint } from '../../examples/in-process/plain-endpoint/index.js';
import { checkTarget, createApp, fetchTarget, type FreshEndpoint } from '../../src/index.js';
import { callsOf, endingOf, failuresOf, plain, play } from './support.js';

const KEY = 'a-key-of-its-own';

describe('capabilities', () => {
  it('are those of the contract, as far as the factory says so', () => {
    const { kind, clock, capabilities } = fetchTarget({ fresh: plain }, { worker: 'scripted' });
    expect({ kind, clock }).toEqual({ kind: 'handler', clock: 'controlled' });
    expect(capabilities).toContain('scripted-worker');
    expect(capabilities).toContain('worker-count-known');
    expect(fetchTarget({ fresh: plain }).capabilities).not.toContain('scripted-worker');
    const shared = plainEndpoint({ endpoints: ['test'], workers: 1, apiKey: KEY });
    expect(fetchTarget(shared, { worker: 'scripted' }).capabilities).not.toContain('worker-count-known');
  });
});

describe('one handler for all scripts', () => {
  it('is checked script after script', { timeout: 60_000 }, async () => {
    const shared = plainEndpoint({ endpoints: ['only'], workers: 2, apiKey: KEY });
    const target = fetchTarget(shared, { apiKey: KEY, endpoint: 'only', workers: 2, worker: 'scripted' });
    const scenarios = named.filter(({ name }) => /^(2\.2|3|4\.6|4\.8|8\/rate-of-purge)/.test(name));
    const result = await checkTarget(target, { seed: 2, runs: 1, scenarios });
    await target.close();
    expect(failuresOf(result)).toEqual([]);
    const passed = result.findings.requirements.filter(({ verdict }) => verdict === 'pass');
    expect(passed.length).toBeGreaterThan(80);
    expect(result.leftOut.every(({ missing }) => !missing.includes('scripted-worker'))).toBe(true);
  });
});

describe('the key', () => {
  it.each(['bare', 'bearer'] as const)('is shown %s where the handler wants it so', async (form) => {
    const fresh = (wanted: FreshEndpoint) => {
      const inner = plain(wanted);
      return {
        fetch: (request: Request) =>
          request.headers.get('authorization')?.startsWith('Bearer ') === (form === 'bearer')
            ? inner.fetch(request)
            : new Response(null, { status: 401 }),
      };
    };
    expect(callsOf(await play(fresh, [{ do: 'health' }]))).toEqual(['health 0–0 200']);
  });

  it('that is refused in every form ends the run', async () => {
    const fresh = () => () => new Response(null, { status: 401 });
    await expect(play(fresh, [{ do: 'health' }])).rejects.toThrow('refuses the API key');
  });
});

describe('a handler', () => {
  it('that throws has answered 500', async () => {
    const fresh = () => () => {
      throw new Error('a bug');
    };
    expect(callsOf(await play(fresh, [{ do: 'health' }], { apiKey: null }))).toEqual(['health 0–0 500']);
  });

  it('that never answers is given up', async () => {
    const fresh = () => () => new Promise<Response>(() => undefined);
    const result = await play(fresh, [{ do: 'health' }], { apiKey: null });
    expect(callsOf(result)).toEqual(['health 0–null timeout']);
  });

  it('whose workers are to change must have setWorkers', async () => {
    const fresh = (wanted: FreshEndpoint) => ({ fetch: plain(wanted).fetch });
    expect(endingOf(await play(fresh, [{ do: 'workers', count: 2 }]))).toContain('setWorkers');
    expect(endingOf(await play(plain, [{ do: 'workers', count: 2 }]))).toBeNull();
  });

  it('is closed when its script is over', async () => {
    const closed: string[] = [];
    const fresh = (wanted: FreshEndpoint) => ({
      ...plain(wanted),
      close: () => void closed.push(wanted.endpoint),
    });
    await play(fresh, [{ do: 'run', job: 'a', plan: [{ hang: true }] }]);
    expect(closed).toEqual(['runproof-0']);
  });
});

it('the embedded endpoint, in real time, conforms under the fake clock', { timeout: 60_000 }, async () => {
  const target = fetchTarget(
    {
      fresh: ({ endpoint, secondEndpoint: neighbour, workers, apiKey }) =>
        createApp({
          endpoints: neighbour === null ? [endpoint] : [endpoint, neighbour],
          workers,
          apiKeys: [apiKey ?? ''],
        }),
    },
    { worker: 'scripted' },
  );
  const scenarios = named.filter(({ name }) => /^(2\.2|4\.1|4\.2|6)\//.test(name));
  const result = await checkTarget(target, { seed: 4, runs: 1, scenarios });
  await target.close();
  expect(failuresOf(result)).toEqual([]);
});
