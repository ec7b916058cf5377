import { describe, expect, it } from 'vitest';
import { ownBodyOf } from '../../src/history/body.js';
import { operationOf } from '../../src/runner/requests.js';
import type { ScriptRunnerContext } from '../../src/runner/api.js';
import type { Step } from '../../src/scenario/script.js';
import { context, play } from './support.js';

const ok = () => ({ status: 200, body: { id: 'j 1', status: 'IN_QUEUE' } });

describe('submissions', () => {
  it.each([200, 5_000, 1_000_000])('are padded to exactly %i bytes, whatever the alphabet', (bytes) => {
    const { calls } = play([{ do: 'run', job: 'a', input: { text: 'čćžš 🚀' }, padToBytes: bytes }], ok);
    const text = calls[0]?.call.bodyText ?? '';
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect((JSON.parse(text) as { input: { text: string } }).input.text).toBe('čćžš 🚀');
  });

  it('are sent in chunks where the step says so', () => {
    const run = { do: 'run', job: 'a' } as const;
    const { calls } = play(
      [
        { ...run, chunked: true },
        { ...run, job: 'b' },
      ],
      ok,
    );
    expect(calls.map(({ call }) => call.chunked)).toEqual([true, undefined]);
  });

  it('are padded with a character of several bytes, to the byte', () => {
    const { calls } = play([{ do: 'run', job: 'a', padToBytes: 1000, padWith: '€' }], ok);
    const text = calls[0]?.call.bodyText ?? '';
    expect(Buffer.byteLength(text)).toBe(1000);
    expect(text.length).toBeLessThan(400);
  });

  it.each(['x', '€', '"', '@', 'ab'])(
    'padded with %s have the value and the kept form of their text',
    (padWith) => {
      const long = 'y'.repeat(10_000);
      for (const padToBytes of [20_000, 1_000_000]) {
        const { calls } = play([{ do: 'run', job: 'a', input: { long }, padToBytes, padWith }], ok);
        const { bodyText, keptBody, bodyValue } = calls[0]!.call;
        if (keptBody !== undefined) expect(keptBody).toEqual(ownBodyOf(bodyText));
        if (bodyValue !== undefined) expect(bodyValue).toEqual(JSON.parse(bodyText!));
        // Only a character that JSON escapes leaves both to be read from the text.
        expect([keptBody === undefined, bodyValue === undefined]).toEqual([padWith === '"', padWith === '"']);
      }
    },
  );

  it('carry what the step says and nothing else', () => {
    const { calls, others } = play(
      [
        { do: 'run', job: 'a', plan: [{ hang: true }], webhook: [{ status: 200 }], policy: { ttl: 10_000 } },
        {
          do: 'runsync',
          job: 'b',
          wait: 'abc',
          webhookUrl: 7,
          extra: { note: 1 },
          illegal: 'webhook-number',
        },
      ],
      ok,
    );
    expect(JSON.parse(calls[0]?.call.bodyText ?? '')).toEqual({
      input: { plan: [{ hang: true }] },
      webhook: 'http://hooks/a',
      policy: { ttl: 10_000 },
    });
    expect(others).toEqual([{ kind: 'expect-webhook', token: 'a', answers: [{ status: 200 }] }]);
    expect(calls[1]?.call).toMatchObject({
      op: 'runsync',
      path: '/v2/e/runsync',
      query: { wait: 'abc' },
      illegal: 'webhook-number',
      mayWait: true,
    });
    expect(JSON.parse(calls[1]?.call.bodyText ?? '')).toMatchObject({
      input: { plan: expect.anything() },
      webhook: 7,
      note: 1,
    });
  });

  it('name an address in the input only where the step says so', () => {
    const { calls, others } = play(
      [{ do: 'run', job: 'a', webhook: [{ status: 200 }], webhookInInput: true }],
      ok,
    );
    expect(others).toEqual([{ kind: 'expect-webhook', token: 'a', answers: [{ status: 200 }] }]);
    const body = JSON.parse(calls[0]?.call.bodyText ?? '') as object;
    expect(body).toEqual({ input: { plan: expect.anything() as unknown, webhook: 'http://hooks/a' } });
  });

  it('name the harness itself as the storage where the step says so', () => {
    const { calls, others } = play(
      [{ do: 'run', job: 'a', ownStorage: true, s3Config: { accessId: 'mine' } }],
      ok,
    );
    expect(others).toEqual([{ kind: 'expect-storage', token: 'a-storage' }]);
    expect(JSON.parse(calls[0]?.call.bodyText ?? '')).toMatchObject({
      s3Config: { accessId: 'mine', bucketName: 'a-storage', endpointUrl: 'http://hooks/a-storage' },
    });
  });

  it('name the address of another submission where the step says so, and none where it named none', () => {
    const { calls, others } = play(
      [
        { do: 'run', job: 'a', webhook: [{ status: 200 }] },
        { do: 'run', job: 'b', webhookOf: 'a' },
        { do: 'run', job: 'c', webhookOf: 'b' },
        { do: 'run', job: 'd', webhookOf: 'nobody' },
      ],
      ok,
    );
    const named = calls.map(({ call }) => (JSON.parse(call.bodyText ?? '') as { webhook?: string }).webhook);
    expect(named).toEqual(['http://hooks/a', 'http://hooks/a', 'http://hooks/a', undefined]);
    expect(others).toHaveLength(1);
  });

  it('use the sample input when the worker follows no plans', () => {
    const { calls } = play([{ do: 'run', job: 'a' }], ok, { sampleInput: { prompt: 'hi' } });
    expect(JSON.parse(calls[0]?.call.bodyText ?? '')).toEqual({ input: { prompt: 'hi' } });
  });
});

describe('other requests', () => {
  it('put ids into paths safely, and another endpoint or key where the step wants it', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'status', job: 'a', ttl: 6000, auth: 'wrong', endpoint: 'other' },
        { do: 'raw', method: 'DELETE', path: '/status/{job:a}', illegal: 'wrong method' },
      ],
      ok,
    );
    expect(calls[1]?.call).toMatchObject({
      path: '/v2/other/status/j%201',
      query: { ttl: '6000' },
      auth: 'wrong',
    });
    expect(calls[2]?.call).toMatchObject({ op: null, path: '/v2/e/status/j%201', auth: context.auth });
  });

  it.each([
    ['POST', '/run', 'run'],
    ['GET', '/run', null],
    ['GET', '/status/x', 'status'],
    ['GET', '/status', null],
    ['GET', '/status/', null],
    ['POST', '/purge-queue', 'purge-queue'],
    ['POST', '/openai/v1/models', 'openai'],
    ['GET', '/nonsense', null],
    ['GET', '/constructor', null],
  ])('%s %s means %s', (method, path, op) => {
    expect(operationOf(method, path)).toBe(op);
  });
});

describe('endpoints', () => {
  const steps = [
    { do: 'run', job: 'a', endpoint: '{second-endpoint}' },
    { do: 'status', job: 'a', endpoint: '{second-endpoint}' },
    { do: 'status', job: 'a' },
    { do: 'cancel', job: { nth: 0, phase: ['COMPLETED'] } },
  ] as const;
  const answer = (call: { readonly path: string }) =>
    call.path.startsWith('/v2/n/')
      ? { status: 200, body: { id: 'x', status: 'COMPLETED' } }
      : { status: 404 };

  it('address the neighbour; what the own endpoint says of its job counts for nothing', () => {
    const { calls } = play(steps, answer, { secondEndpoint: 'n' });
    expect(calls.map(({ call }) => call.path)).toEqual([
      '/v2/n/run',
      '/v2/n/status/x',
      '/v2/e/status/x',
      '/v2/e/cancel/x',
    ]);
  });

  it('are skipped where there is no neighbour', () => {
    expect(play(steps, answer).calls).toEqual([]);
  });

  it('stand in paths from the root where the step puts them', () => {
    const { calls } = play(
      [{ do: 'raw', method: 'GET', path: '/v1/{endpoint}/health', fromRoot: true, illegal: 'version' }],
      answer,
    );
    expect(calls[0]?.call).toMatchObject({ op: null, path: '/v1/e/health' });
  });
});

describe('steps with another key', () => {
  const steps: readonly Step[] = [
    { do: 'health', auth: 'unpermitted' },
    { do: 'health', auth: 'other-user' },
    { do: 'health' },
  ];
  const auths = (over: Partial<ScriptRunnerContext>) =>
    play(steps, ok, over).calls.map(({ call }) => call.auth);

  it('show it in the form that the target accepts', () => {
    const otherKeys = ['unpermitted', 'other-user'] as const;
    expect(auths({ otherKeys })).toEqual(['unpermitted', 'other-user', 'bare']);
    expect(auths({ otherKeys, auth: 'bearer' })).toEqual([
      'unpermitted-bearer',
      'other-user-bearer',
      'bearer',
    ]);
  });

  it('are skipped where the run has none', () => {
    expect(auths({})).toEqual(['bare']);
    expect(auths({ otherKeys: ['other-user'] })).toEqual(['other-user', 'bare']);
  });
});
