/** What faults of sections 4.1 to 4.3 break: waiting for results, and how long they can be read. */
import { rowsOf, type BreaksList } from './list.js';

const NOT_EARLY = '4.1/wait-not-early 4.1/wait-default-not-early 4.1/wait-max-honoured';
const ANSWERED_LATE = '4.1/wait-answers-when-elapsed 4.1/wait-covers-queue-time';
const ENDS =
  '4.1/wait-answers-on-completion 4.1/wait-answers-on-failure 4.1/wait-answers-on-timeout 4.1/wait-answers-on-cancel 4.1/wait-answers-on-ttl 4.1/wait-answers-on-purge';
const WHOLE = '4.1/complete-result-in-one-answer';
const SYNC_KEPT = '4.1/retention-kept 4.1/wait-does-not-shorten-retention 4.1/retention-after-retry';
const RUN_KEPT = '4.2/retention-kept 4.2/retention-after-retry';
const SYNC_GONE =
  '4.1/retention-gone 4.1/retention-with-wait-gone 7/result-expired-status 7/result-expired-stream 7/result-expired-cancel 7/result-expired-retry 4.6/expired-result-not-retried';
const RUN_GONE = '4.2/retention-gone 7/result-expired-run-* 4.6/expired-result-not-retried';
/** A job that waits is not found. */
const UNREADABLE =
  '3/submission-creates-job-* 2.2/ttl-not-early-queued 2.2/ttl-default-not-early 4.3/shows-current-state';

export const RESULTS: BreaksList = {
  file: 'proof/breaks/results.ts',
  rows: rowsOf(`
# wait
wait-ignored | ${ANSWERED_LATE} ${NOT_EARLY} 4.1/wait-per-call 4.1/wait-leaves-job-alive | the default holds instead
wait-in-seconds wait-endless | ${ANSWERED_LATE} 4.1/wait-default-answers 4.1/wait-max-honoured 4.1/wait-max-enforced | the call is not answered
wait-from-start wait-timer-shared waits-one-per-instant | ${ANSWERED_LATE} 4.1/wait-default-answers 4.1/wait-max-honoured 4.1/wait-per-call | the call is answered too late or not at all
wait-cut-to-seconds | ${NOT_EARLY} | the call is answered too early
wait-halved | 4.1/wait-min-enforced | the shortest is half a second
wait-cut-to-seconds | 4.1/wait-min-enforced | cut to less
wait-deletes-job | 4.1/wait-leaves-job-alive 2.2/ttl-not-early-* 2.2/ttl-default-not-early 3/submission-creates-job-runsync 3/success-completes-runsync | the job is gone
wait-cancels-job wait-fails-job | 4.1/wait-leaves-job-alive 3/success-completes-runsync 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early 3/not-completed-before-handler-ends | the job does not end as its handler says
wait-claims-completed | 3/not-completed-before-handler-ends 4.1/answer-agrees-with-status ${WHOLE} 2.4/output-in-runsync 2.4/*-time-in-runsync 3/completed-stays 3/success-completes-runsync 4.3/shows-current-state | the record claims an end that was not
wait-default-ten-seconds | 4.1/wait-default-not-early | the default is 90 s
wait-default-five-minutes | 4.1/wait-default-answers | the default is 90 s
wait-default-none | 4.1/wait-default-not-early 4.1/wait-optional 4.1/wait-answers-on-completion 4.1/complete-result-in-one-answer 4.1/wait-answers-on-failure | the call does not wait
wait-capped-at-two-minutes | 4.1/wait-not-early 4.1/wait-max-honoured | a longer wait does not hold
wait-number-prefix-accepted | 7/wait-not-integer | a number is asked for
wait-malformed-is-500 | 7/wait-not-integer 7/no-500-for-client-errors | malformed parameters are answered with 400
wait-elapsed-shows-submission | 4.3/shows-current-state | the state of then, not of now

# When /runsync answers
runsync-returns-at-once runsync-returns-at-start | ${NOT_EARLY} 4.1/wait-answers-on-completion 4.1/wait-answers-on-failure ${WHOLE} 4.1/wait-min-enforced 4.1/wait-optional 4.1/wait-covers-queue-time | the call does not wait
runsync-one-at-a-time | ${NOT_EARLY} 4.1/wait-per-call 4.1/wait-answers-on-completion ${WHOLE} 4.1/wait-min-enforced | a second call does not wait
wait-never-shortened | ${ENDS} | the end of the job is not told
wait-polled-every-ten-seconds | ${ENDS} 4.1/wait-answers-when-elapsed | the end of the job is told late
runsync-purged-never-answered | 4.1/wait-answers-on-purge 4.1/wait-answers-when-elapsed 4.1/wait-default-answers 4.1/wait-max-honoured | the call is not answered even when wait has passed
runsync-expired-never-answered | 4.1/wait-answers-on-ttl 4.1/wait-answers-when-elapsed 4.1/wait-default-answers 4.1/wait-max-honoured | the call is not answered even when wait has passed
runsync-misses-fast-end runsync-waiters-overwritten | 4.1/wait-answers-on-completion 4.1/wait-answers-on-failure 4.1/wait-answers-on-ttl ${WHOLE} 4.1/wait-per-call | the end of the job is not told
runsync-woken-by-any-end | ${NOT_EARLY} 4.1/wait-per-call ${WHOLE} 4.1/wait-answers-on-completion | the end of another job answers the call
runsync-results-crossed | ${NOT_EARLY} 4.1/answer-agrees-with-status 2.4/output-of-this-job 4.1/wait-answers-on-completion ${WHOLE} 2.4/id-unique 3/submission-creates-job-runsync 2.4/output-object-unchanged 2.4/output-array-unchanged 2.4/output-scalar-unchanged 2.1/input-reaches-worker-runsync 4.1/wait-per-call | the record of another job
runsync-answers-swapped | 4.1/answer-agrees-with-status 2.4/output-of-this-job 2.4/output-*-unchanged 2.1/input-reaches-worker-runsync | the record of another job
runsync-coalesced | 2.4/output-of-this-job 1/every-job-is-processed | another job answers
runsync-blocks-run | 4.2/returns-at-once | it is not answered at once
runsync-job-unknown-to-status | 4.3/shows-current-state 3/failed-stays 3/timed-out-stays 3/submission-creates-job-runsync ${SYNC_KEPT} 4.1/answer-agrees-with-status 4.1/wait-leaves-job-alive 2.2/ttl-not-early-* 2.2/ttl-default-not-early 4.1/retention-from-completion 4.6/retries-runsync-job 4.5/cancels-runsync-job 3/success-completes-runsync 3/handler-error-fails-runsync | nothing of it can be read
runsync-result-lost-after-wait | ${SYNC_KEPT} 4.1/wait-leaves-job-alive 3/success-completes-runsync 3/submission-creates-job-runsync 2.2/ttl-default-not-early | the result is not kept
runsync-result-lost-after-wait | 2.4/output-in-status | the record is COMPLETED and has no output
times-missing-in-runsync times-zero-in-runsync | 4.1/answer-agrees-with-status | /runsync and /status differ

# Retention
retention-sync-like-run runsync-retention-never | ${SYNC_GONE} | a result is there too long
runsync-retention-ten-minutes-with-wait retention-sync-like-run-after-a-minute-wait | 4.1/retention-with-wait-gone 7/result-expired-* | a result is there too long
retention-sync-half runsync-retention-none | ${SYNC_KEPT} 4.1/retention-from-completion 2.2/ttl-not-early-completed 3/completed-stays | a result is gone too soon
runsync-retention-none | 3/submission-creates-job-runsync 4.1/answer-agrees-with-status 4.6/retries-runsync-job 3/failed-stays 3/timed-out-stays | nobody finds the job any more
runsync-retention-from-submission retention-from-the-end-of-wait | ${SYNC_KEPT} 4.1/retention-from-completion | it does not count from completion
retention-from-submission retention-from-start | ${SYNC_KEPT} ${RUN_KEPT} 4.1/retention-from-completion 4.2/retention-from-completion 4.6/retried-job-not-expired | it does not count from completion
run-retention-from-submission run-retention-from-start | ${RUN_KEPT} 4.2/retention-from-completion | it does not count from completion
retention-run-like-sync retention-of-low-priority-like-sync run-retention-three-minutes | ${RUN_KEPT} 4.2/retention-from-completion 2.2/ttl-not-early-completed 3/completed-stays | a result is gone too soon
run-retention-one-day retention-run-unlimited | ${RUN_GONE} | a result is there too long
run-retention-restarts-on-read retention-restarts-by-reading retention-restarts-on-stream retention-restarts-on-health retention-restarts-on-requests | 4.2/retention-not-restarted-by-reading ${RUN_GONE} | reading prolongs it
retention-restarts-by-reading | 4.1/retention-not-restarted-by-reading ${SYNC_GONE} | reading prolongs it
retention-restarts-on-stream retention-restarts-on-health retention-restarts-on-requests | 4.1/retention-not-restarted-by-reading ${SYNC_GONE} | reading prolongs it
retention-restarts-on-refused-retry | ${RUN_GONE} ${SYNC_GONE} 4.6/no-effect-on-completed | a refused retry prolongs it
retention-restarts-on-cancel | ${RUN_GONE} ${SYNC_GONE} | a cancel prolongs it
retention-from-first-read | ${RUN_GONE} ${SYNC_GONE} 4.2/retention-from-completion 4.2/retention-not-restarted-by-reading | it counts from another instant
retention-drops-output-only | ${RUN_GONE} ${SYNC_GONE} 2.4/output-in-status | the record is still there
retention-streams-on | 7/result-expired-stream 7/result-expired-run-stream 7/ttl-expired-stream | what is gone is streamed
retention-timer-shared retention-one-per-instant retention-sweep-at-most-ten retention-swept-each-ten-minutes | ${RUN_GONE} ${SYNC_GONE} 4.1/retention-not-restarted-by-reading 4.2/retention-not-restarted-by-reading | a result is there too long
retention-timer-shared | ${SYNC_KEPT} ${RUN_KEPT} | another job takes the timer away
retention-not-of-streamed retention-not-after-retry | ${RUN_GONE} ${SYNC_GONE} 4.6/expired-result-not-retried | a result is there too long
retention-after-retry-one-minute | ${RUN_KEPT} 4.2/retention-from-completion | a result is gone too soon
retention-of-first-end | ${RUN_KEPT} ${SYNC_KEPT} 4.1/retention-from-completion 4.2/retention-from-completion | it counts from the first end
retention-outlives-retry | 4.6/retried-job-not-expired ${RUN_KEPT} ${SYNC_KEPT} 4.6/retried-job-runs 4.1/retention-from-completion 4.2/retention-from-completion | it is deleted by what is over
retention-outlives-retry | 2.2/ttl-not-early-running 2.2/ttl-not-early-queued 2.2/ttl-default-not-early | a job that waits or runs is deleted
retention-shortened-by-wait | ${SYNC_KEPT} 4.1/retention-from-completion | a short wait shortens it
results-latest-hundred-only | ${RUN_KEPT} ${SYNC_KEPT} 2.2/ttl-not-early-completed 3/completed-stays | a result is gone too soon
results-latest-hundred-only webhook-delivery-deletes-result | 3/failed-stays 3/timed-out-stays | so is a failed job, before it can be retried
retention-sweep-ignores-kind | ${RUN_KEPT} 2.2/ttl-not-early-completed 3/completed-stays | a result is gone too soon
webhook-delivery-deletes-result | ${RUN_KEPT} ${SYNC_KEPT} 2.2/ttl-not-early-completed 3/completed-stays 3/submission-creates-job-* 2.2/ttl-default-not-early | a result is gone too soon
runsync-retention-of-failed-none | 3/failed-stays 4.6/retries-runsync-job 3/retry-requeues-failed 3/handler-error-fails-runsync | a failed job is gone

# /run and /status
run-waits | 4.2/returns-at-once 4.2/status-in-queue 3/submission-starts-in-queue | it is not answered at once, and then with another state
run-shows-current-status | 4.2/status-in-queue | IN_QUEUE is asked for
run-answers-wrong-id | 3/submission-creates-job-run 2.4/id-unique 2.2/ttl-default-not-early 2.2/ttl-not-early-* | the id finds no job
status-stale | 4.3/shows-current-state 3/submission-starts-in-queue 3/start-moves-to-in-progress 3/success-completes-* 3/handler-error-fails-* 3/worker-crash-fails 3/cancel-* 3/cancelled-* 3/*-stays 3/retry-requeues-* 4.6/retries-runsync-job 2.2/ttl-removes-* 7/ttl-expired-status 7/result-expired-status 7/result-expired-run-status 4.1/retention-gone 4.1/retention-with-wait-gone 2.2/execution-timeout-stops-* 4.3/ttl-shortens-life 4.3/ttl-of-the-example 1/free-worker-takes-job 1/freed-worker-takes-waiting-job 4.7/removes-all-waiting 4.6/removes-output 4.6/retried-job-runs 2.4/times-settled 2.4/times-in-every-state 4.1/answer-agrees-with-status | what is shown was true five seconds ago
status-waits status-never-answered | 4.3/shows-current-state | it is not answered before the clock moves
status-404-until-ended | ${UNREADABLE} 2.2/ttl-not-early-running 3/start-moves-to-in-progress 3/submission-starts-in-queue 4.3/ttl-accepted 4.3/ttl-not-at-once 4.3/ttl-lengthens-life 3/retry-requeues-* 2.4/id-kept-across-retry 4.6/retried-job-not-expired 1/waits-when-no-worker-free 1/every-job-is-processed | a job that waits or runs is not found
status-404-while-queued | ${UNREADABLE} 3/submission-starts-in-queue 4.3/ttl-accepted 4.3/ttl-not-at-once 3/retry-requeues-* 2.4/id-kept-across-retry 1/waits-when-no-worker-free | a job that waits is not found
status-404-at-first | ${UNREADABLE} 3/submission-starts-in-queue | a job is not found
status-of-latest-job status-answers-crossed | 2.4/id-matches-status 2.4/output-of-this-job 4.3/shows-current-state 3/* 4.1/answer-agrees-with-status 2.4/output-object-unchanged 2.4/output-array-unchanged 2.4/output-scalar-unchanged 2.4/output-unicode-unchanged 2.4/*-measures-* 2.2/ttl-removes-* 7/*-status 2.1/input-reaches-worker-* 2.4/output-in-status 2.4/times-settled 2.4/no-output-while-queued 2.2/execution-timeout-stops-* 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early | the record of another job
job-id-with-tail job-id-shortened | 7/unknown-job-* | an id that nobody was given finds a job
`),
};
