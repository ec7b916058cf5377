/** Of bodies that pass, so much is kept as has room. */
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { BodyRoom, KeptBody } from '../../src/proxy/kept-body.js';

const MB = 1 << 20;
const PIECE = Buffer.alloc(MB, 'x');

function kept(room: BodyRoom, pieces: number): KeptBody {
  const body = new KeptBody(room);
  for (let nth = 0; nth < pieces; nth += 1) body.add(PIECE);
  return body;
}

test('a body of more than the API allows, with a margin, is kept, and a larger one is not', () => {
  const room = new BodyRoom();
  expect(kept(room, 24).whole?.byteLength).toBe(24 * MB);
  expect(kept(room, 25).whole).toBeUndefined();
});

test('large bodies are kept as long as there is room, small ones always, and what is over makes room', () => {
  const room = new BodyRoom();
  // The first MB of each is always kept.
  const bodies = Array.from({ length: 6 }, () => kept(room, 21));
  expect(bodies.map(({ whole }) => whole !== undefined)).toEqual(Array(6).fill(true));
  expect(kept(room, 21).whole).toBeUndefined();
  expect(kept(room, 1).whole).toBeDefined();
  bodies[0]!.drop();
  expect(kept(room, 21).whole).toBeDefined();
});

test('a body that is dropped while it passes takes no room', () => {
  const room = new BodyRoom();
  const gone = kept(room, 10);
  gone.drop();
  for (let nth = 0; nth < 200; nth += 1) gone.add(PIECE);
  expect(kept(room, 24).whole).toBeDefined();
});
