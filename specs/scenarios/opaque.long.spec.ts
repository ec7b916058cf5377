import { describe, expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { decidedWithOpaque, type Opaque } from './decided-over-http.js';

/** All of section 6 that needs a job to complete, and nothing else of its worker. */
const OF_A_COMPLETED_JOB = [
  '6/called-on-completion-run',
  '6/called-on-completion-runsync',
  '6/called-at-given-url',
  '6/each-job-its-own-url',
  '6/called-without-delay',
  '6/stops-after-200',
  '6/retries-after-error-status',
  '6/retries-after-dropped-connection',
  '6/retries-after-silence',
  '6/at-most-three-attempts',
  '6/three-attempts',
  '6/second-success-ends-retries',
  '6/failing-webhook-leaves-job-alone',
  '6/failing-webhook-leaves-others-alone',
  '6/pause-not-shorter',
  '6/pause-not-longer',
  '3/completed-stays',
];
/**
 * And where there is time to cancel it. It may have ended just before, so nothing shows that it was still
 * running.
 */
const OF_A_LONG_JOB = ['3/cancelled-stays', '4.5/cancels-runsync-job'];

const scenarios = named.filter(({ name }) => /^(6|4\.5)\//.test(name));

describe('with a worker that ignores plans', () => {
  it.each<[string, Opaque, readonly string[]]>([
    ['takes a tenth of a second', { plan: [{ sleepMs: 100 }, { return: 1 }] }, OF_A_COMPLETED_JOB],
    [
      'takes five seconds',
      { plan: [{ sleepMs: 5_000 }, { return: 1 }] },
      [...OF_A_COMPLETED_JOB, ...OF_A_LONG_JOB],
    ],
    ['fails', { plan: [{ sleepMs: 500 }, { fail: 'on purpose' }] }, ['3/failed-stays']],
  ])('and %s, webhooks and cancels are judged', { timeout: 120_000 }, async (_, input, expected) => {
    const { decided, failed } = await decidedWithOpaque('quick', scenarios, input);
    expect(failed).toEqual([]);
    expect(expected.filter((id) => !decided.has(id))).toEqual([]);
  });
});
