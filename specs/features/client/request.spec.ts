import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { keptBody, sentBody } from '../../../src/features/client/request.js';

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
