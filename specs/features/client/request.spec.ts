import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { keptBody, namesAtEndpoint, sentBody } from '../../../src/features/client/request.js';

const MAX = 2 << 20;
const sent = async (pieces: readonly Buffer[]) =>
  (await sentBody(Readable.from(pieces) as IncomingMessage, MAX))!;

it('a body that is too large to be read is not passed on as none', async () => {
  const { body, bytes } = await sent(Array.from({ length: 5 }, () => Buffer.alloc(1 << 20, 'x')));
  expect(bytes).toBe(5 << 20);
  expect(body?.length).toBe(MAX);
  expect(keptBody({ bytes, body })).toBeUndefined();
});

it('no body is none', async () => {
  const none = await sent([]);
  expect(none).toEqual({ bytes: 0, body: null });
  expect(keptBody(none)).toBeNull();
});

it.each([
  ['/v2/weather/run', 'run', null],
  ['/v2/weather/status/a%20b', 'status', 'a b'],
  ['/v2/weather/openai/v1/models', 'openai', null],
  ['/v2/weather/openai', 'openai', null],
])('the path %s names /%s', (path, operation, job) => {
  expect(namesAtEndpoint('GET', path, 'document')).toMatchObject({ operation, job });
});

it.each(['/v2/weather/openai-x', '/v2/weather/run/', '/v2/weather/status', '/v2/other/run', '/run'])(
  'the path %s names nothing',
  (path) => {
    expect(namesAtEndpoint('GET', path, 'document')).toBeNull();
  },
);
