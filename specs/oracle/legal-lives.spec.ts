/** Histories of correct endpoints that do what somebody may not have thought of: nothing fails. */
import { describe, expect, test } from 'vitest';
import { failed, Told, verdictOf } from './told.js';

const hang = [{ hang: true }];
const told = (workers: number | null = 1): Told => new Told(workers);
const record = (id: string, status: string) => ({ id, status, delayTime: 0, executionTime: 0 });
const ttl = (value: string) => ({ query: { ttl: value }, illegal: `ttl-${value}` });

const LEGAL: readonly (readonly [string, Told])[] = [
  [
    'a ttl of -1 given by /status is raised to 10 s, which are over',
    told(0).submitted(0, 'a', hang).call(10_200, 'status', 'a', 404, { error: 'gone' }, ttl('-1')),
  ],
  [
    'a ttl of -1 given by /status is raised to 10 s, which go on',
    told()
      .submitted(0, 'a', hang)
      .call(5_000, 'status', 'a', 200, record('a', 'IN_PROGRESS'), ttl('-1'))
      .seen(10_200, 'a', 'GONE'),
  ],
  [
    'a ttl of 1.5 given by /status is ignored',
    told()
      .submitted(0, 'a', hang)
      .call(5_000, 'status', 'a', 200, record('a', 'IN_PROGRESS'), ttl('1.5'))
      .seen(10_200, 'a', 'IN_PROGRESS'),
  ],
  [
    'a ttl of 6000 given by /status stands for the default of 24 hours, from then on',
    told(0)
      .submitted(0, 'a', hang, { ttl: 20_000 })
      .call(5_000, 'status', 'a', 200, record('a', 'IN_QUEUE'), { query: { ttl: '6000' } })
      .seen(25_000, 'a', 'IN_QUEUE'),
  ],
];

test.each(LEGAL)('%s', (_, history) => {
  expect(failed(history.judged(2_000_000))).toEqual([]);
});

describe('a streamed result that is no string', () => {
  const large = Array.from({ length: 40 }, (_, i) => `${i} `.padEnd(40_000, '.'));
  const stream = (...outputs: readonly (string | readonly string[])[]): Told =>
    told()
      .submitted(0, 'a', [{ stream: large }, { return: 1 }])
      .seen(200, 'a', 'COMPLETED', { output: large })
      .call(
        300,
        'stream',
        'a',
        200,
        outputs.map((output) => ({ output })),
      );

  test('may be split in any way', () => {
    const text = JSON.stringify(large);
    for (const history of [
      stream(text.slice(0, 900_000), text.slice(900_000)),
      stream(large.slice(0, 20), large.slice(20)),
      stream(...large),
    ])
      expect(failed(history.judged(1_000))).toEqual([]);
  });

  test('is not delivered whole', () => {
    const findings = stream(large).judged(1_000);
    expect(failed(findings)).toEqual(['4.4/chunk-size']);
    expect(verdictOf(stream(...large).judged(1_000), '4.4/chunk-size')).toBe('pass');
  });
});
