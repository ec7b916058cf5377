/** What faults of sections 1 and 3 break: workers, dispatch, isolation, states. */
import { rowsOf, type BreaksList } from './list.js';

/** A worker is free, and a job waits all the same. */
const DISPATCH =
  '1/free-worker-takes-job 1/freed-worker-takes-waiting-job 1/every-job-is-processed 2.2/low-priority-job-runs';
/** A worker is lost: jobs wait though none runs, and /health is wrong about it. */
const LOST = `${DISPATCH} 4.8/counts-workers-idle 4.8/counts-workers-running`;
/** More run at once than there are workers. */
const TOO_MANY = '1/no-more-jobs-in-progress-than-workers 1/waits-when-no-worker-free';
const NEVER_ENDS = '1/every-job-is-processed 4.8/counts-in-progress';
const FAILS = '3/handler-error-fails-*';

export const LIVES: BreaksList = {
  file: 'proof/breaks/states-and-workers.ts',
  rows: rowsOf(`
queue-of-one | 1/waits-when-no-worker-free 1/every-job-is-processed 3/submission-creates-job-* 2.2/ttl-default-not-early 2.2/ttl-not-early-queued 4.8/counts-in-queue 4.7/removes-all-waiting 2.6/removed-counts-queued | the job is gone while it waits
queue-of-fifty-drops-oldest queue-of-three-drops-oldest first-job-after-idle-lost | 1/waits-when-no-worker-free 1/every-job-is-processed 3/submission-creates-job-* 2.2/ttl-default-not-early 2.2/ttl-not-early-queued 4.8/counts-in-queue 2.6/removed-counts-queued | an accepted job is lost
queue-refuses-when-busy | 1/waits-when-no-worker-free 8/rate-run-below 8/rate-runsync-below 8/concurrency-run-below 8/concurrency-runsync-below | 429 is for rates, and a job waits when no worker is free
queue-of-three-hundred queue-of-hundred | 1/waits-when-no-worker-free 8/rate-run-below 8/rate-runsync-below 8/concurrency-run-below 8/concurrency-runsync-below | 429 is for rates, and a job waits when no worker is free
queue-of-three-hundred queue-of-hundred | 8/rate-run-recovers 8/rate-runsync-recovers | 429 though no call was made for ten seconds
second-job-while-busy | 3/crash-leaves-other-jobs-alone 3/success-completes-* | a worker that dies takes two jobs with it
cancel-frees-twice | 3/crash-leaves-other-jobs-alone 3/success-completes-* 3/not-completed-before-handler-ends | a worker that dies takes two jobs with it, and their handlers do not end
one-worker-too-many second-job-while-busy worker-doubled-after-cancel cancel-frees-twice cancel-again-frees-again cancel-of-ended-frees-worker cancel-race purge-frees-workers runsync-runs-beside start-race retry-skips-queue | ${TOO_MANY} 4.8/counts-in-progress 4.8/counts-workers-running 4.8/counts-workers-idle | more jobs run than there are workers
worker-doubled-after-cancel cancel-frees-twice cancel-again-frees-again cancel-of-ended-frees-worker cancel-race | 4.8/counts-workers-* 2.7/workers-* | a worker is counted twice
one-job-at-a-time | ${DISPATCH} | a worker is free and the job waits
one-job-at-a-time-everywhere | 1/endpoints-isolated-workers ${DISPATCH} | a worker is free and the job waits
workers-shared-by-endpoints | 1/endpoints-isolated-workers ${DISPATCH} | another endpoint keeps the job waiting
freed-worker-stays-idle worker-chosen-at-submission dispatch-in-batches stale-head-stops-dispatch cancelled-head-stops-dispatch resize-does-not-wake workers-sleep-after-idle | ${DISPATCH} | a worker is free and the job waits
idle-worker-ignores-submission submissions-at-once-overwritten start-race retry-not-run | ${DISPATCH} | a worker is free and the job waits
worker-lost-after-failure dead-worker-not-replaced timeout-keeps-worker worker-lost-after-cancel worker-sleeps-on-after-* ttl-keeps-worker worker-retires-after-twenty-jobs now-and-then-worker-lost cancel-keeps-worker ttl-expired-still-runs ttl-handler-runs-on overrun-after-retry-keeps-worker ttl-after-retry-keeps-worker status-ttl-keeps-worker status-ttl-still-runs cancel-after-retry-stops-nothing webhook-holds-worker execution-timeout-overwritten | ${LOST} | a worker that has no job takes none
cancelled-head-stops-dispatch | 3/cancelled-leaves-queue | the cancelled job is in the way of others as before
worker-lost-after-cancel worker-sleeps-on-after-cancel | 3/cancel-frees-worker | it does not take another job
worker-sleeps-on-after-timeout | 2.2/execution-timeout-frees-worker | it does not take another job
worker-sleeps-on-after-ttl | 2.2/ttl-frees-worker | it does not take another job
cancel-keeps-worker | 3/cancelled-stops-streaming | the job is not stopped
dead-worker-not-replaced | 3/crash-leaves-other-jobs-alone | waiting jobs are not run any more
failure-pauses-queue queue-stops-after-five-failures queue-stops-after-three-crashes | ${DISPATCH} 4.6/retried-job-runs 3/crash-leaves-other-jobs-alone | a worker is free and no job is started
purge-holds-queue-ten-seconds purge-closes-queue | 4.7/later-jobs-unaffected ${DISPATCH} | a worker is free and no job is started
job-runs-twice | 2.4/output-*-unchanged 2.4/execution-time-* 2.4/delay-time-measures-waiting 4.1/answer-agrees-with-status | the record is told of the second run
job-runs-twice two-idle-workers-take-one-job | 4.3/reading-does-not-consume 6/pause-not-shorter | each read shows the result of the run that ended last, and the webhook is called for both
two-idle-workers-take-one-job | 2.2/low-priority-job-runs 4.8/counts-failed 4.8/failed-not-completed 3/not-completed-before-handler-ends | a worker that is free is lost to it, a failure counts twice, and it has ended while a handler of it still runs
success-runs-twice | 4.6/retried-job-runs 4.4/chunks-not-lost | a retried job does not end with its handler either; what the first run has streamed is dropped
job-runs-twice two-idle-workers-take-one-job success-runs-twice now-and-then-second-run | 1/job-processed-once 3/no-return-to-queue 3/completed-stays 4.8/counts-completed 4.8/completed-counts-nothing-else 4.8/counts-in-progress 4.8/counts-workers-* 6/stops-after-200 6/at-most-three-attempts 2.4/times-settled 1/freed-worker-takes-waiting-job 1/free-worker-takes-job 4.4/chunks-not-duplicated 4.4/chunks-not-invented 3/success-completes-* | the second run takes a worker and ends a second time
redelivered-after-thirty-seconds redelivered-after-an-hour | 1/job-processed-once 3/no-return-to-queue 4.4/chunks-not-duplicated 4.4/chunks-not-invented 4.8/counts-in-progress 4.8/counts-workers-* 2.4/delay-time-measures-waiting 2.4/execution-time-measures-run 4.8/counts-completed 3/completed-stays 1/no-more-jobs-in-progress-than-workers 1/freed-worker-takes-waiting-job 1/free-worker-takes-job | a running job runs a second time
stalled-job-starts-over | 3/no-return-to-queue 1/job-processed-once 3/start-moves-to-in-progress 4.4/chunks-not-duplicated 4.4/chunks-not-invented 2.4/*-measures-* 2.2/execution-timeout-stops-* 3/success-completes-* | a running job goes back to the queue
result-cached-by-input | 2.3/passed-along-* 2.3/not-mixed-between-jobs | no worker is given its s3Config, and its result was made with that of another
result-cached-by-input | 1/every-job-is-processed 3/start-moves-to-in-progress 3/not-completed-before-handler-ends 2.4/output-of-this-job 3/submission-starts-in-queue 1/waits-when-no-worker-free 4.4/chunks-not-lost 4.4/chunks-after-end 4.2/status-in-queue | the handler does not process the job
input-of-the-retry-before | 4.6/keeps-input 4.6/retried-job-runs | it does what another job was retried for
input-of-the-last-submission | 2.4/output-of-this-job 4.6/keeps-input | what another job asked for
now-and-then-input-of-another | 4.6/keeps-input | what another job asked for

# Endpoints
endpoints-share-jobs | 1/endpoints-isolated-status 1/endpoints-isolated-stream 1/endpoints-isolated-cancel 1/endpoints-isolated-retry | a job is reached by another endpoint
endpoints-share-jobs status-across-endpoints | 7/unknown-endpoint-status | what an unknown endpoint is asked is answered
purge-everywhere purge-by-beginning-of-endpoint | 1/endpoints-isolated-purge 2.6/removed-counts-queued | jobs of other endpoints are removed
health-of-all-endpoints health-of-last-endpoint health-by-beginning-of-endpoint | 1/endpoints-isolated-health 4.8/counts-* 4.8/*-counts-nothing-else 4.8/failed-not-completed 2.2/ttl-expired-leaves-queue 3/cancelled-leaves-queue | other endpoints are counted
health-workers-of-all-endpoints | 1/endpoints-isolated-health 4.8/counts-workers-* | workers of other endpoints are counted
*-across-endpoints | 1/endpoints-isolated-* | a job is reached by another endpoint

# States
progress-shown-as-queued | 3/start-moves-to-in-progress 4.3/shows-current-state 1/free-worker-takes-job 1/freed-worker-takes-waiting-job 4.6/retried-job-runs | nobody sees it start
waiting-shown-in-progress | 3/submission-starts-in-queue 4.3/shows-current-state ${TOO_MANY} 4.2/status-in-queue 3/no-return-to-queue 3/retry-requeues-* 4.6/status-in-queue 4.6/retried-job-runs 2.2/low-priority-no-scaling | a waiting job is shown as running
completed-late | 3/success-completes-* 4.3/shows-current-state 4.1/wait-answers-on-completion | it is not COMPLETED when it is
completed-stays-in-progress | 3/cancel-running 4.5/cancels-runsync-job 4.5/cancels-retried-job | what is cancelled then goes on being shown as IN_PROGRESS
completed-stays-in-progress | 3/success-completes-* ${NEVER_ENDS} 4.1/wait-answers-on-completion 4.1/complete-result-in-one-answer 4.3/shows-current-state 1/freed-worker-takes-waiting-job 6/called-on-completion-* 4.8/counts-completed 2.2/execution-timeout-not-early 4.1/retention-kept 4.2/retention-kept 2.2/execution-timeout-default-not-early 4.6/retried-job-runs | it never completes
completed-too-soon | 2.4/times-settled 4.6/retried-job-runs 2.4/output-in-runsync | a time that is told of the end is none, in any run
completed-too-soon | 3/not-completed-before-handler-ends 3/start-moves-to-in-progress 4.3/shows-current-state 3/completed-stays 2.4/output-in-status 2.4/*-time-in-status | a running job is shown as completed
error-completes | ${FAILS} 4.8/counts-failed 4.8/counts-completed 4.8/completed-counts-nothing-else 3/retry-requeues-failed 4.6/failed-again-can-be-retried 4.6/retries-runsync-job 2.2/ttl-removes-failed | it is COMPLETED
handler-error-stays-in-progress | ${FAILS} ${NEVER_ENDS} 4.1/wait-answers-on-failure 4.8/counts-failed 3/retry-requeues-failed 4.6/failed-again-can-be-retried 4.6/retries-runsync-job 4.3/shows-current-state | it never ends
error-lost-for-runsync | 3/handler-error-fails-runsync ${NEVER_ENDS} 4.1/wait-answers-on-failure 4.6/retries-runsync-job 4.8/counts-failed 3/retry-requeues-failed | it never ends
crash-forgotten crash-after-retry-hangs crash-of-second-worker-hangs crash-stays-in-queue | 3/worker-crash-fails ${NEVER_ENDS} 4.1/wait-answers-on-failure 3/retry-requeues-failed 4.8/counts-failed | it never ends
crash-stays-in-queue | 4.8/counts-in-queue | it waits and no worker takes it
crash-after-retry-hangs | 4.6/retried-job-runs 4.6/failed-again-can-be-retried | the second run never ends
crash-forgotten crash-of-second-worker-hangs | 1/freed-worker-takes-waiting-job 4.8/counts-workers-* | a job without a worker counts as running
crash-completes crash-after-streaming-completes | 3/worker-crash-fails 4.8/counts-failed 4.8/completed-counts-nothing-else 4.8/counts-completed 3/retry-requeues-failed | it is COMPLETED
failure-after-streaming-completes | ${FAILS} 4.8/counts-failed 4.8/completed-counts-nothing-else 3/retry-requeues-failed | it is COMPLETED
empty-error-completes | ${FAILS} 4.8/counts-failed 4.8/completed-counts-nothing-else | it is COMPLETED
crash-forgets-job | 3/worker-crash-fails 3/failed-stays 3/retry-requeues-failed 2.2/ttl-default-not-early 4.8/counts-failed 2.2/ttl-not-early-* | the job is gone
crash-requeued-endlessly | 3/worker-crash-fails 1/every-job-is-processed 4.1/wait-answers-on-failure 3/retry-requeues-failed 4.8/counts-failed 3/no-return-to-queue | it never ends
crash-takes-others | 3/crash-leaves-other-jobs-alone 3/success-completes-* 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early 3/not-completed-before-handler-ends | other jobs end, too
crash-fails-next-job | 3/crash-leaves-other-jobs-alone 3/success-completes-* 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early 3/not-completed-before-handler-ends | another job fails
failed-status-is-500 | ${FAILS} 3/worker-crash-fails 7/no-500-in-normal-use 4/operation-status 3/failed-stays | a failed job cannot be read
failed-is-timed-out | ${FAILS} 3/worker-crash-fails 4.8/counts-failed | it is not FAILED
error-runs-again | 3/no-return-to-queue ${FAILS} 3/worker-crash-fails 3/failed-stays 1/every-job-is-processed 4.8/counts-failed 4.8/retried-counts-nothing-else 2.4/*-measures-* 4.1/wait-answers-on-failure | it runs again though nobody asked
failed-forgotten-at-once | 3/failed-stays 3/retry-requeues-failed 4.6/retries-runsync-job 4.6/failed-again-can-be-retried 3/handler-error-fails-* 3/worker-crash-fails 2.2/ttl-default-not-early | the failed job is gone
now-and-then-job-lost now-and-then-not-found | 3/submission-creates-job-* 2.2/ttl-default-not-early 2.2/ttl-not-early-* 3/*-stays 4.1/retention-kept 4.2/retention-kept 4.1/retention-after-retry 4.2/retention-after-retry 4.3/reading-does-not-consume 4.1/wait-does-not-shorten-retention 4/operation-status 4.3/ttl-not-at-once 4.3/ttl-lengthens-life 4.3/shows-current-state | a job that is there is not found
now-and-then-success-fails | 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early 4.8/counts-completed 4.8/counts-failed 4.8/failed-not-completed 6/called-on-completion-* | a success becomes FAILED
now-and-then-end-unnoticed | 3/success-completes-* ${FAILS} 3/worker-crash-fails ${NEVER_ENDS} 4.1/wait-answers-* 4.1/complete-result-in-one-answer 6/called-on-completion-* 4.8/counts-* 1/freed-worker-takes-waiting-job 4.6/retried-job-runs | it never ends
now-and-then-stale-status | 4.3/shows-current-state 3/start-moves-to-in-progress 3/success-completes-* 3/handler-error-fails-* 3/no-return-to-queue 3/*-stays 3/submission-starts-in-queue 3/cancel-* 3/retry-requeues-* 3/not-completed-before-handler-ends 2.2/execution-timeout-stops-* 2.4/output-in-status 1/free-worker-takes-job 1/freed-worker-takes-waiting-job | the state shown is that of another call
now-and-then-goes-back | 3/no-return-to-queue 3/start-moves-to-in-progress 4.3/shows-current-state 1/free-worker-takes-job 1/freed-worker-takes-waiting-job 4.6/retried-job-runs | a running job is shown as waiting
`),
};
