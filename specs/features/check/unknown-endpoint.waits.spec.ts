/** A typing error in the endpoint id is told before anything is played, as a wrong key is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { startServer, type RunningServer } from '../../../src/server/index.js';
import { createFakeIo } from '../../cli/fake-io.js';

const KEY = 'key-of-the-spec';
let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ apiKeys: [KEY], endpoints: ['test'], workers: 2 });
});
afterAll(() => server.close());

it.each([
  ['check', '/v2/tset', 'the endpoint tset is unknown here'],
  ['plan', '/v2/tset', 'the endpoint tset is unknown here'],
  ['check', '/api/v2/test', '/api/v2/test are answered with 404'],
])('%s %s', async (command, path, told) => {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
  const exit = await runCli([command, `${server.url}${path}`, '--profile', 'quick'], io);
  expect(exit, io.printed()).toBe(3);
  expect(io.complained()).toContain(told);
  expect(io.complained()).toContain('Check the endpoint id');
});
