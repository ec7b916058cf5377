import { describe, expect, it } from 'vitest';
import { tryReading } from '../../proof/trials/reading-trial.js';
import { outcomeOf, scoreOf } from '../../proof/readings.js';

/** Readings of each kind with a scenario that shows them; `npm run proofs -- readings` tries them all. */
const SHOWN: readonly (readonly [variant: string, scenario: string])[] = [
  ['1/request-content-type-missing=refused-400', '7/odd-content-types'],
  ['1/request-content-type-other=refused-415', '7/odd-content-types'],
  ['2.2/execution-timeout-after-retry=remaining', '2.2/execution-timeout-and-a-retry'],
  ['2.2/low-priority-order=after-others', '2.2/low-priority-in-the-queue'],
  ['2.4/delay-time-after-retry=since-submission', '2.4/times-after-a-retry'],
  ['2.4/execution-time-after-retry=all-runs', '2.4/times-after-a-retry'],
  ['2.4/times-of-never-run=null', '2.4/record-of-a-job-that-never-ran'],
  ['2.7/failed-after-retry=falls', '4.8/counts-of-every-end'],
  ['2.7/retried-counts=both', '4.8/counts-of-every-end'],
  ['2.7/counters-window=retained', '4.8/counts-of-every-end'],
  ['2.2/execution-timeout-default=own-setting', '2.2/execution-timeout-default'],
  ['2.7/counters-window=recent', '4.8/counts-of-every-end'],
  ['2.7/workers-running-meaning=live', '4.8/counts-of-workers'],
  ['2.7/workers-idle-meaning=every', '4.8/counts-of-workers'],
  ['3/retention-of-failed=until-ttl', '3/retention-of-the-unsuccessful'],
  ['3/retention-of-cancelled=other', '3/retention-of-the-unsuccessful'],
  ['4.1/retention-with-wait=as-wait', '4.1/retention-with-a-long-wait'],
  ['4.1/outlived-wait-retention=as-wait', '4.1/retention-of-an-outlived-wait'],
  ['4.1/outlived-wait-retention=as-run', '4.1/retention-of-an-outlived-wait'],
  ['4.3/ttl-origin=from-now', '4.3/ttl-counts-from-somewhere'],
  ['4.3/ttl-above-max=lowered', '4.3/ttl-beyond-the-longest'],
  ['4.3/ttl-already-over=last-record', '4.3/ttl-that-is-over'],
  ['4.3/ttl-not-positive=as-given', '4.3/ttl-of-no-length'],
  ['4.3/ttl-of-ended-job=refused', '4.3/ttl-of-a-finished-job'],
  ['4.3/ttl-over-retention=yes', '4.3/ttl-beyond-the-retention'],
  ['4.4/while-running=on-next-chunk', '4.4/read-with-nothing-new'],
  ['4.5/worker-after-cancel=later', '4.5/worker-after-a-cancel'],
  ['4.6/queue-position=front', '4.6/place-in-the-queue'],
  ['4.6/queue-position=by-submission', '4.6/place-in-the-queue'],
  ['5/bearer-case=refused', '5/prefix-in-lower-case'],
  ['6/job-gone-between-attempts=stop', '6/job-gone-between-attempts'],
  ['8/rate-algorithm=token-bucket', '8/rate-by-the-way-it-is-counted'],
  ['8/rate-algorithm=fixed-window', '8/rate-by-the-way-it-is-counted'],
  ['8/refused-calls-count=yes', '8/rate-by-the-way-it-is-counted'],
  ['8/requests-per-worker=50', '8/rate-with-a-running-worker'],
];

describe('an endpoint that reads an open question otherwise', () => {
  it.each(SHOWN)(
    '%s is told so by %s, and nothing wrong of the other questions',
    async (variant, scenario) => {
      const row = await tryReading({
        kind: 'reading',
        variant,
        over: 'simulator',
        seed: 3,
        scenarios: [scenario],
      });
      expect(row).toMatchObject({ observed: [row.reading], misreported: [], failed: [] });
      expect(outcomeOf(row)).toBe('told');
    },
  );

  it('over HTTP as well', async () => {
    const [variant, scenario] = SHOWN[0]!;
    const row = await tryReading({ kind: 'reading', variant, over: 'http', seed: 3, scenarios: [scenario] });
    expect(row).toMatchObject({ observed: [row.reading], misreported: [], failed: [] });
  });
});

it('counts what was told, what was wrong, what was silent, and what no run could tell', () => {
  const row = (question: string, reading: string, ...observed: string[]) => ({
    variant: `${question}=${reading}`,
    question,
    reading,
    observed,
    misreported: [],
    failed: [],
    answered: [],
  });
  const rows = [
    row('8/megabyte', 'binary', 'binary'),
    row('8/megabyte', 'binary', 'decimal'),
    row('8/megabyte', 'binary'),
    row('4.1/cancelled-during-wait', 'record'),
  ];
  expect(rows.map(outcomeOf)).toEqual(['told', 'wrong', 'silent', 'cannot be told']);
  expect(scoreOf(rows, 'simulator')).toBe(
    '1 of 3 readings told exactly, 1 wrong, 1 not observed, 0 misreports of other questions (on the simulator); ' +
      '1 cannot be told by any run',
  );
});
