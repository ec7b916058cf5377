import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { httpTarget, TargetError } from '../../src/target/http/index.js';
import type { HttpTargetOptions } from '../../src/target/http/index.js';
import { FakeEndpoint, KEY, OTHER_KEY } from './fake-endpoint.js';
import type { FakeOptions } from './fake-endpoint.js';
import { withFake } from './support.js';

async function refusal(fakeOptions: FakeOptions, options: Partial<HttpTargetOptions>): Promise<TargetError> {
  const error = await withFake(fakeOptions, options, async () => null).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(TargetError);
  return error as TargetError;
}

describe('connecting', () => {
  it('says what to do when nothing answers', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    const error = await httpTarget({
      url: `http://127.0.0.1:${port}/v2/e`,
      apiKey: 'secret-key',
    }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ problem: 'unreachable', advice: expect.stringContaining('running') });
    expect(String(error)).toContain('ECONNREFUSED');
  });

  it.each<[string, (socket: Socket) => void, Partial<HttpTargetOptions>, RegExp]>([
    ['a call that takes too long', () => {}, { timeoutMs: 50 }, /no answer within 50 ms\. .*--timeout/],
    ['a port that may speak TLS', (socket) => socket.destroy(), {}, /closes the connection .* https:\/\//],
    [
      'a proxy that is not there',
      () => {},
      { proxy: 'http://127.0.0.1:9' },
      /the proxy 127\.0\.0\.1:9 does not: .*ECONNREFUSED.* Check --proxy/,
    ],
    [
      'a proxy of the environment that is not there',
      () => {},
      { proxies: { http: 'http://me:secret@127.0.0.1:9', https: '', none: '' } },
      /the proxy 127\.0\.0\.1:9, which HTTP_PROXY names, does not: .*ECONNREFUSED.* Check HTTP_PROXY, or .* NO_PROXY/,
    ],
  ])('says what to do about %s', async (_, answer, options, told) => {
    const server = createTcpServer(answer).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/v2/e`;
    const error = await httpTarget({ url, apiKey: 'secret-key', ...options }).catch(
      (caught: unknown) => caught,
    );
    server.close();
    expect(error).toMatchObject({ problem: 'unreachable' });
    expect(String(error)).toMatch(told);
  });

  it('says so when the key is refused everywhere, and does not show it', async () => {
    const error = await refusal({ accepts: 'nothing' }, {});
    expect(error.problem).toBe('key-refused');
    expect(`${error.message} ${error.stack}`).not.toContain(KEY);
  });

  it('tells a missing key from a wrong one', async () => {
    const error = await refusal({}, { apiKey: null });
    expect(error.message).toContain('requires an API key');
  });

  it.each([
    ['both', 'bare'],
    ['bare', 'bare'],
    ['bearer', 'bearer'],
  ] as const)('finds out how the key stands in the header: accepts %s', async (accepts, auth) => {
    await withFake({ accepts }, {}, async (target) => expect(target.auth).toBe(auth));
  });

  it('takes the word of the user for how the key stands', async () => {
    await withFake({}, { auth: 'bearer' }, async (target) => expect(target.auth).toBe('bearer'));
  });

  it('wants to know the endpoint where none can be made', async () => {
    const fake = await new FakeEndpoint().start();
    const error = await httpTarget({ url: fake.url, apiKey: KEY }).catch((caught: unknown) => caught);
    await fake.stop();
    expect(error).toMatchObject({ problem: 'configuration', advice: expect.stringContaining('--endpoint') });
  });

  it.each([false, true])(
    'tells an endpoint that is unknown from a target at fault, HTML pages: %s',
    async (pages) => {
      const error = await refusal({ lacks: ['health', 'run', 'runsync', 'status'], pages }, {});
      expect(error.problem).toBe('unknown-endpoint');
      expect(error.message).toContain('The endpoint shared is unknown here');
      expect(error.message).toContain('/v2/shared are answered with 404');
      expect(error.advice.includes('Is the service at http://127.0.0.1:')).toBe(pages);
    },
  );

  it.each([
    [['health']],
    [['run']],
    [['health', 'run']],
    [['health', 'runsync']],
    [['run', 'runsync', 'status']],
  ])('plays on an endpoint without %j, and leaves no job of the probe alive', async (lacks) => {
    await withFake({ lacks, stuck: true }, {}, async (target, fake) => {
      expect(target.name).toContain('/v2/shared');
      const submitted = fake.log.filter((line) => /\/(run|runsync)$/.test(line));
      const cancelled = fake.log.filter((line) => line.includes('/cancel/'));
      expect(cancelled).toHaveLength(lacks.includes('health') ? 1 : 0);
      expect(submitted.length).toBeLessThanOrEqual(2);
    });
  });

  it('does not take another protocol for test control', async () => {
    const error = await refusal({ features: ['clock'], protocol: 'test-control/9' }, {});
    expect(error.problem).toBe('control');
  });

  it('sends the headers of the user with every call, and a path prefix before it', async () => {
    await withFake({ prefix: '/api' }, { headers: { 'X-Team': 'a' } }, async (target, fake) => {
      expect(fake.log[0]).toBe('GET /api/v2/shared/health');
      expect(fake.headers[0]).toMatchObject({ 'x-team': 'a', authorization: KEY });
      expect(target.name).toBe(`${fake.url}/v2/shared`);
    });
  });
});

describe('what a target can do', () => {
  it.each([
    [null, [], 'real'],
    [[], [], 'real'],
    [['clock'], ['test-control'], 'controlled'],
    [['endpoints'], ['dedicated', 'load-allowed', 'worker-count-known'], 'real'],
    [['keys'], ['other-user-key'], 'real'],
    [
      ['clock', 'endpoints'],
      ['test-control', 'dedicated', 'load-allowed', 'worker-count-known'],
      'controlled',
    ],
  ])('test control with %j', async (features, capabilities, clock) => {
    const fakeClock = features?.includes('clock') ? 'controlled' : 'real';
    await withFake({ features, clock: fakeClock }, {}, async (target) => {
      const wanted = ['scripted-worker', 'webhook-reachable', 'endpoint-in-path', ...capabilities];
      expect([...target.capabilities].sort()).toEqual(wanted.sort());
      expect(target.clock).toBe(clock);
    });
  });

  it('takes the keys that it is given, and knows all that it must not tell', async () => {
    const given = { unpermittedApiKey: 'no-permission', otherApiKey: OTHER_KEY };
    await withFake({ features: ['keys'] }, given, async (target) => {
      expect(target.capabilities).toEqual(expect.arrayContaining(['unpermitted-key', 'other-user-key']));
      expect(target.keys).toEqual([KEY, 'no-permission', OTHER_KEY]);
    });
  });

  it('leaves the key of another user out where it is refused, and says so', async () => {
    await withFake({}, { otherApiKey: 'nobody-knows-it' }, async (target) => {
      expect(target.capabilities).not.toContain('other-user-key');
      expect(target.notes.join()).toContain('The key of another user is answered with 401');
    });
  });

  it.each([
    ['a worker that follows plans', {}, true],
    ['a worker that does not', { opaque: true }, false],
  ])('probes for %s', async (_, fakeOptions: FakeOptions, scripted) => {
    await withFake(fakeOptions, { worker: 'probe' }, async (target) => {
      expect(target.capabilities.includes('scripted-worker')).toBe(scripted);
    });
  });

  it('expects a scripted worker of endpoints made for tests, also when no job of the probe ends', async () => {
    const fakeOptions = { stuck: true, clock: 'controlled', features: ['clock', 'endpoints'] } as const;
    await withFake(fakeOptions, { worker: 'probe' }, async (target) => {
      expect(target.capabilities).toContain('scripted-worker');
      expect(target.notes).toHaveLength(1);
    });
  });

  it('reads the number of workers from /health, and counts nobody else out by itself', async () => {
    await withFake({}, {}, async (target) => {
      expect(target.workers).toBe(3);
      expect(target.limits.maxWorkers).toBe(3);
      expect(target.capabilities).not.toContain('dedicated');
    });
    await withFake({}, { dedicated: true, workers: 5 }, async (target) => {
      expect(target.workers).toBe(5);
      expect(target.capabilities).toContain('load-allowed');
    });
  });

  it.each([
    ['none before the probe, and nobody else', { fromZero: true }, { dedicated: true }, true],
    ['none, but others may come', { fromZero: true }, {}, false],
    ['some', {}, { dedicated: true }, false],
  ])('asks what makes workers start where /health shows %s', async (_, fakeOptions, options, offered) => {
    await withFake(fakeOptions, { worker: 'probe', ...options }, async (target) => {
      expect(target.capabilities.includes('scales-from-zero')).toBe(offered);
    });
  });
});
