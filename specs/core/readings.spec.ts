/** The core follows the catalogue of open questions: none is forgotten. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readingsOf, NOT_MADE } from '../../src/core/editions.js';
import { rulesFor } from '../../src/core/rules.js';
import { dialectOf, QUESTIONS } from '../../src/spec/index.js';
import { createTestBed } from './test-bed.js';

const RULES = new URL('../../src/core/rules/', import.meta.url);
const text = readdirSync(RULES)
  .map((name) => readFileSync(new URL(name, RULES), 'utf8'))
  .join('\n');

test('every open question is used by a rule, or listed with the reason why not', () => {
  const notMade = new Set<string>(NOT_MADE.map(({ question }) => question));
  const forgotten = QUESTIONS.map(({ id }) => id as string).filter(
    (id) => !text.includes(`readingOf('${id}')`) && !notMade.has(id),
  );
  expect(forgotten).toEqual([]);
});

test('a dialect takes precedence over the edition, the edition over the first reading', () => {
  expect(readingsOf({}, 'document')).toEqual(dialectOf('document'));
  expect(readingsOf({ '8/megabyte': 'decimal' }, 'runpod')['8/megabyte']).toBe('decimal');
  expect(readingsOf({}, 'runpod')['8/megabyte']).toBe('binary');
});

test('the usual rules of an edition are the same for all, and nobody can change them', () => {
  const usual = rulesFor({}, 'document');
  expect(rulesFor({}, 'document')).toBe(usual);
  expect(rulesFor({}, 'runpod')).not.toBe(usual);
  expect(Object.isFrozen(usual)).toBe(true);
  expect(rulesFor({ '8/megabyte': 'decimal' }, 'document')).not.toBe(usual);
});

test('a cancelled job is not cancelled or counted again', () => {
  const w = createTestBed({
    workers: 0,
    dialect: { '4.5/cancel-ended-effect': 'cancelled', '2.7/failed-includes-cancelled': 'yes' },
  });
  const job = w.run();
  w.post(`/cancel/${job}`);
  w.post(`/cancel/${job}`);
  expect(w.get('/health').body).toMatchObject({ jobs: { failed: 1 } });
});

test('/stream of a deleted job is not found, whatever /runsync is answered', () => {
  const w = createTestBed({
    dialect: { '4.4/while-running': 'on-next-chunk', '4.1/ttl-during-wait': 'record' },
  });
  const job = w.run({ policy: { ttl: 10_000 } });
  w.advance(9_000);
  const reader = w.runsync(`/stream/${job}`, null, { method: 'GET' });
  w.advance(1_000);
  expect(w.lateReply(reader)).toMatchObject({ atMs: 10_000, reply: { status: 404 } });
});

test('a ttl beyond the safe integers never ends', () => {
  const w = createTestBed({ edition: 'runpod', workers: 0 });
  w.advance(1_000);
  const job = w.run({ policy: { ttl: Number.MAX_SAFE_INTEGER } });
  expect([w.stateOf(job), w.nextMs()]).toEqual(['IN_QUEUE', null]);
});

test.each([
  ['refused', 400, 'IN_QUEUE', 'IN_QUEUE'],
  ['as-given', 404, 404, 404],
  ['raised', 200, 'IN_QUEUE', 404],
  ['ignored', 200, 'IN_QUEUE', 'IN_QUEUE'],
] as const)('4.3: a ttl of 0, of -0 and below given to /status is %s alike', (reading, ...expected) => {
  for (const ttl of ['0', '-0', '-5', '-9007199254740991']) {
    const w = createTestBed({ workers: 0, dialect: { '4.3/ttl-not-positive': reading } });
    const job = w.run();
    const { status } = w.status(job, { ttl });
    const soon = w.stateOf(job);
    w.advance(10_000);
    expect([ttl, status, soon, w.stateOf(job)]).toEqual([ttl, ...expected]);
  }
});

test('4.3: the smallest ttl that /status accepts is 1', () => {
  const w = createTestBed({ workers: 0 });
  const job = w.run();
  expect(w.status(job, { ttl: '1' }).status).toBe(200);
  w.advance(1);
  expect(w.stateOf(job)).toBe(404);
});
