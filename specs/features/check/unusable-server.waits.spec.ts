/** A server at which no operation works is told before anything is run, with what it answers and what to do. */
import { type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { startServer } from '../../../src/server/index.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';
import { listen } from '../../support/servers.js';

type Answer = (path: string, response: ServerResponse) => void;

async function checked(
  answer: Answer,
): Promise<{ readonly exit: number; readonly io: FakeIo; calls: number }> {
  let calls = 0;
  await using server = await listen((request, response) => {
    calls += 1;
    request.resume().on('end', () => answer(request.url ?? '', response));
  });
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'key-of-the-spec' } });
  const exit = await runCli(['check', `${server.url}/v2/test`, '--profile', 'quick'], io);
  return { exit, io, calls };
}

const text =
  (status: number, type: string, body: string): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
const json = (status: number): Answer => text(status, 'application/json', '{"error":"no"}');
const redirect =
  (to: string): Answer =>
  (_, response) => {
    response.writeHead(302, { location: to });
    response.end();
  };

it.each<[string, Answer, told: string, advice: string]>([
  ['a web site', text(200, 'text/html', '<title>Sign in</title>'), 'no answer is JSON', 'Is the service at'],
  ['any other server', text(200, 'text/plain', 'ok'), 'no answer is JSON', 'check the address'],
  [
    'a log-in',
    redirect('https://login.example.com/?secret=1'),
    'every call is redirected',
    'the first to https://login.example.com/. Give the address with https',
  ],
  ['a log-in here', redirect('/login?next=/v2'), 'the first to /login. ', 'by --header'],
  ['a rate limit', json(429), 'refuses every call', 'Wait until its rate limit'],
  [
    'a proxy',
    text(503, 'text/html', '<h1>503</h1>'),
    'are answered with 503, with HTML pages',
    'Is it running?',
  ],
  ['a crash', json(500), 'fails at every call', 'Its log says why'],
  ['a forbidden key', json(403), 'refuses the API key', 'Check the key'],
  [
    'a gateway with a password',
    (_, response) => void response.writeHead(401, { 'www-authenticate': 'Basic realm="staff"' }).end(),
    'a gateway in front of the target asks for Basic authentication',
    'give the address behind it',
  ],
  [
    'several refusals',
    (path, response) => json(path.endsWith('/health') ? 500 : 404)(path, response),
    'no operation works: /health, /run and /runsync at',
    'Check the address, the key and the endpoint id',
  ],
])('%s', async (_, answer, told, advice) => {
  const { exit, io, calls } = await checked(answer);
  expect(exit, io.printed()).toBe(3);
  expect(io.complained()).toContain(told);
  expect(io.complained()).toContain(advice);
  expect(io.complained()).not.toContain('secret=1');
  expect(calls).toBeLessThanOrEqual(6);
});

it('an address that does not belong to the test control', async () => {
  const key = 'key-of-the-spec';
  const [one, other] = await Promise.all(
    [1, 2].map(() => startServer({ apiKeys: [key], clock: 'controlled', endpoints: ['test'] })),
  );
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: key } });
  const exit = await runCli(['check', one!.url, '--control', other!.controlUrl], io);
  await Promise.all([one!.close(), other!.close()]);
  expect(exit, io.printed()).toBe(3);
  expect(io.complained()).toContain('which test control has created, is unknown here');
  expect(io.complained()).toContain('belong to the same server');
});

it('a gateway with a password is told where the form of the key is given as well', async () => {
  await using server = await listen(
    (_, response) => void response.writeHead(401, { 'www-authenticate': 'Basic realm="staff"' }).end(),
  );
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'key-of-the-spec' } });
  expect(await runCli(['check', `${server.url}/v2/test`, '--auth', 'bare'], io)).toBe(3);
  expect(io.complained()).toContain('a gateway in front of the target asks for Basic authentication');
});
