/** `serve --rate run=10/10s` and the other limits. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { settingsOf, type RawOptions } from '../../../src/cli/options/option.js';
import { LIMIT_OPTIONS, limitedRules } from '../../../src/features/serve/limits/options.js';
import { createApp, LOCAL_API_KEY } from '../../../src/server/index.js';

function endpointWith(given: RawOptions) {
  const rules = limitedRules(settingsOf(LIMIT_OPTIONS, given, ''));
  const app = createApp({ clock: 'controlled', rules });
  onTestFinished(() => app.close());
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: LOCAL_API_KEY, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const reply = await app.fetch(new Request(`http://localhost/v2/test${path}`, init));
    const { id } = (await reply.json()) as { readonly id?: string };
    return { status: reply.status, id };
  };
  const run = (input: object = {}) => call('POST', '/run', { input });
  return { app, call, run };
}

const busy = { plan: [{ sleepMs: 60_000 }] };

describe('limits of serve', () => {
  it('--rate: of this operation alone, within its window', async () => {
    const { app, call, run } = endpointWith({ rate: ['*=5/1m', 'run=2/20s'] });
    expect([(await run()).status, (await run()).status]).toEqual([200, 200]);
    expect(await run()).toMatchObject({ status: 429 });
    for (let left = 5; left > 0; left--) expect((await call('GET', '/status/none')).status).toBe(404);
    expect(await call('GET', '/status/none')).toMatchObject({ status: 429 });
    await app.advance('20s');
    expect([(await run()).status, (await call('GET', '/status/none')).status]).toEqual([200, 429]);
  });

  it('--concurrency-limit', async () => {
    const { app, call } = endpointWith({ concurrencyLimit: ['runsync=1'] });
    const first = call('POST', '/runsync', { input: { plan: [{ sleepMs: 1_000 }] } });
    await call('GET', '/health');
    expect((await call('POST', '/runsync', { input: {} })).status).toBe(429);
    await app.advance('1s');
    expect((await first).status).toBe(200);
  });

  it('--body-limit, in KB of 1,000 bytes', async () => {
    const { call, run } = endpointWith({ bodyLimit: ['run=1KB'] });
    const codes = [
      (await run({ text: 'x'.repeat(900) })).status,
      (await run({ text: 'x'.repeat(1_000) })).status,
    ];
    expect(codes).toEqual([200, 400]);
    expect((await call('POST', '/runsync', { input: { text: 'x'.repeat(1_000) } })).status).toBe(200);
  });

  it('--retention', async () => {
    const { app, call, run } = endpointWith({ retention: ['run=10s'] });
    const { id } = await run();
    await app.advance('9s');
    expect((await call('GET', `/status/${id}`)).status).toBe(200);
    await app.advance('2s');
    expect((await call('GET', `/status/${id}`)).status).toBe(404);
  });

  it('--queue-limit', async () => {
    const { run } = endpointWith({ queueLimit: '1' });
    const codes = [(await run(busy)).status, (await run(busy)).status, (await run(busy)).status];
    expect(codes).toEqual([200, 200, 429]);
  });

  it.each([
    ['rate', 'run=10'],
    ['rate', 'run=0/10s'],
    ['rate', 'ran=10/10s'],
    ['rate', '10/10s'],
    ['concurrencyLimit', 'run=none'],
    ['bodyLimit', 'run=1GB'],
    ['bodyLimit', 'status=1KB'],
  ])('a limit that cannot be read is refused: %s %s', (name, given) => {
    expect(() => settingsOf(LIMIT_OPTIONS, { [name]: [given] }, '')).toThrow(/has the form OPERATION=LIMIT/);
  });
});
