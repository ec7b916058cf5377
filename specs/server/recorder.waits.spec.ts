/** What a server keeps of its calls, to make a script of it. */
import { expect, it } from 'vitest';
import { createApp, type App } from '../../src/server/index.js';
import { createRecorder } from '../../src/server/recorder.js';
import { forThisTest, listen, serve } from '../support/servers.js';
import { until } from '../support/until.js';
import { createCaller, type Caller } from './caller.js';

const recording = async (options = {}) => {
  const server = await serve({ record: true, ...options });
  return { server, api: createCaller(`${server.url}/v2/test`, server.apiKeys[0]!) };
};
const run = async (api: Caller, more: object = {}): Promise<string> =>
  (await api.post('/run', { input: {}, ...more })).json.id as string;

it('keeps neither keys nor what a remote worker calls', async () => {
  const { server, api } = await recording({ apiKeys: ['a-key-of-mine'], workers: 3 });
  await run(api, { input: { copied: 'Bearer a-key-of-mine' } });
  await api.get('/health?api_key=a-key-of-mine&token=hidden&ttl=x');
  // One worker more.
  await api.get('/ping/pod');
  await createCaller(server.url, 'another-wrong-key').get('/v2/test/health');
  const script = server.recordedScript();
  expect(script).toMatchObject({ title: '3 calls recorded by the emulator', workers: 4 });
  expect(script.steps).toMatchObject([
    { do: 'run', input: { copied: 'Bearer [redacted]' } },
    { do: 'health' },
    { do: 'health', auth: 'wrong' },
  ]);
  expect(JSON.stringify(script)).not.toMatch(/a-key-of-mine|another|hidden/);
});

it('remembers how a webhook was answered', async () => {
  let calls = 0;
  const receiver = forThisTest(
    await listen((_request, response) => {
      calls += 1;
      if (calls === 1) response.destroy();
      else response.writeHead(calls === 2 ? 503 : 204).end();
    }),
  );
  const { server, api } = await recording();
  await run(api, { webhook: `${receiver.url}/hook` });
  for (const attempt of [1, 2, 3]) {
    await until(() => calls >= attempt);
    await server.advance('10s');
  }
  expect(server.recordedScript().steps).toMatchObject([
    { webhook: [{ close: true }, { status: 503 }, { status: 204 }] },
  ]);
});

it('knows a body that was refused unread from none', async () => {
  const { server, api } = await recording();
  await api.send('POST', '/run', { headers: { authorization: 'wrong' }, body: 'x'.repeat(100_000) });
  await api.send('POST', '/run', { headers: { authorization: 'k', 'content-type': 'text/plain' } });
  expect(server.recordedScript().steps).toEqual([
    { do: 'run', job: 'job-1', auth: 'wrong' },
    { do: 'raw', method: 'POST', path: '/run', illegal: 'not-json' },
  ]);
});

it('takes time from the clock of the endpoint, and leaves out what is not answered yet', async () => {
  const { server, api } = await recording();
  const id = await run(api, { input: { plan: [{ hang: true }] } });
  await server.advance('5m');
  await api.post(`/cancel/${id}`);
  const waits = api.post('/runsync', { input: { plan: [{ hang: true }] } });
  await until(() => server.jobs().length === 2);
  expect(server.recordedScript().steps).toMatchObject([
    { do: 'run' },
    { do: 'cancel', job: 'job-1', at: { waitMs: 300_000 } },
  ]);
  await server.advance('90s');
  await waits;
  expect(server.recordedScript()).toMatchObject({ steps: { length: 3 }, expectedMs: 390_000 });
});

it('records calls in this process, and none unless asked', async () => {
  const call = (app: App): Response | Promise<Response> =>
    app.fetch(new Request('http://own/v2/test/health', { headers: { authorization: 'runproof-local' } }));
  const app = forThisTest(createApp({ record: true }));
  await call(app);
  expect(app.recordedScript().steps).toEqual([{ do: 'health' }]);
  const other = forThisTest(createApp());
  await call(other);
  expect(() => other.recordedScript()).toThrow(/start the endpoint with record: true/);
});

it('forgets the oldest calls beyond its limits, and says so', () => {
  const recorder = createRecorder(
    () => 0,
    () => 1,
    [],
  );
  const end = { job: null, fault: null, reply: { id: 'x' } };
  const called = (target: string, request: string | null): void =>
    recorder.called!(request === null ? 'GET' : 'POST', target, {})({ status: 200, request, ...end });
  for (let call = 0; call < 10_003; call += 1) called('/v2/test/health', null);
  expect(recorder.script()).toMatchObject({
    steps: { length: 10_000 },
    title: '10000 calls recorded by the emulator after the first 3',
  });
  const large = JSON.stringify({ input: { text: 'x'.repeat(5_000_000) } });
  for (let call = 0; call < 5; call += 1) called('/v2/test/run', large);
  expect(recorder.script().steps.map(({ do: does }) => does)).toEqual(['run', 'run', 'run']);
});

it('keeps the submission of a job that is read for ever', () => {
  const recorder = createRecorder(
    () => 0,
    () => 1,
    [],
  );
  const end = { job: null, fault: null, reply: { id: 'x' } };
  recorder.called!('POST', '/v2/test/run', {})({ status: 200, request: '{"input":{}}', ...end });
  for (let call = 0; call < 10_500; call += 1)
    recorder.called!('GET', '/v2/test/status/x', {})({ status: 200, request: null, ...end });
  const { steps } = recorder.script();
  expect([steps.length, steps[0]?.do, steps.at(-1)?.do]).toEqual([10_000, 'run', 'status']);
});

it('does not count a call that it has forgotten while it was under way', () => {
  const recorder = createRecorder(
    () => 0,
    () => 1,
    [],
  );
  const end = { job: null, fault: null, reply: { id: 'x' } };
  const large = JSON.stringify({ input: { text: 'x'.repeat(5_000_000) } });
  const run = () => recorder.called!('POST', '/v2/test/run', {});
  const underWay = Array.from({ length: 4 }, run);
  for (let call = 0; call < 8; call += 1) run()({ status: 200, request: large, ...end });
  for (const over of underWay) over({ status: 200, request: large, ...end });
  run()({ status: 200, request: large, ...end });
  expect(recorder.script().steps).toHaveLength(3);
});
