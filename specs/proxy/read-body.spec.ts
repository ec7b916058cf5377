/** A submission is held as long as something of it may have to be replaced, and as long as there is room. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { PROXIED } from '../../src/history/kept-bodies.js';
import { BodyRoom } from '../../src/proxy/kept-body.js';
import { readBody, type ReadBody } from '../../src/proxy/read-body.js';
import { WEBHOOK, webhooks } from './submissions.js';

const ALL = 128 << 20;
const PIECES = 20;
const LARGE = `{"input":"${'x'.repeat(PROXIED.smallBytesMax)}","webhook":"${WEBHOOK}"}`;

/** What came of it, after how many pieces, and what is still there to be read. */
async function read(body: string, room: BodyRoom) {
  const request = new PassThrough({ highWaterMark: 2 * body.length });
  const got: (ReadBody | null)[] = [];
  readBody(request as unknown as IncomingMessage, webhooks, room, (one) => got.push(one));
  let pieces = 0;
  const length = Math.ceil(body.length / PIECES);
  for (; pieces < PIECES && got.length === 0; pieces += 1) {
    request.write(body.slice(pieces * length, (pieces + 1) * length));
    await Promise.resolve();
  }
  request.end(body.slice(pieces * length));
  if (got.length === 0) await new Promise((ended) => request.once('close', ended));
  const left = got[0] === null ? await request.toArray() : [];
  return { got: got[0]!, pieces, left: Buffer.concat(left).toString() };
}

test('a large one takes room until it is over', async () => {
  const room = new BodyRoom();
  const { got } = await read(LARGE, room);
  expect(got.isRewritten).toBe(true);
  expect(room.take(ALL)).toBe(false);
  got.sent.drop();
  expect(room.take(ALL)).toBe(true);
});

test('without room it passes as it is, from its beginning', async () => {
  const room = new BodyRoom();
  room.take(ALL);
  const { got, left } = await read(LARGE, room);
  expect(got).toBeNull();
  expect(left === LARGE).toBe(true);
});

test.each([
  ['is no object', `[${LARGE}]`, 1],
  ['is no JSON', `{,${LARGE}`, 1],
  ['has two addresses', `{"webhook":"http://a/","webhook":"http://b/",${LARGE.slice(1)}`, 1],
])('one that %s is held no longer than until that is seen', async (_, body, after) => {
  const room = new BodyRoom();
  const { got, pieces, left } = await read(body, room);
  expect([got, pieces]).toEqual([null, after]);
  expect(left === body).toBe(true);
  expect(room.take(ALL)).toBe(true);
});

test('one whose client goes away leaves its room', async () => {
  const room = new BodyRoom();
  const request = new PassThrough({ highWaterMark: ALL });
  readBody(request as unknown as IncomingMessage, webhooks, room, () => expect.unreachable());
  request.write(LARGE.slice(0, -1));
  request.destroy();
  await new Promise((closed) => request.once('close', closed));
  expect(room.take(ALL)).toBe(true);
});
