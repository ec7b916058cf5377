/** A service that is wrong in every answer is judged, not taken for something else. */
import { describe, expect, test } from 'vitest';
import { BASE, judged, JOB, LIFE, line, ndjson, type Told } from './recordings.js';

const changed = (change: (text: string) => string): string =>
  ndjson(LIFE.map((one) => line(JSON.parse(change(JSON.stringify(one))) as Told)));

/** Ten jobs, each asked for as in a life, and each call answered so. */
const always = (reply: unknown, status: number): string =>
  ndjson(
    Array.from({ length: 10 }, (_, job) =>
      LIFE.map((one) => line({ ...one, atMs: one.atMs + job * 10_000, reply }, { status })),
    ).flat(),
  );

describe('a service', () => {
  test.each<[string, string, string]>([
    ['whose ids are numbers', changed((text) => text.replaceAll(`"${JOB}"`, '17')), '2.4/id-in-run'],
    [
      'whose states are in lower case',
      changed((text) =>
        text.replaceAll(/"(?:IN_QUEUE|IN_PROGRESS|COMPLETED)"/gu, (state) => state.toLowerCase()),
      ),
      '4.2/status-in-queue',
    ],
    ['without ids', changed((text) => text.replaceAll(`"id":"${JOB}",`, '')), '2.4/id-in-run'],
    ['that always fails', always({ error: 'x' }, 500), '4/operation-run'],
  ])('%s', (_, recording, requirement) => {
    const { failed, notes } = judged([recording]);
    expect(failed).toContain(requirement);
    expect(notes).toEqual([
      `${BASE} never answered as an endpoint does, and is taken for one by its address and operations`,
    ]);
  });

  const text = always('oops', 500);

  test('whose answers are no JSON needs a word of the user', () => {
    expect(() => judged([text])).toThrow(`add --endpoint ${BASE}`);
    expect(judged([text], { endpoints: [BASE] }).failed).toContain('4/operation-run');
  });

  test('of another address is named where the user asks for one that has no call', () => {
    expect(() => judged([text], { endpoints: ['https://x.example/v2/y'] })).toThrow(
      `has no call of it, such as POST https://x.example/v2/y/run; there are calls of ${BASE}`,
    );
  });

  test('that refuses every key is not asked for the bodies of its replies', () => {
    const refused = always({ error: 'x' }, 401);
    expect(() => judged([refused])).toThrow('were answered with 401 or 403');
  });
});

describe('another API', () => {
  const trade = (base: string): readonly object[] => [
    line({ atMs: 0, op: 'cancel/5', reply: { done: true }, base }),
    line({ atMs: 1_000, op: 'status/5', reply: { state: 'open' }, base }),
  ];

  test('with paths like these takes no submissions', () => {
    expect(() => judged([ndjson(trade('https://trade.example/v2/orders'))])).toThrow(
      'answered as one answers',
    );
  });

  test('is never taken for an endpoint beside one', () => {
    const like = LIFE.map((one) => line({ ...one, reply: { id: 5 }, base: 'https://run.example/v2/tasks' }));
    const { failed, notes } = judged([ndjson([...LIFE.map((one) => line(one)), ...like])]);
    expect(failed).toEqual([]);
    expect(notes).toEqual([
      'left out: 6 requests to https://run.example/v2/tasks, which never answered as an endpoint does (--endpoint, if it is one)',
    ]);
  });
});
