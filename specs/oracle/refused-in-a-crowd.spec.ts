/** A call that is refused with many under way, within both limits: which of the two is too low shows elsewhere in the run. */
import { expect, test } from 'vitest';
import { failed, Told } from './told.js';

/** Two hundred waiting calls are let in, and no more. */
function crowd(): Told {
  const told = new Told(0);
  const body = { input: { plan: [{ hang: true }] } };
  for (let nth = 0; nth < 200; nth += 1) {
    const record = { id: `j${nth}`, status: 'IN_QUEUE' };
    const query = { wait: '1000' };
    told.call(0, 'runsync', null, 200, record, { body, query, receivedMs: 1_000, ticks: [nth, 1_000 + nth] });
  }
  return told.call(0, 'runsync', null, 429, { error: 'too many' }, { body, ticks: [500, 501] });
}

const named = (told: Told): readonly string[] =>
  failed(told.judged(60_000)).filter((id) => id.startsWith('8/'));

test('where nothing else is refused too early, the calls under way were too many', () => {
  expect(named(crowd())).toEqual(['8/concurrency-runsync-below']);
});

test('where other operations are refused too early with nothing under way, the rate is too low', () => {
  const told = crowd()
    .call(20_000, 'purge-queue', null, 429, { error: 'too many' })
    .call(20_000, 'requests', null, 429, { error: 'too many' });
  expect(named(told)).toEqual(['8/rate-runsync-below', '8/rate-purge-queue-below', '8/rate-requests-below']);
});
