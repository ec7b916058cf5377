/** What faults of sections 4.5 to 4.7 and 2.6 break: /cancel, /retry and /purge-queue. */
import { rowsOf, type BreaksList } from './list.js';

/** A job that the call did not name is gone or ended. */
const OTHER_JOB =
  '2.2/ttl-not-early-queued 2.2/ttl-default-not-early 1/every-job-is-processed 3/submission-creates-job-*';
/** The cancelled job goes on. */
const QUEUED_GOES_ON = '3/cancel-queued 3/cancelled-never-starts 3/cancelled-stays 3/cancelled-leaves-queue';
const RUNNING_GOES_ON =
  '3/cancel-running 3/cancelled-never-completes 3/cancelled-stays 3/cancelled-stops-streaming 3/cancel-frees-worker';
const CANCEL_KINDS = '4.5/cancels-runsync-job 4.5/cancels-retried-job';
const CANCEL_EFFECTS = '4.1/wait-answers-on-cancel 2.2/ttl-removes-cancelled 4.6/no-effect-on-cancelled';
const RETRIED_RUNS =
  '4.6/retried-job-runs 1/every-job-is-processed 1/free-worker-takes-job 1/freed-worker-takes-waiting-job';
const RETRY_REFUSED = '3/retry-requeues-failed 4.6/failed-again-can-be-retried 4.6/retries-runsync-job';
const NOT_PURGED =
  '4.7/removes-all-waiting 4.7/purged-jobs-never-run 4.7/second-purge-removes-nothing 2.6/removed-counts-queued 4.1/wait-answers-on-purge';
const EVERY_KIND = '4.7/removes-waiting-runsync 4.7/removes-waiting-retried 4.7/removes-waiting-low-priority';
const REMOVED = '2.6/removed-counts-queued 4.7/second-purge-removes-nothing 4.7/empty-queue-removes-nothing';

export const CHANGES: BreaksList = {
  file: 'proof/breaks/cancel-retry-purge.ts',
  rows: rowsOf(`
# /cancel
cancel-leaves-in-queue | ${QUEUED_GOES_ON} 4.8/counts-in-queue 2.6/removed-counts-queued ${CANCEL_KINDS} | it is still run
cancelled-completes | ${RUNNING_GOES_ON} ${CANCEL_KINDS} | it is not stopped
cancel-only-queued | 3/cancel-running 4.5/status-cancelled-running 3/cancelled-never-completes ${CANCEL_KINDS} ${CANCEL_EFFECTS} 3/cancel-frees-worker | a running job cannot be cancelled
cancel-only-running | 3/cancel-queued 4.5/status-cancelled-queued 3/cancelled-never-starts ${CANCEL_KINDS} ${CANCEL_EFFECTS} | a waiting job cannot be cancelled
cancel-takes-all cancel-takes-neighbour cancel-of-running-drops-last cancel-of-ended-drops-last cancel-removes-head cancel-stops-oldest-run cancel-finds-run-by-input cancel-signal-hits-next-job | 4.5/this-job-only ${OTHER_JOB} 3/success-completes-* | another job is removed or stopped
cancel-removes-head | ${QUEUED_GOES_ON} | the job named is still run
cancel-stops-oldest-run cancel-finds-run-by-input | ${RUNNING_GOES_ON} | the job named is not stopped
cancel-takes-all cancel-takes-neighbour cancel-of-running-drops-last cancel-of-ended-drops-last cancel-removes-head | 1/freed-worker-takes-waiting-job 1/free-worker-takes-job 2.6/removed-counts-queued 4.8/counts-in-queue | another job no longer waits
cancel-answers-ten-seconds-later cancel-answers-five-seconds-later | 4.5/returns-at-once | it returns late
cancel-does-nothing now-and-then-cancel-feigned | ${QUEUED_GOES_ON} ${RUNNING_GOES_ON} ${CANCEL_KINDS} ${CANCEL_EFFECTS} 4.8/counts-in-queue 4.8/counts-in-progress 2.6/removed-counts-queued 4.8/counts-workers-* | the job goes on
cancel-feigned-while-running cancel-in-first-half-second-feigned | ${RUNNING_GOES_ON} ${CANCEL_KINDS} ${CANCEL_EFFECTS} 4.8/counts-in-progress 4.8/counts-workers-* | the job goes on
cancel-feigned-while-waiting | ${QUEUED_GOES_ON} ${CANCEL_KINDS} ${CANCEL_EFFECTS} 4.8/counts-in-queue 2.6/removed-counts-queued | the job goes on
cancel-after-retry-feigned cancel-after-retry-stops-nothing | 4.5/cancels-retried-job ${RUNNING_GOES_ON} | the second run goes on
cancel-not-of-runsync | 4.5/cancels-runsync-job 3/cancel-queued 3/cancel-running 4.1/wait-answers-on-cancel | it is refused
cancel-not-after-retry | 4.5/cancels-retried-job 3/cancel-queued 3/cancel-running | it is refused
cancel-404-at-first | 3/cancel-queued 3/cancel-running 4.5/status-cancelled-* 3/submission-creates-job-* ${CANCEL_KINDS} | a job that is there cannot be cancelled
cancel-unknown-is-200 | 7/unknown-job-cancel 7/ttl-expired-cancel 7/result-expired-cancel 7/result-expired-run-cancel | there is no such job
cancel-timed-out-later | 3/cancelled-stays 3/cancelled-never-completes 2.2/execution-timeout-not-after-end | it becomes TIMED_OUT
cancel-answers-old-status | 4.5/status-cancelled-* 4.3/shows-current-state | CANCELLED is asked for
cancel-answers-no-body | 4.5/status-cancelled-* 2.4/id-in-cancel 2.4/status-in-cancel 1/json-body-cancel 1/json-content-type-cancel 2.4/status-known-cancel 2.4/id-matches-cancel | there is no record
cancel-of-running-answers-failed cancel-of-running-fails-job | 4.5/status-cancelled-running | CANCELLED is asked for
cancel-of-running-fails-job | 3/cancel-running 4.5/cancels-runsync-job 4.5/cancels-retried-job 3/cancelled-stays 3/cancelled-never-completes 4.8/counts-failed 4.6/no-effect-on-cancelled | it is FAILED
cancel-marks-failed cancel-fails-job | 3/cancel-queued 3/cancel-running ${CANCEL_KINDS} 3/cancelled-stays 3/cancelled-never-completes 4.5/status-cancelled-* 3/not-completed-before-handler-ends 4.8/counts-failed 4.6/no-effect-on-cancelled | it is FAILED
cancel-marks-completed | 3/cancel-queued 3/cancel-running 3/cancelled-stays 3/cancelled-never-completes 3/not-completed-before-handler-ends 4.8/counts-completed 4.8/completed-counts-nothing-else 2.4/output-in-status | it is COMPLETED
cancel-back-to-queue | ${RUNNING_GOES_ON} 3/no-return-to-queue ${CANCEL_KINDS} | it runs again
cancel-lags-a-second | ${CANCEL_KINDS} 3/cancel-queued 3/cancel-running 4.3/shows-current-state 3/cancelled-stays | the old state is shown
cancel-by-delete-only | ${CANCEL_KINDS} 4/operation-cancel 3/cancel-queued 3/cancel-running 4.5/status-cancelled-* | POST is refused
cancel-finds-nothing | ${QUEUED_GOES_ON} ${RUNNING_GOES_ON} ${CANCEL_KINDS} ${CANCEL_EFFECTS} 4/operation-cancel 4.5/status-cancelled-* | no job can be cancelled
unauthorized-cancel-works | 5/unauthorized-cancel-has-no-effect 3/success-completes-* | the refused call stops the job

# /retry
retry-loses-input-second-time retry-wraps-input retry-adds-attempt-to-input | 4.6/keeps-input 4.6/retried-job-runs | another input than the original: the run does something else, too
retry-loses-policy-second-time | 4.6/keeps-policy | the policy does not hold in the second run
retry-not-queued retry-lost-when-busy cleanup-drops-retry purge-drops-later-retries | ${RETRIED_RUNS} 4.7/removes-waiting-retried 4.8/counts-in-queue 2.6/removed-counts-queued | no worker ever takes it
cleanup-drops-retry purge-drops-later-retries | 3/retry-requeues-* 4.6/retried-job-not-expired | it is gone from the queue
retry-answers-when-started retry-answers-at-the-end | 4.6/returns-at-once | the answer waits for a worker
retry-queued-twice retry-race | 4.6/retries-at-once-requeue-once | it is in the queue twice
retry-queued-twice | 2.4/execution-time-integer-* | the time of a run that has not begun is negative
retry-queued-twice retry-race | 1/job-processed-once 3/no-return-to-queue 4.6/no-effect-in-queue 4.6/no-effect-in-progress 4.8/counts-in-queue 2.6/removed-counts-queued 4.8/counts-in-progress 4.6/retried-job-runs 3/completed-stays 4.4/chunks-not-duplicated | it runs twice
retry-queued-twice retry-race retry-of-queued retry-of-running | 4.8/counts-completed 4.8/completed-counts-nothing-else | one job that completes twice counts twice
retry-does-nothing | ${RETRY_REFUSED} 3/retry-requeues-timed-out ${RETRIED_RUNS} 3/failed-stays 4.8/retried-counts-nothing-else | it is not requeued
retry-of-failed-feigned | ${RETRY_REFUSED} ${RETRIED_RUNS} 3/failed-stays 4.8/counts-retried | it is not requeued
retry-deletes-old-record | 4.3/shows-current-state 3/retry-requeues-* 2.4/id-kept-across-retry 4.6/retried-job-not-expired 2.2/ttl-default-not-early 2.2/ttl-not-early-* 4.6/retried-job-runs 4.6/failed-again-can-be-retried 4.5/cancels-retried-job | the job is unknown until it has ended
retry-skips-queue | 3/retry-requeues-* | it runs at once and does not wait
retry-completed | 4.6/no-effect-on-completed 4.6/refused-for-completed 3/completed-stays 1/job-processed-once 3/no-return-to-queue | a completed job runs again
retry-cancelled | 4.6/no-effect-on-cancelled 4.6/refused-for-cancelled 3/cancelled-stays 3/cancelled-never-starts 3/cancelled-never-completes | a cancelled job runs again
retry-of-queued | 4.6/no-effect-in-queue 4.6/refused-in-queue 1/job-processed-once 4.8/counts-in-queue 2.6/removed-counts-queued 3/no-return-to-queue 3/completed-stays | it runs twice
retry-of-running retry-of-queued | 2.4/times-settled | it ends twice
retry-of-running | 4.6/retries-at-once-requeue-once | a retry just after another one finds it running
retry-of-running | 4.6/no-effect-in-progress 4.6/refused-in-progress 1/job-processed-once 3/no-return-to-queue 4.8/counts-in-progress 4.4/chunks-not-duplicated 4.4/chunks-not-invented 3/completed-stays 2.4/*-measures-* | it runs twice
retry-not-failed | ${RETRY_REFUSED} | it is refused
retry-not-timed-out | 3/retry-requeues-timed-out 4.6/keeps-policy 4.6/failed-again-can-be-retried | it is refused
retry-once | 4.6/failed-again-can-be-retried 3/retry-requeues-* | a second retry is refused
retry-not-of-runsync | 4.6/retries-runsync-job 3/retry-requeues-* | it is refused
retry-only-within-a-minute retry-refused-while-webhook-pending | 3/retry-requeues-* 4.6/failed-again-can-be-retried 4.6/retries-runsync-job | it is refused though its result has not expired
retry-unknown-is-200 | 7/unknown-job-retry 7/ttl-expired-retry 7/result-expired-retry 7/result-expired-run-retry 4.6/expired-* | there is no such job
retry-takes-failed-along | 4.6/this-job-only 3/failed-stays 3/retry-requeues-failed 4.6/retries-runsync-job 4.8/retried-counts-nothing-else | another job is put into the queue, and a retry of its own finds it ended otherwise
retry-of-expired | 4.6/expired-* 7/ttl-expired-retry 7/result-expired-retry 7/result-expired-run-retry 2.2/ttl-stays-gone | what is gone is brought back
retry-answers-no-body | 4.6/status-in-queue 2.4/id-in-retry 2.4/status-in-retry 1/json-body-retry 1/json-content-type-retry 2.4/status-known-retry 2.4/id-matches-retry | there is no record
retry-late-end-of-first-run | 4.6/retried-job-runs 3/not-completed-before-handler-ends | it ends as its first run does
retry-output-lost | 4.6/retried-job-runs 2.4/output-in-* 2.4/output-object-unchanged 2.4/output-array-unchanged 4.6/keeps-input | there is no output
retry-delayed-ten-seconds retry-delayed-a-minute retry-second-delayed retry-waits-for-first-worker | ${RETRIED_RUNS} | a worker is free and it waits
retry-shows-old-state-for-a-second ended-record-cached | 3/retry-requeues-* 4.6/retries-runsync-job 4.3/shows-current-state 3/failed-stays 4.6/removes-output | the old state is shown
ended-record-cached | ${RETRIED_RUNS} 2.4/output-in-status 4.6/failed-again-can-be-retried 4.6/keeps-policy 3/cancel-* | the old record is shown
refused-retry-removes-output | 4.6/no-effect-on-completed 4.3/reading-does-not-consume 4.1/retention-kept 4.2/retention-kept 2.4/output-in-status 3/completed-stays 4.1/answer-agrees-with-status | a refused retry takes the output, so that /status no longer tells what /runsync has
refused-retry-removes-chunks | 4.6/no-effect-* 4.4/chunks-not-lost 4.4/chunks-after-end 4.4/chunks-while-running | a refused retry takes the chunks
refused-retry-stops-running | 4.6/no-effect-in-progress 3/success-completes-* 1/every-job-is-processed 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early 3/not-completed-before-handler-ends | a refused retry stops the run
refused-retry-requeues-later | 4.6/no-effect-in-progress 3/no-return-to-queue 3/completed-stays 1/job-processed-once 4.6/no-effect-on-completed | a refused retry has an effect
unauthorized-retry-works | 5/unauthorized-retry-has-no-effect 3/failed-stays | the refused call requeues the job

# /purge-queue
purge-kills-running purge-stops-retried | 4.7/keeps-running 2.6/removed-counts-queued 2.2/ttl-not-early-running 2.2/ttl-default-not-early | running jobs are removed
purge-stops-retried | 4.6/retried-job-not-expired 4.6/retried-job-runs | a retried job is removed while it runs
purge-ends-streams | 4.7/keeps-running 4.4/chunks-not-lost 4.4/chunks-after-end 4.4/chunks-while-running | a running job loses its chunks
purge-keeps-first purge-removes-every-other purge-at-most-ten purge-at-most-hundred purge-does-nothing purge-spares-newest-second purge-spares-with-webhook now-and-then-purge-spares | ${NOT_PURGED} | a waiting job stays
purge-keeps-first purge-removes-every-other purge-does-nothing purge-spares-newest-second now-and-then-purge-spares | ${EVERY_KIND} | a waiting job stays, of whatever kind
purge-does-nothing | 6/no-call-for-removed 4.8/counts-in-queue | nothing is removed
purge-spares-low-priority | 4.7/removes-waiting-low-priority ${NOT_PURGED} | it stays
purge-spares-runsync | 4.7/removes-waiting-runsync ${NOT_PURGED} | it stays
purge-spares-retried | 4.7/removes-waiting-retried ${NOT_PURGED} | it stays
purge-removes-finished purge-removes-failed | 4.7/keeps-finished 2.6/removed-counts-queued 3/*-stays 4.1/retention-kept 4.2/retention-kept 2.2/ttl-not-early-completed 4.1/retention-from-completion 4.2/retention-from-completion 3/retry-requeues-* 4.1/wait-does-not-shorten-retention | an ended job is removed
purge-removes-cancelled | 4.7/keeps-finished 2.6/removed-counts-queued 4.7/empty-queue-removes-nothing 4.7/second-purge-removes-nothing 3/cancelled-stays 3/cancelled-leaves-queue | an ended job is removed and counted
purge-leaves-record | 4.7/removes-all-waiting 4.7/purged-jobs-never-run 1/every-job-is-processed 4.7/removes-waiting-* 4.8/counts-in-queue | it shows IN_QUEUE for good
purge-still-runs | 4.7/purged-jobs-never-run 1/freed-worker-takes-waiting-job 1/free-worker-takes-job 4.8/counts-in-progress 4.8/counts-workers-* 1/every-job-is-processed | a purged job keeps a worker busy
purge-still-runs | 2.6/removed-counts-queued | what one purge removed is counted by the next as well
purge-marks-completed | 1/waits-when-no-worker-free 2.6/removed-counts-queued 4.7/removes-all-waiting 3/not-completed-before-handler-ends 4.7/removes-waiting-* 4.8/counts-completed 4.8/completed-counts-nothing-else 6/no-call-for-removed 4.7/purged-jobs-never-run 2.4/output-in-* | it is shown as COMPLETED
purge-counts-cancelled purge-counts-all-jobs purge-counts-expired | ${REMOVED} | it is not the number of jobs removed
purge-counts-cancelled | 3/cancelled-leaves-queue | a cancelled job is counted as purged
purge-counts-expired | 2.2/ttl-expired-leaves-queue | a deleted job is counted as purged
purge-counts-nothing purge-counts-one-less purge-counts-run-only | 2.6/removed-counts-queued 4.7/removes-waiting-runsync | it is not the number of jobs removed
purge-counts-one-less | 2.6/removed-integer 4.7/empty-queue-removes-nothing 4.7/second-purge-removes-nothing | of an empty queue it is minus one
purge-count-as-text purge-answers-ids | 2.6/removed-integer 2.6/removed-counts-queued 4.7/empty-queue-removes-nothing 4.7/second-purge-removes-nothing | an integer is asked for
purge-race | 2.6/removed-counts-queued 4.7/second-purge-removes-nothing | two purges count the same job
purge-status-ok | 2.6/status-completed | completed is asked for
purge-of-empty-queue-is-404 | 4.7/empty-queue-removes-nothing 4.7/second-purge-removes-nothing 4/operation-purge-queue | an empty queue is none that is not found
purge-lasts-a-second | 4.7/later-jobs-unaffected 1/waits-when-no-worker-free 3/submission-creates-job-* 2.2/ttl-default-not-early 2.2/ttl-not-early-queued | later jobs are removed
purge-drops-webhooks | 6/retries-after-* 6/three-attempts | the repeating is forgotten
purge-drops-later-retries | 4.7/later-jobs-unaffected 2.2/ttl-default-not-early | what is requeued later is dropped, and unknown long before its ttl
purge-zeroes-health | 4.8/counts-completed 4.8/counts-failed | what has ended is no longer counted
unauthorized-purge-works | 5/unauthorized-purge-has-no-effect 2.2/ttl-default-not-early 2.2/ttl-not-early-queued | the refused call removes jobs
`),
};
