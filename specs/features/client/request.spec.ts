import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { sentBody } from '../../../src/features/client/request.js';

const MAX = 2 << 20;
const sent = async (pieces: readonly Buffer[]) =>
  (await sentBody(Readable.from(pieces) as IncomingMessage, MAX))!;

it('a body that is too large to be read is not passed on as none', async () => {
  const { body, bytes } = await sent(Array.from({ length: 5 }, () => Buffer.alloc(1 << 20, 'x')));
  expect(body).toEqual({ bytes: 5 << 20, isJson: null });
  expect(bytes?.length).toBe(MAX);
});

it('no body is none', async () => {
  expect(await sent([])).toEqual({ body: { bytes: 0, isJson: null }, bytes: null });
});
