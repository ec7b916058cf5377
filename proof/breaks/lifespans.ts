/** What faults of section 2.2 break: `executionTimeout`, `ttl`, and the `ttl` of /status (4.3). */
import { rowsOf, type BreaksList } from './list.js';

const STOPS = '2.2/execution-timeout-stops-*';
/** The job that should have been stopped goes on: it completes, or is not there to be retried as timed out. */
const NOT_STOPPED = `${STOPS} 2.2/execution-timeout-frees-worker 3/retry-requeues-timed-out 4.1/wait-answers-on-timeout 2.2/ttl-removes-timed-out 4.6/keeps-policy`;
const EARLY = '2.2/execution-timeout-not-early 2.2/execution-timeout-long-run 4.6/whole-execution-timeout';
const REMOVES =
  '2.2/ttl-removes-queued 2.2/ttl-removes-running 2.2/ttl-removes-completed 2.2/ttl-removes-failed 2.2/ttl-removes-timed-out 2.2/ttl-removes-cancelled 2.2/ttl-removes-runsync 2.2/ttl-removes-retried';
const REMOVES_ENDED =
  '2.2/ttl-removes-completed 2.2/ttl-removes-failed 2.2/ttl-removes-timed-out 2.2/ttl-removes-cancelled';
/** What is asked after the expiry of a job that is still there is not answered 404. */
const EXPIRED_CODES = '7/ttl-expired-status 7/ttl-expired-stream 7/ttl-expired-cancel 7/ttl-expired-retry';
const NOT_GONE = `${EXPIRED_CODES} 4.6/expired-by-ttl-not-retried`;
/** It does not strike while the job runs, or waits: whoever set it, the submission or /status. */
const WHILE_RUNNING =
  '2.2/ttl-removes-running 2.2/ttl-wins-over-completion 2.2/ttl-ends-before-execution-timeout 2.2/ttl-seven-days-two-queued 2.2/ttl-frees-worker 2.2/ttl-default-removes 4.3/ttl-shortens-life';
const IN_QUEUE =
  '2.2/ttl-removes-queued 2.2/ttl-starts-at-submission 2.2/ttl-expired-leaves-queue 4.3/ttl-shortens-life';
const TTL_EARLY = '2.2/ttl-not-early-queued 2.2/ttl-not-early-running 2.2/ttl-not-early-completed';
const STATUS_TTL = '4.3/ttl-shortens-life 4.3/ttl-lengthens-life 4.3/ttl-of-the-example';

export const LIFESPANS: BreaksList = {
  file: 'proof/breaks/lifespans.ts',
  rows: rowsOf(`
policy-ignored | ${NOT_STOPPED} ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 2.2/execution-timeout-long-run 2.2/ttl-not-early-* 2.2/outlives-default 2.2/ttl-stays-gone 2.2/ttl-not-restarted-* 2.2/ttl-removes-retried 4.1/wait-answers-on-ttl 2.1/policy-type-checked-* 2.2/*-type-checked 2.2/*-integer | neither of the two holds, nor is anything looked at
runsync-policy-ignored | 2.2/execution-timeout-stops-runsync 2.2/ttl-removes-runsync 4.1/wait-answers-on-timeout 4.1/wait-answers-on-ttl 2.2/ttl-removes-queued 2.2/ttl-removes-running 2.2/ttl-removes-completed 2.2/ttl-expired-leaves-queue | neither of the two holds for /runsync
runsync-policy-unchecked | 2.2/*-type-checked 2.2/*-integer 2.2/*-min-enforced 2.2/*-max-enforced 2.2/low-priority-type-checked | values out of range take effect as given

# executionTimeout that does not strike, or late
timeout-not-enforced | ${NOT_STOPPED} 2.2/execution-timeout-default-enforced 3/timed-out-stays | nothing ends a job that overruns
execution-timeout-in-seconds execution-timeout-doubled timeout-of-job-ignored | ${NOT_STOPPED} | the job runs beyond its time
timeout-of-job-ignored timeout-lowered-to-default execution-timeout-capped-at-a-day | ${EARLY} 2.2/outlives-default 2.2/ttl-seven-days-two-queued | a longer time than the default is cut short
execution-timeout-capped-at-a-day | 2.2/execution-timeout-max-accepted | seven days do not hold
execution-timeout-doubled execution-timeout-in-seconds | 2.2/execution-timeout-default-enforced | the default as well
execution-timeout-cut-to-seconds execution-timeout-cut-to-minutes execution-timeout-halved timeout-from-submission | ${EARLY} | stopped before its time
execution-timeout-halved | 2.2/execution-timeout-default-not-early 2.2/outlives-default 2.2/execution-timeout-min-enforced | the default and the longest as well; five seconds are two and a half
execution-timeout-cut-to-minutes | 2.2/execution-timeout-min-enforced | values below a minute become none
timeout-from-submission execution-timeout-spans-queue-and-run execution-timeout-of-first-run | 2.2/execution-timeout-full-after-queue 2.2/execution-timeout-not-in-queue | the time in the queue is taken from it
timeout-in-queue | 2.2/execution-timeout-not-in-queue 2.2/execution-timeout-full-after-queue 2.2/execution-timeout-not-early 1/every-job-is-processed | a waiting job is ended by it
execution-timeout-completes overrun-shows-completed-chunks | 3/not-completed-before-handler-ends 4.6/retried-job-runs | it shows COMPLETED though its handler has not ended, and never does
execution-timeout-completes overrun-shows-completed-chunks | ${STOPS} 3/retry-requeues-timed-out 4.8/counts-completed 4.8/completed-counts-nothing-else 3/timed-out-stays 6/called-on-completion-* 2.2/execution-timeout-default-enforced 4.6/keeps-policy | it shows COMPLETED
execution-timeout-overwritten | ${STOPS} 3/timed-out-stays 2.2/execution-timeout-default-enforced 2.2/execution-timeout-frees-worker 4.6/keeps-policy | it completes after all
execution-timeout-restarts-on-chunk execution-timeout-restarts-on-read execution-timeout-looked-at-when-read execution-timeout-swept-each-minute overrun-one-per-instant execution-timeout-first-worker-only execution-timeout-not-when-waited status-ttl-clears-execution-timeout execution-timeout-restarts-on-stream execution-timeout-restarts-on-health execution-timeout-restarts-on-requests | ${NOT_STOPPED} 2.2/execution-timeout-default-enforced | it runs on beyond its time
execution-timeout-looked-at-when-read | 1/freed-worker-takes-waiting-job | while nobody reads the job that overran, no job may run any more, and the next waits
execution-timeout-restarts-on-read | 4.3/ttl-optional | reading changes something about the job
status-ttl-clears-execution-timeout | 4.3/ttl-accepted | the ttl is not all that changes
execution-timeout-of-first-run retry-late-end-of-first-run | 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early 4.6/retried-job-runs 2.2/execution-timeout-not-after-end 4.6/keeps-policy | the second run is ended by what is over
timeout-shared | 2.2/execution-timeout-this-job-only 2.2/execution-timeout-default-not-early 2.2/execution-timeout-default-enforced | later jobs without one have it
execution-timeout-timer-shared | 2.2/execution-timeout-this-job-only ${NOT_STOPPED} 2.2/execution-timeout-default-enforced | another job takes its timer away
execution-timeout-default-one-minute runsync-execution-timeout-default-is-wait | 2.2/execution-timeout-default-not-early | the default is ten minutes
runsync-execution-timeout-default-is-wait wait-is-execution-timeout | 4.1/wait-leaves-job-alive 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early | wait says how long the call waits and no more
execution-timeout-default-one-hour execution-timeout-default-none execution-timeout-none-beside-ttl | 2.2/execution-timeout-default-enforced | the default is ten minutes
execution-timeout-default-none execution-timeout-none-beside-ttl | 2.2/execution-timeout-frees-worker | the worker is not freed by it
timeout-not-for-runsync | 2.2/execution-timeout-stops-runsync 4.1/wait-answers-on-timeout | it does not hold for /runsync
retry-without-timeout | 2.2/execution-timeout-stops-retried 4.6/keeps-policy 2.2/execution-timeout-frees-worker | nothing ends the run after a retry
overrun-flag-stays-on-job | 4.6/whole-execution-timeout | the run after a retry is stopped at once
execution-timeout-ends-with-wait | 2.2/execution-timeout-stops-runsync | it holds only while the call waits
timeout-of-low-priority-from-submission | ${EARLY} 2.2/execution-timeout-not-in-queue | the time in the queue is taken from it
timeout-not-for-low-priority | ${NOT_STOPPED} | it does not hold for these
timeout-after-end | 2.2/execution-timeout-not-after-end 3/completed-stays 3/failed-stays 4.3/reading-does-not-consume 4.1/retention-kept 4.2/retention-kept 2.2/execution-timeout-not-early 3/cancelled-stays | an ended job changes its state
overrun-after-retry-keeps-worker | 2.2/execution-timeout-frees-worker 4.6/keeps-policy | its worker is lost
overrun-signal-hits-next-job | 2.2/execution-timeout-not-early 2.2/execution-timeout-this-job-only 2.2/execution-timeout-default-not-early | the next job of that worker is ended, too
overrun-signal-hits-next-job | 3/success-completes-* 3/not-completed-before-handler-ends | that job is FAILED before its handler has ended, which was to succeed
timeout-is-ttl | ${NOT_STOPPED} 2.2/execution-timeout-default-enforced ${EARLY} 2.2/ttl-removes-running 2.2/ttl-wins-over-completion 2.2/execution-timeout-default-not-early 7/ttl-expired-* | beside a longer ttl nothing stops the run, a shorter one ends it and does not delete the job
execution-timeout-from-retry | 2.2/execution-timeout-full-after-queue 2.2/execution-timeout-not-early 2.2/execution-timeout-not-in-queue | the time in the queue is taken from it

# executionTimeout: bounds
timeout-min-refused | 2.2/execution-timeout-min-accepted 2.2/execution-timeout-accepted 2.1/policy-accepted-* | values within the range are refused
timeout-below-ten-seconds-refused | ${STOPS} 2.2/execution-timeout-frees-worker | a submission that is within the range is refused
timeout-above-a-day-refused timeout-max-refused | 2.2/execution-timeout-max-accepted 2.2/execution-timeout-accepted 2.1/policy-accepted-* 2.2/outlives-default 2.2/ttl-seven-days-two-queued | values within the range are refused
execution-timeout-fraction-accepted | 2.2/execution-timeout-integer | an integer is asked for
execution-timeout-boolean-accepted timeout-any-type execution-timeout-string-accepted | 2.2/execution-timeout-type-checked 2.2/execution-timeout-integer | an integer is asked for

# ttl that does not strike, or late
ttl-ignored ttl-doubled ttl-in-seconds | ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 2.2/ttl-removes-retried 4.1/wait-answers-on-ttl 2.2/ttl-stays-gone | the job outlives its ttl in every state
ttl-ignored | 2.2/ttl-max-enforced 2.2/outlives-default | no ttl holds, the longest neither
ttl-doubled ttl-in-seconds | 2.2/ttl-max-enforced 2.2/ttl-default-removes | what it comes to is beyond the longest
ttl-from-start ttl-restarts-at-end ttl-restarts-at-start ttl-restarts-by-reading | ${STATUS_TTL} | a ttl given by /status is not heeded
ttl-ignored-while-running ttl-swept-each-minute | 4.3/ttl-of-the-example | a job that runs is there after it
ttl-from-start ttl-restarts-at-start | 2.2/ttl-starts-at-submission 2.2/ttl-seven-days-two-queued 2.2/ttl-default-removes | the time in the queue does not count
ttl-from-start | ${IN_QUEUE} ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} 4.1/wait-answers-on-ttl 2.2/ttl-default-removes | a waiting job does not expire; each job outlives its ttl by the time it waited
ttl-restarts-at-start | ${REMOVES} ${WHILE_RUNNING} | each job outlives its ttl by the time it waited
ttl-from-end | ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 2.2/ttl-not-restarted-by-completion 2.2/ttl-removes-retried 4.1/wait-answers-on-ttl 2.2/ttl-stays-gone | nothing expires before it has ended
ttl-restarts-at-end | 2.2/ttl-not-restarted-by-completion ${REMOVES_ENDED} 2.2/ttl-removes-runsync ${NOT_GONE} | it counts from the end
ttl-restarts-on-read ttl-restarts-by-reading ttl-restarts-on-stream ttl-restarts-on-health ttl-restarts-on-requests | 2.2/ttl-not-restarted-by-reading ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 2.2/ttl-removes-retried | a job that is read outlives its ttl
ttl-restarts-on-read ttl-restarts-by-reading | 4.3/ttl-optional 4.3/ttl-shortens-life | reading changes the lifespan, a ttl of /status included
ttl-shared | 2.2/ttl-this-job-only 2.2/ttl-default-not-early 2.2/ttl-default-removes | later jobs without one have it
ttl-timer-shared | 2.2/ttl-this-job-only ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} 2.2/ttl-default-removes 2.2/ttl-removes-retried ${IN_QUEUE} | a later submission takes the timer away
ttl-spares-runsync | 2.2/ttl-removes-runsync 4.1/wait-answers-on-ttl 2.2/ttl-removes-queued 2.2/ttl-removes-running 2.2/ttl-removes-completed 2.2/ttl-wins-over-completion 2.2/ttl-expired-leaves-queue | jobs of /runsync do not expire
ttl-gone-after-retry ttl-restarts-on-retry | 2.2/ttl-removes-retried 4.3/ttl-shortens-life | a retried job does not expire, or too late
ttl-not-in-queue | ${IN_QUEUE} ${NOT_GONE} 2.2/ttl-stays-gone 4.1/wait-answers-on-ttl 2.2/ttl-default-removes | a waiting job does not expire
ttl-in-queue-when-picked | ${IN_QUEUE} ${NOT_GONE} 4.1/wait-answers-on-ttl 2.2/ttl-default-removes | a waiting job is there until a worker gets to it
ttl-ignored-while-running ttl-spares-running | ${WHILE_RUNNING} ${NOT_GONE} ${REMOVES_ENDED} 2.2/ttl-stays-gone 2.2/ttl-removes-runsync 2.2/ttl-removes-retried | a running job does not expire
ttl-ignored-when-completed ttl-spares-ended | 2.2/ttl-removes-completed 2.2/ttl-removes-runsync 2.2/ttl-removes-retried ${NOT_GONE} | an ended job lives its retention
ttl-ignored-when-failed ttl-spares-failed ttl-spares-ended | 2.2/ttl-removes-failed ${NOT_GONE} | an ended job lives its retention
ttl-spares-cancelled ttl-spares-ended | 2.2/ttl-removes-cancelled ${NOT_GONE} | an ended job lives its retention
ttl-spares-timed-out ttl-spares-ended ttl-ignored-when-failed ttl-spares-cancelled ttl-spares-failed | 2.2/ttl-removes-retried | a retried job that ends so again
ttl-ignored-when-failed | 2.2/ttl-removes-timed-out | a run that timed out has failed, too
ttl-spares-timed-out ttl-spares-ended | 2.2/ttl-removes-timed-out ${NOT_GONE} | an ended job lives its retention
ttl-expired-still-counted | 2.2/ttl-expired-leaves-queue 4.8/counts-in-queue 4.8/counts-in-progress 4.8/counts-workers-* | a deleted job counts on
ttl-expired-still-runs | 2.2/ttl-expired-leaves-queue 1/freed-worker-takes-waiting-job 1/every-job-is-processed 1/free-worker-takes-job | a deleted job keeps a worker busy
ttl-marks-failed | ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 2.2/ttl-removes-retried 3/completed-stays 3/cancelled-stays 3/timed-out-stays 2.2/ttl-stays-gone 4.8/counts-failed 4.8/failed-not-completed 4.2/retention-kept 4.1/retention-kept | the job is not deleted, but FAILED
ttl-fails-when-the-run-ends | 2.2/ttl-removes-cancelled | a job that is cancelled after its ttl stays, too
ttl-waits-for-the-run ttl-fails-when-the-run-ends | ${WHILE_RUNNING} ${NOT_GONE} 2.2/ttl-removes-runsync 2.2/ttl-removes-retried 4.1/wait-answers-on-ttl | a running job is there until it ends
ttl-handler-runs-on | 2.2/ttl-frees-worker | its worker is not free
ttl-result-resurrects | 2.2/ttl-stays-gone 2.2/ttl-wins-over-completion 7/ttl-expired-* | the deleted job is there again
expired-is-410 expired-410 | 7/ttl-expired-* 7/result-expired-* | what is gone is answered with 404
expired-410 | 7/unknown-job-* | 404 is the code for what is unknown
expired-is-200 | 7/ttl-expired-* 7/result-expired-* ${REMOVES} ${WHILE_RUNNING} 2.4/status-known-* 2.4/status-in-* 2.4/id-in-* 2.4/output-in-status 4.1/retention-gone 4.1/retention-with-wait-gone 4.2/retention-gone 4.6/expired-* 2.4/*-time-in-status 4.6/status-in-queue 4.5/status-cancelled-* 4.4/answer-is-array | what is gone answers with success, and a state that there is not
expired-still-streams | 7/ttl-expired-stream 7/result-expired-stream 7/result-expired-run-stream | a deleted job is streamed
expired-still-cancels | 7/ttl-expired-cancel 7/result-expired-cancel | a deleted job is cancelled
expired-while-queued-is-400 | 7/ttl-expired-* | a deleted job is answered with 404
expired-stream-empty-code | 7/ttl-expired-stream 7/result-expired-* 7/unknown-job-stream 4.4/answer-is-array 1/json-body-stream | an answer of success without a body
expired-retry-400 | 7/ttl-expired-retry 7/result-expired-retry 7/result-expired-run-retry 7/unknown-job-retry | what is gone is answered with 404
expired-410 expired-retry-400 | 3/retry-requeues-failed 3/retry-requeues-timed-out 4.6/retries-runsync-job | nothing but the wrong code tells whether an unsuccessful job is gone
ended-record-cached-past-expiry | 2.2/ttl-stays-gone ${REMOVES_ENDED} 2.2/ttl-removes-runsync 2.2/ttl-removes-retried 7/ttl-expired-status 7/result-expired-status 7/result-expired-run-status 4.1/retention-gone 4.1/retention-with-wait-gone 4.2/retention-gone 4.1/retention-not-restarted-by-reading 4.2/retention-not-restarted-by-reading 2.2/ttl-not-restarted-by-reading 3/retry-requeues-* 4.3/shows-current-state 4.6/removes-output 2.2/ttl-default-removes 4.6/retried-job-runs 4.3/ttl-shortens-life | a record that was read is shown for good
ttl-one-per-instant ttl-swept-each-minute ttl-sweep-at-most-ten | ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 2.2/ttl-removes-retried 4.1/wait-answers-on-ttl 4.3/ttl-shortens-life | a job outlives its ttl
ttl-ignored-after-cancel-of-running | 2.2/ttl-removes-cancelled | a cancelled job outlives its ttl
ttl-ignored-after-second-failure | 2.2/ttl-removes-failed 2.2/ttl-removes-retried | it outlives its ttl
ttl-after-retry-keeps-worker | 2.2/ttl-frees-worker 2.2/ttl-removes-retried | its worker is not free
ttl-ignored-when-streamed | 2.2/ttl-removes-cancelled | nor later, once it is cancelled
ttl-ignored-when-streamed | 2.2/ttl-removes-running 2.2/ttl-wins-over-completion 2.2/ttl-frees-worker | it does not expire while it runs
ttl-ignored-beside-webhook | ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 6/no-call-for-removed | it does not expire, and its webhook is called
ttl-ignored-for-low-priority | ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} | it does not expire
ttl-after-its-wait | 2.2/ttl-removes-runsync 2.2/ttl-starts-at-submission 2.2/ttl-removes-* 2.2/ttl-wins-over-completion 4.1/wait-answers-on-ttl 2.2/ttl-expired-leaves-queue | it does not count while the call waits
ttl-raised-to-timeout | ${REMOVES} ${WHILE_RUNNING} ${IN_QUEUE} ${NOT_GONE} 4.3/ttl-shortens-life 2.2/ttl-removes-retried 4.1/wait-answers-on-ttl | the executionTimeout, ten minutes by default, holds instead of it
ttl-of-running-drops-last | 1/freed-worker-takes-waiting-job 2.2/ttl-frees-worker | the job that is dropped from the queue is shown waiting beside the freed worker
ttl-of-running-drops-last | 2.2/ttl-this-job-only 1/every-job-is-processed 2.2/ttl-default-not-early 2.2/ttl-not-early-queued | another job is removed
now-and-then-ttl-ignored | ${REMOVES} ${NOT_GONE} ${WHILE_RUNNING} ${IN_QUEUE} 2.2/ttl-removes-retried 4.1/wait-answers-on-ttl 2.2/ttl-stays-gone | some jobs do not expire
now-and-then-timeout-ignored | ${NOT_STOPPED} | some jobs are not stopped

# ttl that strikes early
ttl-halved ttl-cut-to-minutes ttl-cut-to-seconds | ${TTL_EARLY} | deleted before its time
ttl-halved ttl-of-low-priority-halved ttl-two-seconds-early | 2.2/ttl-default-not-early 2.2/ttl-seven-days-two-queued 2.2/outlives-default 2.2/ttl-min-enforced 4.2/retention-kept 4.1/retention-kept | the default, the longest and the shortest as well
ttl-cut-to-minutes | 2.2/ttl-min-enforced | less than a minute comes to none
ttl-default-one-hour runsync-ttl-default-five-minutes runsync-ttl-default-one-hour | 2.2/ttl-default-not-early | the default is 24 hours
ttl-default-seven-days ttl-default-none ttl-none-beside-execution-timeout | 2.2/ttl-default-removes | the default is 24 hours
ttl-of-a-day-at-most | 2.2/ttl-seven-days-two-queued 2.2/outlives-default 2.2/ttl-not-early-* 2.2/ttl-max-accepted 4.3/ttl-lengthens-life 4.3/ttl-not-at-once | no longer ttl holds

# ttl: bounds
ttl-min-refused | 2.2/ttl-min-accepted 2.2/ttl-accepted 2.1/policy-accepted-* | values within the range are refused
ttl-above-a-day-refused ttl-max-refused | 2.2/ttl-max-accepted 2.2/ttl-accepted 2.1/policy-accepted-* 2.2/outlives-default 2.2/ttl-seven-days-two-queued | values within the range are refused
ttl-any-type ttl-array-accepted ttl-string-accepted ttl-negative-accepted | 2.2/ttl-type-checked 2.2/ttl-integer | an integer is asked for

# ttl of /status
status-ttl-ignored | ${STATUS_TTL} 4.3/ttl-not-at-once | the parameter does nothing
status-ttl-in-seconds | 4.3/ttl-shortens-life 4.3/ttl-of-the-example | the job lives a thousand times longer
status-ttl-for-all-jobs status-ttl-for-later-jobs | 4.3/ttl-this-job-only 2.2/ttl-default-not-early 2.2/ttl-not-early-* 2.2/ttl-default-removes | other jobs have it
status-ttl-deletes-at-once | 4.3/ttl-not-at-once 4.3/ttl-lengthens-life 4.3/ttl-accepted | the job is gone before that time
status-ttl-deletes-at-once | 4.3/reading-does-not-consume | reading removes the job
status-ttl-not-while-running status-ttl-not-while-waiting status-ttl-once-finished-only status-ttl-not-for-runsync status-ttl-ignored-after-retry status-ttl-lost-at-start status-ttl-lost-on-retry status-ttl-only-first | ${STATUS_TTL} | of these jobs it does nothing
status-ttl-not-while-running status-ttl-not-while-waiting status-ttl-once-finished-only status-ttl-not-for-runsync status-ttl-ignored-after-retry status-ttl-lost-at-start status-ttl-lost-on-retry status-ttl-lost-at-end status-ttl-only-when-shorter-than-policy status-ttl-only-first | 4.3/ttl-not-at-once | the ttl of the policy deletes the job before
status-ttl-lost-at-end | ${STATUS_TTL} | it does not hold after the end
status-ttl-min-ten-seconds | 4.3/ttl-of-the-example | a value of 6000 means 6 seconds
status-ttl-number-prefix-accepted | 7/status-ttl-not-integer | a number is asked for
status-ttl-malformed-is-500 | 7/status-ttl-not-integer 7/no-500-for-client-errors | malformed parameters are answered with 400
status-ttl-keeps-worker | 2.2/ttl-frees-worker | its worker is not free
status-ttl-still-runs | 2.2/ttl-expired-leaves-queue 4.3/ttl-shortens-life | the deleted job keeps a worker busy
status-ttl-leaks-in-health | 4.8/counts-in-queue 4.8/counts-in-progress 2.2/ttl-expired-leaves-queue 4.8/counts-workers-* | the deleted job counts on
status-ttl-cut-to-ten-seconds | 4.3/ttl-lengthens-life 4.3/ttl-not-at-once | it is less than was asked for
status-ttl-only-when-shorter-than-policy | 4.3/ttl-lengthens-life | it cannot lengthen
status-ttl-restarts-on-plain-read | 4.3/ttl-shortens-life 2.2/ttl-not-restarted-by-reading 4.3/ttl-optional | a read without the parameter moves the end
`),
};
