/** What faults of sections 2.7 and 4.8 break: the health record. */
import { rowsOf, type BreaksList } from './list.js';

const LEAVES_QUEUE = '3/cancelled-leaves-queue 2.2/ttl-expired-leaves-queue';

export const HEALTH: BreaksList = {
  file: 'proof/breaks/health.ts',
  rows: rowsOf(`
health-completed-misses-* health-completed-twice health-completed-twice-for-runsync | 4.8/counts-completed | it does not grow by one
health-completed-twice health-completed-twice-for-runsync | 4.8/completed-counts-nothing-else | it grows by more than the jobs that complete
health-completed-counts-all-ended health-completed-with-* health-completed-counts-stopped | 4.8/completed-counts-nothing-else 4.8/counts-completed | it counts jobs that did not complete
health-failed-misses-* health-failed-below-zero | 4.8/counts-failed | it does not grow by one
health-failed-below-zero | 2.7/jobs-failed | a number below zero
health-failed-with-completed | 4.8/failed-not-completed 4.8/counts-failed | it counts jobs that completed
health-retried-counts-failures health-retried-counts-refused | 4.8/retried-counts-nothing-else 4.8/counts-retried | it counts what was not retried
health-progress-zero health-progress-not-freed-second-time health-progress-leaks-* health-progress-misses-* health-progress-below-after-retry health-progress-counts-waiting-calls health-progress-twice-down-* cancel-of-ended-counts-down | 4.8/counts-in-progress | it is not the number of jobs that run
health-progress-below-after-retry health-progress-twice-down-* cancel-of-ended-counts-down | 2.7/jobs-in-progress | a number below zero
health-queue-zero health-queue-not-freed-on-* health-queue-misses-* health-queue-at-most-ten health-queue-counts-retried-twice | 4.8/counts-in-queue | it is not the number of jobs that wait
health-queue-not-freed-on-cancel health-queue-not-freed-on-cancel-after-retry health-queue-only-grows | 3/cancelled-leaves-queue | a cancelled job counts as waiting
health-queue-not-freed-on-purge health-queue-leaks-purged-low health-queue-not-freed-on-purge-after-retry health-queue-leaks-on-removal health-queue-only-grows | 4.7/removes-all-waiting 4.7/removes-waiting-* | a purged job counts as waiting
health-queue-only-grows | ${LEAVES_QUEUE} | a removed job counts as waiting
health-queue-misses-low | 2.7/jobs-in-queue | a number below zero
health-idle-is-all health-idle-zero health-idle-drops-on-crash health-idle-below-zero | 4.8/counts-workers-idle | it is not the number of idle workers
health-idle-below-zero | 2.7/workers-idle | a number below zero
health-running-zero health-running-leaks-* health-running-misses-* | 4.8/counts-workers-running | it is not the number of busy workers
health-running-leaks-* | 4.8/counts-workers-idle | what counts as busy does not count as idle
health-flat | 2.7/* 4.8/counts-* | the members are not where they belong
health-strings | 2.7/* 4.8/counts-* | integers are asked for
health-without-workers | 2.7/workers-* 4.8/counts-workers-* | there is none
health-without-idle | 2.7/workers-idle 4.8/counts-workers-idle | there is none
health-without-retried | 2.7/jobs-retried 4.8/counts-retried | there is none
health-zeros-left-out | 2.7/* 4.8/counts-* | a member is missing
health-stale health-as-of-before | 4.8/counts-* 4.8/*-counts-nothing-else 4.8/failed-not-completed 3/cancelled-leaves-queue 2.2/ttl-expired-leaves-queue 4.7/removes-all-waiting 4.7/removes-waiting-* 3/invalid-submission-creates-nothing | what is shown was true some time ago
health-500-without-workers | 4/operation-health 7/no-500-in-normal-use 2.7/* | a right call is answered with 500
health-404-before-first-job | 4/operation-health 2.7/* | the endpoint is there
`),
};
