/** What the faults break that show in one sentence of a job's life alone. */
import { rowsOf, type BreaksList } from './list.js';

export const NARROW: BreaksList = {
  file: 'proof/breaks/narrow.ts',
  rows: rowsOf(`
ttl-early-when-completed | 2.2/ttl-not-early-completed 2.2/ttl-min-enforced 3/completed-stays 4.1/retention-kept 4.2/retention-kept | a completed job is deleted before its ttl, and within its retention
ttl-early-in-queue | 2.2/ttl-not-early-queued 2.2/ttl-min-enforced 1/every-job-is-processed | a waiting job is deleted before its ttl
ttl-given-not-in-queue | 2.2/ttl-removes-queued 2.2/ttl-starts-at-submission 2.2/ttl-expired-leaves-queue 2.2/ttl-removes-runsync 2.2/ttl-removes-retried 2.2/ttl-stays-gone 4.1/wait-answers-on-ttl 4.3/ttl-shortens-life 7/ttl-expired-* 4.6/expired-by-ttl-not-retried | a waiting job does not expire
ttl-of-running-after-its-call | 2.2/ttl-removes-runsync 2.2/ttl-removes-running 2.2/ttl-wins-over-completion 2.2/ttl-frees-worker 4.1/wait-answers-on-ttl | a running job outlives its ttl while its call waits
retention-of-runsync-without-wait | 4.1/retention-gone 4.1/retention-not-restarted-by-reading 4.6/expired-result-not-retried 7/result-expired-* | a result is there too long
cancelled-starts-unseen | 3/cancelled-never-starts 3/cancelled-stays 4.1/wait-answers-on-cancel 4.5/cancels-retried-job 4.5/cancels-runsync-job 4.8/completed-counts-nothing-else | a job that is shown CANCELLED runs, and counts
cancelled-after-its-end-for-one-read | 3/cancelled-stays 4.3/reading-does-not-consume | it returns from CANCELLED, and two reads of one result differ
timed-out-forgotten-when-read | 3/timed-out-stays 3/retry-requeues-timed-out 4.3/reading-does-not-consume 4.6/keeps-policy | what was read once cannot be read or retried
retry-shows-completed-waiting | 4.6/no-effect-on-completed 4.6/refused-for-completed 3/completed-stays 4.3/shows-current-state 4.3/reading-does-not-consume 4.1/retention-kept 4.2/retention-kept 2.4/output-in-status | a completed job is shown as waiting
retry-shows-running-waiting | 4.6/no-effect-in-progress 4.6/refused-in-progress 3/no-return-to-queue 4.3/shows-current-state 3/start-moves-to-in-progress 4.6/retried-job-runs | a running job is shown as waiting for another run, which never comes
low-priority-put-back | 3/no-return-to-queue 1/job-processed-once 1/waits-when-no-worker-free | a running job goes back to the queue and is run once more, and the one that came does not wait for a free worker
purged-run-later | 4.7/purged-jobs-never-run 4.7/removes-all-waiting 4.7/removes-waiting-retried 4.7/removes-waiting-low-priority 4.7/later-jobs-unaffected 6/no-completion-told-of-removed | purged jobs run, call webhooks, and keep later ones waiting
looked-at-often-shown-cancelled | 4.3/shows-current-state 3/start-moves-to-in-progress 3/cancelled-stays | a running job is shown as cancelled
`),
};
