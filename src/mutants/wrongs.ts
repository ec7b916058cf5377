/**
 * The catalogue of wrongs that the core can do: id, what the faulty service does, and the requirements that it violates, the main
 * one first. The file of its section has the rules that do it. The independent server in `specs/naive/` looks up the same ids.
 */
import { wrongsOf } from './wrong.js';

export const WRONGS = wrongsOf(`
# Workers and endpoints (section 1)
freed-worker-stays-idle | a worker that becomes free takes no waiting job until the next submission
  | 1/freed-worker-takes-waiting-job 1/every-job-is-processed
idle-worker-ignores-submission | a job submitted while a worker is free waits until another job ends
  | 1/free-worker-takes-job 1/every-job-is-processed
one-job-at-a-time-everywhere | a job starts only when all workers of all endpoints are idle
  | 1/endpoints-isolated-workers 1/free-worker-takes-job
one-job-at-a-time | a job starts only when all workers of the endpoint are idle | 1/free-worker-takes-job 1/every-job-is-processed
second-job-while-busy | a worker takes a second job while it runs one | 1/no-more-jobs-in-progress-than-workers 1/waits-when-no-worker-free
dead-worker-not-replaced | a worker that died is never replaced | 1/every-job-is-processed 1/freed-worker-takes-waiting-job
success-runs-twice | a job that succeeded runs a second time | 1/job-processed-once 3/no-return-to-queue
status-across-endpoints | /status finds jobs of other endpoints | 1/endpoints-isolated-status
stream-across-endpoints | /stream finds jobs of other endpoints | 1/endpoints-isolated-stream
cancel-across-endpoints | /cancel finds jobs of other endpoints | 1/endpoints-isolated-cancel
retry-across-endpoints | /retry finds jobs of other endpoints | 1/endpoints-isolated-retry
purge-everywhere | /purge-queue empties the queues of all endpoints | 1/endpoints-isolated-purge
health-of-last-endpoint | /health shows the jobs of another endpoint | 1/endpoints-isolated-health
answers-as-text | JSON answers have the content type text/plain | 1/json-content-type-run 1/json-content-type-status
errors-as-html | error answers have the content type text/html | 1/json-error-content-type-404 1/json-error-content-type-400
any-version | any version segment in the path is accepted | 9/other-version-not-served

# Input (2.1)
input-optional | a submission without input is accepted | 2.1/input-missing-refused-run 2.1/input-missing-refused-runsync
input-null | input may be null | 2.1/input-null-refused-run 2.1/input-null-refused-runsync
input-array | input may be an array | 2.1/input-array-refused-run 2.1/input-array-refused-runsync
input-scalar | input may be a string, a number or a boolean | 2.1/input-scalar-refused-run 2.1/input-scalar-refused-runsync
input-empty-refused | input may not be {} | 2.1/input-empty-accepted-run 2.1/input-empty-accepted-runsync
input-loses-nulls | null values in input do not reach the handler | 2.1/input-nested-unchanged
input-ascii-only | non-ASCII text in input is garbled | 2.1/input-unicode-unchanged
id-from-input | the job id shown is the member \`id\` of input | 2.1/input-content-not-interpreted 2.4/id-matches-status
webhook-any-type | a webhook that is not a string is accepted | 2.1/webhook-type-checked
policy-any-type | a policy that is not an object is accepted | 2.1/policy-type-checked-run 2.1/policy-type-checked-runsync
s3-config-any-type | an s3Config that is not an object is accepted | 2.1/s3config-type-checked
s3-config-dropped | s3Config does not reach the worker | 2.3/passed-along-run 2.3/passed-along-runsync 2.3/access-id-reaches-worker
s3-secret-withheld | s3Config reaches the worker without its accessSecret | 2.3/access-secret-reaches-worker 2.3/passed-along-run
s3-bucket-lower-case | s3Config reaches the worker in lower case
  | 2.3/passed-along-run 2.3/bucket-name-reaches-worker 2.3/access-id-reaches-worker
s3-config-lost-on-retry | a retried job runs without its s3Config | 2.3/kept-across-retry
s3-config-lingers | a job without s3Config gets that of the job before | 2.3/not-mixed-between-jobs

# Policy (2.2)
ttl-from-start | ttl counts from the start of execution | 2.2/ttl-starts-at-submission 2.2/ttl-removes-queued
ttl-not-in-queue | ttl does not delete waiting jobs | 2.2/ttl-removes-queued 2.2/ttl-starts-at-submission 2.2/ttl-expired-leaves-queue
ttl-spares-running | ttl does not delete running jobs
  | 2.2/ttl-removes-running 2.2/ttl-wins-over-completion 2.2/ttl-ends-before-execution-timeout
ttl-spares-ended | ttl does not delete jobs that have ended
  | 2.2/ttl-removes-completed 2.2/ttl-removes-failed 2.2/ttl-removes-timed-out 2.2/ttl-removes-cancelled
ttl-spares-cancelled | ttl does not delete cancelled jobs | 2.2/ttl-removes-cancelled
ttl-spares-runsync | ttl does not delete /runsync jobs | 2.2/ttl-removes-runsync
ttl-restarts-on-retry | a retry restarts the ttl | 2.2/ttl-removes-retried
ttl-restarts-at-end | the end of a job restarts its ttl | 2.2/ttl-not-restarted-by-completion 2.2/ttl-removes-completed
ttl-restarts-at-start | the start of execution restarts the ttl | 2.2/ttl-starts-at-submission 2.2/ttl-seven-days-two-queued
ttl-restarts-by-reading | each read of a job restarts its ttl | 2.2/ttl-not-restarted-by-reading 2.2/ttl-removes-completed
ttl-in-seconds | ttl is read as seconds | 2.2/ttl-removes-queued 2.2/ttl-removes-running 2.2/ttl-removes-completed
ttl-two-seconds-early | jobs are deleted after four fifths of their ttl
  | 2.2/ttl-not-early-queued 2.2/ttl-not-early-running 2.2/ttl-not-early-completed
ttl-default-twelve-hours | a job without ttl is deleted after 12 hours | 2.2/ttl-default-not-early
ttl-default-two-days | a job without ttl is deleted after 48 hours | 2.2/ttl-default-removes
ttl-of-a-day-at-most | a ttl above 24 hours is cut to 24 hours
  | 2.2/ttl-seven-days-two-queued 2.2/outlives-default 2.2/ttl-not-early-running
ttl-shared | the last ttl given applies to all later jobs | 2.2/ttl-this-job-only 2.2/ttl-default-not-early
ttl-keeps-worker | a worker whose job was deleted by ttl is never free again | 2.2/ttl-frees-worker 1/freed-worker-takes-waiting-job
ttl-below-min-taken | a ttl below 10 s takes effect as given | 2.2/ttl-min-enforced
ttl-above-max-taken | a ttl above 7 days takes effect as given | 2.2/ttl-max-enforced
ttl-min-refused | a ttl of exactly 10 s is refused | 2.2/ttl-min-accepted
ttl-max-refused | a ttl of exactly 7 days is refused | 2.2/ttl-max-accepted
ttl-any-type | a ttl that is not a number is ignored | 2.2/ttl-type-checked
timeout-any-type | an executionTimeout that is not a number is ignored | 2.2/execution-timeout-type-checked
timeout-from-submission | executionTimeout counts from submission | 2.2/execution-timeout-full-after-queue 2.2/execution-timeout-not-early
timeout-in-queue | executionTimeout ends waiting jobs | 2.2/execution-timeout-not-in-queue
timeout-after-end | executionTimeout ends jobs that have completed | 2.2/execution-timeout-not-after-end 3/completed-stays
timeout-not-enforced | executionTimeout is not enforced
  | 2.2/execution-timeout-stops-run 2.2/execution-timeout-stops-runsync 2.2/execution-timeout-default-enforced
timeout-not-for-runsync | executionTimeout is not enforced for /runsync jobs | 2.2/execution-timeout-stops-runsync
timeout-of-job-ignored | the default is used instead of the executionTimeout of the job
  | 2.2/execution-timeout-stops-run 2.2/execution-timeout-long-run 2.2/execution-timeout-not-early
timeout-default-five-minutes | a job without executionTimeout is stopped after 5 minutes | 2.2/execution-timeout-default-not-early
timeout-default-missing | a job without executionTimeout runs without a limit | 2.2/execution-timeout-default-enforced
timeout-shared | the last executionTimeout given applies to all later jobs
  | 2.2/execution-timeout-this-job-only 2.2/execution-timeout-default-not-early
timeout-keeps-worker | a worker whose job timed out is never free again
  | 2.2/execution-timeout-frees-worker 1/freed-worker-takes-waiting-job
timeout-below-min-taken | an executionTimeout below 5 s takes effect as given | 2.2/execution-timeout-min-enforced
timeout-above-max-taken | an executionTimeout above 7 days takes effect as given | 2.2/execution-timeout-max-enforced
timeout-min-refused | an executionTimeout of exactly 5 s is refused | 2.2/execution-timeout-min-accepted
low-priority-starves | a job with lowPriority never starts | 2.2/low-priority-job-runs
low-priority-wakes-workers | a job with lowPriority triggers scaling | 2.2/low-priority-no-scaling
low-priority-by-default | a job without lowPriority triggers no scaling, as if it had lowPriority | 2.2/low-priority-default
low-priority-waits-for-quiet | a job with lowPriority starts only when no other job is running
  | 2.2/low-priority-job-runs 1/free-worker-takes-job
low-priority-any-type | a lowPriority that is not a boolean is accepted | 2.2/low-priority-type-checked

# Records, chunks, purge results and health (2.4 to 2.7)
id-new-on-retry | a retried job gets a new id | 2.4/id-kept-across-retry 2.4/id-matches-retry
status-lower-case | /status writes states in lower case | 2.4/status-known-status
status-misspelt-on-cancel | /cancel answers CANCELED | 2.4/status-known-cancel 4.5/status-cancelled-queued 4.5/status-cancelled-running
output-wrapped | output is wrapped in an object | 2.4/output-object-unchanged 2.4/output-array-unchanged 2.4/output-scalar-unchanged
output-as-text | an output that is a list is returned as JSON text | 2.4/output-array-unchanged
output-ascii-only | non-ASCII text in output is garbled | 2.4/output-unicode-unchanged
output-not-in-status | /status leaves output out | 2.4/output-in-status 4.1/answer-agrees-with-status
output-not-in-runsync | /runsync leaves output out | 2.4/output-in-runsync 4.1/complete-result-in-one-answer
output-of-another-job | a job shows the output of the job that ended before it | 2.4/output-of-this-job 2.4/output-object-unchanged
output-while-queued | a waiting job shows an empty output | 2.4/no-output-while-queued
delay-time-missing | a record holds no delayTime | 2.4/delay-time-in-status 2.4/delay-time-in-runsync
execution-time-missing | a record holds no executionTime | 2.4/execution-time-in-status 2.4/execution-time-in-runsync
delay-time-includes-run | delayTime includes the time the job ran | 2.4/delay-time-excludes-execution 2.4/delay-time-measures-waiting
execution-time-includes-wait | executionTime includes the time the job waited
  | 2.4/execution-time-excludes-waiting 2.4/execution-time-measures-run
execution-time-goes-on | executionTime keeps growing after the end of the job | 2.4/times-settled 2.4/execution-time-measures-run
cancelled-execution-time-goes-on | executionTime of a cancelled job keeps growing | 2.4/times-settled
times-with-fraction | times have a fraction
  | 2.4/delay-time-integer-status 2.4/execution-time-integer-status 2.4/delay-time-integer-runsync 2.4/execution-time-integer-runsync
delay-time-in-seconds | delayTime is in seconds, executionTime in milliseconds | 2.4/times-same-unit
chunk-bare | the elements of a stream are the bare results | 2.5/chunk-is-object 2.5/chunk-has-output
chunk-misnamed | chunks have the member \`data\` instead of \`output\` | 2.5/chunk-has-output
chunk-as-text | the output of a chunk is the result as JSON text | 2.5/chunk-output-unchanged
metrics-as-list | chunks hold metrics as a list | 2.5/metrics-optional-object
purge-status-upper-case | a purge result has status COMPLETED | 2.6/status-completed
purge-counts-running | \`removed\` also counts running jobs
  | 2.6/removed-counts-queued 4.7/second-purge-removes-nothing 4.7/empty-queue-removes-nothing
purge-counts-nothing | \`removed\` is always 0 | 2.6/removed-counts-queued
purge-count-as-text | \`removed\` is a string | 2.6/removed-integer
health-without-idle | the health record lacks workers.idle | 2.7/workers-idle
health-without-retried | the health record lacks jobs.retried | 2.7/jobs-retried
health-queue-with-running | jobs.inQueue also counts running jobs | 4.8/counts-in-queue
health-queue-only-grows | jobs.inQueue counts every job that was ever waiting | 4.8/counts-in-queue
health-progress-only-grows | jobs.inProgress counts every job that was ever running | 4.8/counts-in-progress
health-completed-with-failed | jobs.completed also counts failed jobs | 4.8/completed-counts-nothing-else
health-completed-with-cancelled | jobs.completed also counts cancelled jobs | 4.8/completed-counts-nothing-else
health-completed-stuck | jobs.completed stays 0 | 4.8/counts-completed
health-failed-stuck | jobs.failed stays 0 | 4.8/counts-failed
health-failed-with-completed | jobs.failed also counts completed jobs | 4.8/failed-not-completed
health-retried-counts-failures | jobs.retried counts failures | 4.8/retried-counts-nothing-else

# States (3)
crash-forgotten | a job whose worker died stays IN_PROGRESS | 3/worker-crash-fails 1/every-job-is-processed
crash-takes-others | when a worker dies, the jobs of the other workers are lost, too | 3/crash-leaves-other-jobs-alone
error-completes | a handler error ends in COMPLETED | 3/handler-error-fails-run 3/handler-error-fails-runsync
error-runs-again | a job that failed runs again without a /retry | 3/no-return-to-queue 3/handler-error-fails-run
progress-shown-as-queued | /status shows running jobs as waiting
  | 3/start-moves-to-in-progress 4.3/shows-current-state 1/free-worker-takes-job
completed-too-soon | /status shows running jobs as completed | 3/not-completed-before-handler-ends 3/start-moves-to-in-progress
cancel-finds-nothing | /cancel answers 404 for every job | 4/operation-cancel 3/cancel-queued 3/cancel-running
cancel-only-queued | a running job cannot be cancelled | 3/cancel-running 4.5/status-cancelled-running
cancel-only-running | a waiting job cannot be cancelled | 3/cancel-queued 4.5/status-cancelled-queued
cancel-fails-job | a cancelled job becomes FAILED
  | 4.5/status-cancelled-queued 4.5/status-cancelled-running 3/cancel-queued 3/cancel-running
cancelled-completes | a job cancelled while running still becomes COMPLETED | 3/cancelled-never-completes 3/cancelled-stays
cancelled-streams-on | a job cancelled while running keeps streaming | 3/cancelled-stops-streaming
cancel-keeps-worker | a worker whose job was cancelled is never free again | 3/cancel-frees-worker 1/freed-worker-takes-waiting-job
cancel-frees-twice | a cancelled job frees its worker twice, so that the worker runs two jobs at once
  | 1/no-more-jobs-in-progress-than-workers 1/waits-when-no-worker-free
retry-not-timed-out | /retry refuses timed-out jobs | 3/retry-requeues-timed-out
retry-not-failed | /retry refuses failed jobs | 3/retry-requeues-failed
retry-completed | /retry requeues completed jobs | 4.6/no-effect-on-completed 4.6/refused-for-completed 3/completed-stays
retry-cancelled | /retry requeues cancelled jobs | 4.6/no-effect-on-cancelled 4.6/refused-for-cancelled 3/cancelled-stays
retry-feigned | /retry of a completed job answers IN_QUEUE, but has no effect | 4.6/refused-for-completed
retry-once | a job can be retried only once | 4.6/failed-again-can-be-retried
retry-loses-input | a retried job runs with an empty input | 4.6/keeps-input 4.6/retried-job-runs
retry-loses-large-input | a retried job runs with an empty input if the input is above 64 KiB | 4.6/keeps-input 4.6/retried-job-runs
retry-keeps-output | a retried job shows the reason of its earlier failure as its output | 4.6/removes-output
retry-keeps-stream | after /retry the chunks of the previous run are still delivered | 4.6/removes-stream 2.4/output-object-unchanged
retry-status-kept | /retry answers with the state the job had before | 4.6/status-in-queue
retry-loses-policy | a retried job runs with the default executionTimeout | 4.6/keeps-policy
retry-without-timeout | executionTimeout is not enforced in the run after a retry | 2.2/execution-timeout-stops-retried 4.6/keeps-policy
retry-not-run | a retried job waits until another job ends | 4.6/retried-job-runs 1/free-worker-takes-job 1/every-job-is-processed
purge-kills-running | /purge-queue also removes running jobs | 4.7/keeps-running 2.6/removed-counts-queued
purge-removes-finished | /purge-queue also removes finished jobs | 4.7/keeps-finished 2.6/removed-counts-queued
purge-spares-runsync | /purge-queue does not remove waiting /runsync jobs
  | 4.7/removes-waiting-runsync 4.7/removes-all-waiting 4.7/purged-jobs-never-run
purge-spares-retried | /purge-queue does not remove retried jobs that wait | 4.7/removes-waiting-retried 4.7/removes-all-waiting

# Operations (4)
wait-ignored | \`wait\` is ignored, and the default used instead | 4.1/wait-answers-when-elapsed 4.1/wait-max-honoured 4.1/wait-not-early
wait-default-thirty-seconds | /runsync without \`wait\` is answered after 30 s | 4.1/wait-default-not-early
wait-default-two-minutes | /runsync without \`wait\` is answered after 2 minutes | 4.1/wait-default-answers
wait-at-most-ninety-seconds | a \`wait\` above 90 s is cut to 90 s | 4.1/wait-max-honoured 4.1/wait-not-early
wait-halved | /runsync is answered after half its \`wait\` | 4.1/wait-not-early 4.1/wait-default-not-early 4.1/wait-max-honoured
wait-never-shortened | /runsync is answered only at the end of \`wait\` | 4.1/wait-answers-on-completion 4.1/wait-answers-on-failure
wait-not-ended-by-failure | /runsync of a failed job is answered only at the end of \`wait\` | 4.1/wait-answers-on-failure
wait-not-ended-by-timeout | /runsync of a timed-out job is answered only at the end of \`wait\` | 4.1/wait-answers-on-timeout
wait-cancels-job | a job is cancelled when the \`wait\` of its call ends first | 4.1/wait-leaves-job-alive
wait-above-max-taken | a \`wait\` above 300000 takes effect as given | 4.1/wait-max-enforced
wait-below-min-taken | a \`wait\` below 1000 takes effect as given | 4.1/wait-min-enforced
wait-max-refused | a \`wait\` of exactly 300000 is refused | 4.1/wait-max-accepted 4.1/wait-max-honoured
wait-min-refused | a \`wait\` of exactly 1000 is refused | 4.1/wait-min-accepted
wait-any-text | a \`wait\` that is not a number is ignored | 7/wait-not-integer
retention-sync-like-run | results of /runsync are kept for 30 minutes | 4.1/retention-gone 4.1/retention-with-wait-gone
retention-sync-half | results of /runsync are kept for 30 seconds | 4.1/retention-kept 4.1/wait-does-not-shorten-retention
retention-run-like-sync | results of /run are kept for 1 minute | 4.2/retention-kept
retention-run-unlimited | results of /run are kept until their ttl | 4.2/retention-gone 7/result-expired-run-status
retention-from-submission | retention counts from submission
  | 4.2/retention-from-completion 4.1/retention-from-completion 4.2/retention-kept 4.1/retention-kept
retention-restarts-by-reading | each read restarts the retention
  | 4.2/retention-not-restarted-by-reading 4.1/retention-not-restarted-by-reading 4.1/retention-gone
retention-shortened-by-wait | a result is kept only as long as \`wait\`, even below one minute | 4.1/wait-does-not-shorten-retention
payload-run-half | /run refuses bodies above 5 MB | 4.2/payload-up-to-limit-accepted
payload-run-double | /run accepts bodies up to 20 MB | 4.2/payload-above-limit-refused
payload-chunked-unlimited | bodies sent in chunks may have any size
  | 4.2/payload-above-limit-refused 4.1/payload-above-limit-refused
payload-sync-like-run | /runsync refuses bodies above 10 MB | 4.1/payload-up-to-limit-accepted
payload-sync-with-wait-like-run | /runsync with \`wait\` refuses bodies above 10 MB | 4.1/payload-up-to-limit-accepted
payload-sync-more | /runsync accepts bodies up to 40 MB | 4.1/payload-above-limit-refused
run-answers-in-progress | /run answers IN_PROGRESS | 4.2/status-in-queue
status-ttl-ignored | \`ttl\` of /status has no effect | 4.3/ttl-shortens-life 4.3/ttl-lengthens-life
status-ttl-in-seconds | \`ttl\` of /status is read as seconds | 4.3/ttl-shortens-life
status-ttl-at-once | \`ttl\` of /status deletes the job after a thousandth of the time
  | 4.3/ttl-not-at-once 4.3/ttl-lengthens-life 4.3/ttl-accepted
status-ttl-any-text | a \`ttl\` of /status that is not a number is ignored | 7/status-ttl-not-integer
result-read-once | a result can be read only once | 4.3/reading-does-not-consume
stream-wrapped | the array of /stream is wrapped in an object | 4.4/answer-is-array
stream-reversed | /stream delivers the newest chunk first | 4.4/chunks-in-order
stream-loses-last | the last chunk is never delivered | 4.4/chunks-not-lost 4.4/chunks-after-end
stream-only-after-end | a running job delivers no chunks | 4.4/chunks-while-running
stream-gone-at-end | chunks that were not read before the end of the job are lost | 4.4/chunks-after-end 4.4/chunks-not-lost
stream-repeats-at-end | all chunks are delivered again at the end of the job | 4.4/chunks-not-duplicated 4.4/chunks-not-invented
stream-not-split | results above the chunk limit are not split | 4.4/chunk-size 4.4/large-output-split
stream-list-not-split | a list above 1 MB is sent as one chunk | 4.4/chunk-size
stream-chunk-too-large | chunks have up to 1.5 MB | 4.4/chunk-size
stream-split-small | results above 16 kB are split, whatever they are | 4.4/chunk-below-limit-whole 4.4/chunks-not-invented

# Keys, webhooks and codes (5 to 7)
no-key-403 | a call without a valid key is answered with 403 | 5/missing-key-run 5/wrong-key-run 5/missing-key-status
health-needs-no-key | /health needs no key | 5/missing-key-health 5/wrong-key-health
status-needs-no-key | /status needs no key | 5/missing-key-status 5/wrong-key-status 5/unauthorized-reveals-nothing
purge-needs-no-key | /purge-queue needs no key | 5/missing-key-purge-queue 5/unauthorized-purge-has-no-effect
any-key | any key is accepted | 5/wrong-key-run 5/key-compared-whole 5/wrong-key-status
permission-not-asked-for | a key without permission may use the endpoint | 5/key-without-permission
permission-not-for-reads | a key without permission may read jobs | 5/key-without-permission
no-permission-403 | a key without permission is answered with 403 | 5/key-without-permission
no-permission-404 | a key without permission is answered with 404, as if there were no endpoint | 5/key-without-permission
key-prefix-accepted | a prefix of the key is accepted | 5/key-compared-whole
key-with-more-accepted | the key followed by more characters is accepted | 5/key-compared-whole
key-case-ignored | the key is compared without regard to case | 5/key-compared-whole
unauthorized-run-creates | a /run call answered with 401 creates a job | 5/unauthorized-submission-creates-nothing-run
unauthorized-cancel-works | a /cancel call answered with 401 cancels the job | 5/unauthorized-cancel-has-no-effect
unauthorized-retry-works | a /retry call answered with 401 requeues the job | 5/unauthorized-retry-has-no-effect
unauthorized-purge-works | a /purge-queue call answered with 401 purges the queue | 5/unauthorized-purge-has-no-effect
key-in-query | a key in the query is accepted | 5/key-only-in-header
webhook-at-start | the webhook is called when the job starts | 6/no-call-before-completion
webhook-for-deleted | the webhook is called for a job that was deleted by its ttl | 6/no-call-for-removed
webhook-not-for-runsync | no webhook is called for /runsync jobs | 6/called-on-completion-runsync
webhook-never | no webhook is ever called | 6/called-on-completion-run 6/called-on-completion-runsync
webhook-without-query | the webhook is called without the query of its URL | 6/called-at-given-url
webhook-to-root | the webhook is called at the root of its host | 6/called-at-given-url 6/each-job-its-own-url 6/called-on-completion-run
webhook-of-first-job | all webhook calls go to the URL of the first job
  | 6/each-job-its-own-url 6/called-at-given-url 6/called-on-completion-run
webhook-of-the-last-submission | all webhook calls go to the URL submitted last
  | 6/each-job-its-own-url 6/called-on-completion-run 6/stops-after-200
webhook-four-attempts | a failing webhook is called 4 times | 6/at-most-three-attempts
webhook-two-attempts | a failing webhook is called twice | 6/three-attempts
webhook-one-attempt | a failing webhook is not called again
  | 6/three-attempts 6/retries-after-error-status 6/retries-after-dropped-connection
webhook-pause-one-second | the second attempt follows after 1 s | 6/pause-not-shorter
webhook-pause-one-minute | the second attempt follows after 1 minute | 6/pause-not-longer 6/retries-after-error-status
webhook-error-is-success | an error status counts as success: no further attempt | 6/retries-after-error-status 6/three-attempts
webhook-4xx-is-success | a 4xx counts as success: no further attempt | 6/retries-after-error-status
webhook-silence-is-success | a dropped connection counts as success: no further attempt
  | 6/retries-after-dropped-connection 6/retries-after-silence
webhook-200-not-enough | further attempts follow after a 200 | 6/stops-after-200 6/second-success-ends-retries
webhook-delayed | the first call comes 10 s after the end of the job | 6/called-without-delay
malformed-422 | malformed requests are answered with 422 | 7/malformed-json-run 7/malformed-json-runsync 7/no-body-run
malformed-500 | malformed requests are answered with 500 | 7/malformed-json-run 7/no-500-for-client-errors
unknown-endpoint-400 | an unknown endpoint is answered with 400 | 7/unknown-endpoint-run 7/unknown-endpoint-status 7/unknown-endpoint-health
expired-410 | calls for an expired job are answered with 410 | 7/ttl-expired-status 7/result-expired-status 7/unknown-job-status
expired-stream-empty-code | /stream of an expired job is answered with 204
  | 7/ttl-expired-stream 7/result-expired-stream 7/unknown-job-stream
expired-retry-400 | /retry of an expired job is answered with 400 | 7/ttl-expired-retry 7/result-expired-retry 7/unknown-job-retry

# Rates (8)
concurrency-{runsync,run,status,stream,cancel,openai,requests}-unlimited | any number of /* calls may be in flight
  | 8/concurrency-*-above
concurrency-{runsync,run,status,stream,cancel,openai,requests}-one-too-few | the last allowed /* call in flight is refused
  | 8/concurrency-*-below
concurrency-leaks-when-malformed | a call answered with 400 counts as in flight for good
  | 8/concurrency-run-below 8/concurrency-runsync-below 8/concurrency-status-below
openai-path-by-path | each path below /openai/ has a rate limit of its own | 8/openai-shares-one-allowance
rate-not-enforced | rate limits are not enforced | 8/rate-cancel-above 8/rate-purge-queue-above 8/rate-run-above 8/rate-status-above
rate-cancel-like-run | /cancel accepts 1000 calls per 10 s | 8/rate-cancel-above
rate-cancel-half | /cancel accepts 50 calls per 10 s | 8/rate-cancel-below
rate-purge-once | /purge-queue accepts 1 call per 10 s | 8/rate-purge-queue-below
rate-purge-thrice | /purge-queue accepts 3 calls per 10 s | 8/rate-purge-queue-above
rate-run-like-runsync | /run accepts 2000 calls per 10 s | 8/rate-run-above
rate-status-like-run | /status accepts 1000 calls per 10 s | 8/rate-status-below
rate-window-one-second | rates are counted per second | 8/rate-cancel-above 8/rate-purge-queue-above 8/rate-run-above
rate-window-one-minute | rates are counted per minute | 8/rate-cancel-recovers 8/rate-purge-queue-recovers 8/rate-run-recovers
rate-shared-by-operations | all operations of an endpoint share one rate limit | 8/rate-per-operation
rate-shared-by-endpoints | all endpoints share one rate limit | 8/rate-per-endpoint
rate-503 | calls above the rate limit are answered with 503 | 8/rate-cancel-above 8/rate-purge-queue-above 7/no-500-in-normal-use
refused-purge-works | a /purge-queue call answered with 429 purges the queue | 8/refused-call-has-no-effect
refused-run-creates | a /run call answered with 429 creates a job | 8/refused-call-has-no-effect
concurrency-runsync-hundred | /runsync allows only 100 calls in flight | 8/concurrency-runsync-below
concurrency-not-enforced | any number of calls may be in flight | 8/concurrency-enforced
workers-lower-limit | the rate limit falls as more workers run | 8/workers-never-lower-limit 8/rate-cancel-below

# Submissions
input-empty-values-dropped | empty strings, zeros and false in input do not reach the handler
  | 2.1/input-nested-unchanged 2.1/input-reaches-worker-run 2.1/input-reaches-worker-runsync
input-integers-of-32-bits | integers in input are truncated to 32 bits
  | 2.1/input-nested-unchanged 2.1/input-reaches-worker-run 2.1/input-reaches-worker-runsync
input-fractions-cut | numbers in input lose their fractions
  | 2.1/input-nested-unchanged 2.1/input-reaches-worker-run 2.1/input-reaches-worker-runsync
input-keys-lower-case | keys in input reach the handler in lower case
  | 2.1/input-nested-unchanged 2.1/input-reaches-worker-run 2.1/input-reaches-worker-runsync
input-deep-refused | an input nested more than ten levels deep is refused
  | 2.1/input-content-not-validated 2.1/input-object-accepted-run 2.1/input-object-accepted-runsync
input-of-many-members-refused | an input of more than 100 members is refused
  | 2.1/input-content-not-validated 2.1/input-object-accepted-run 2.1/input-object-accepted-runsync
input-with-id-refused | an input with a member \`id\` is refused
  | 2.1/input-content-not-interpreted 2.1/input-content-not-validated 2.1/input-object-accepted-run 2.1/input-object-accepted-runsync
    2.4/id-assigned-by-service
low-priority-true-refused | a policy with lowPriority true is refused
  | 2.2/low-priority-accepted-true 2.1/policy-accepted-run 2.1/policy-accepted-runsync
low-priority-false-refused | a policy with lowPriority false is refused
  | 2.2/low-priority-accepted-false 2.1/policy-accepted-run 2.1/policy-accepted-runsync
timeout-max-refused | an executionTimeout of exactly 7 days is refused
  | 2.2/execution-timeout-max-accepted 2.2/execution-timeout-accepted 2.1/policy-accepted-run 2.1/policy-accepted-runsync
timeout-above-a-day-refused | an executionTimeout above 24 hours is refused
  | 2.2/execution-timeout-accepted 2.2/execution-timeout-max-accepted 2.2/outlives-default 2.1/policy-accepted-run
    2.1/policy-accepted-runsync
timeout-below-ten-seconds-refused | an executionTimeout below 10 s is refused
  | 2.2/execution-timeout-min-accepted 2.2/execution-timeout-accepted 2.1/policy-accepted-run 2.1/policy-accepted-runsync
ttl-above-a-day-refused | a ttl above 24 hours is refused
  | 2.2/ttl-accepted 2.2/ttl-max-accepted 2.1/policy-accepted-run 2.1/policy-accepted-runsync
ttl-below-a-minute-refused | a ttl below 1 minute is refused
  | 2.2/ttl-min-accepted 2.2/ttl-accepted 2.1/policy-accepted-run 2.1/policy-accepted-runsync
s3-amazon-only | an endpointUrl on a host other than amazonaws.com is refused
  | 2.3/any-provider-accepted 2.1/s3config-accepted-run 2.1/s3config-accepted-runsync
s3-endpoint-url-withheld | s3Config reaches the worker without its endpointUrl
  | 2.3/endpoint-url-reaches-worker 2.3/passed-along-run 2.3/passed-along-runsync
s3-config-not-for-runsync | the s3Config of a /runsync job does not reach the worker | 2.3/passed-along-runsync
input-of-the-last-submission | a job runs with the input that was submitted last | 2.1/input-not-mixed-between-jobs 2.4/output-of-this-job
input-of-the-retry-before | a retried job runs with the input of the job that was retried before it
  | 2.1/input-not-mixed-between-jobs 4.6/keeps-input
s3-config-of-the-last-submission | every job with an s3Config gets the one submitted last | 2.3/not-mixed-between-jobs
timeout-of-the-submission-before | a job gets the executionTimeout of the submission before it
  | 2.2/execution-timeout-this-job-only 2.2/execution-timeout-not-early 2.2/execution-timeout-stops-run 2.2/execution-timeout-stops-runsync
s3-url-slash-added | endpointUrl reaches the worker with a slash at its end
  | 2.3/endpoint-url-reaches-worker 2.3/passed-along-run 2.3/passed-along-runsync
s3-storage-called | the service itself calls the storage of a job when the job starts | 2.3/service-does-not-use-it

# Advice: what makes no endpoint wrong
delay-time-not-in-queue | the record of a waiting job holds no delayTime | 2.4/times-in-every-state
execution-time-at-the-end-only | the record of a running job holds no executionTime | 2.4/times-in-every-state
times-lost-by-a-retry | a retried job that waits or runs shows no times | 2.4/times-in-every-state
status-ttl-of-the-example-refused | /status refuses the ttl of the document’s own example (6000) | 4.3/ttl-of-the-example
status-ttl-of-the-example-raised | /status raises a ttl below 10 s to 10 s | 4.3/ttl-of-the-example
status-ttl-of-the-example-ignored | /status ignores a ttl below 10 s | 4.3/ttl-of-the-example
output-over-two-megabytes-dropped | a job that returns more than 2 MB is COMPLETED, but its output is lost | 2.4/large-output-whole
output-over-two-megabytes-fails | a job that returns more than 2 MB is FAILED | 2.4/large-output-whole
retry-while-retried-runs-again | /retry of a job that was already retried and has not ended makes it run again
  | 4.6/retries-at-once-requeue-once 4.6/no-effect-in-queue 4.6/no-effect-in-progress 4.6/retried-job-runs
retry-deducts-earlier-runs | what earlier runs took is missing from the executionTimeout of the run after a retry
  | 4.6/whole-execution-timeout
s3-config-in-record | the record of a job holds its s3Config | 2.3/secret-not-shown
policy-fractions-rounded | fractional numbers in policy are accepted and rounded | 2.2/ttl-integer 2.2/execution-timeout-integer
policy-numbers-as-text-taken | numbers in policy may be written as strings | 2.2/ttl-integer 2.2/execution-timeout-integer

# Contents of answers
state-of-runsync-capitalized | /runsync writes states as Completed and Failed | 2.4/status-known-runsync
run-answers-queued | /run answers QUEUED | 2.4/status-known-run 4.2/status-in-queue
retry-answers-requeued | /retry answers REQUEUED | 2.4/status-known-retry 4.6/status-in-queue
cancel-without-id | /cancel answers with the status only | 2.4/id-in-cancel
retry-without-id | /retry answers with the status only | 2.4/id-in-retry
retry-without-status | /retry answers with the id only | 2.4/status-in-retry
run-without-status | /run answers with the id only | 2.4/status-in-run
status-without-id | /status leaves the id out | 2.4/id-in-status
runsync-without-id | /runsync leaves the id out when the job is COMPLETED | 2.4/id-in-runsync 4.1/complete-result-in-one-answer
id-upper-case-in-cancel | /cancel answers the id in upper case | 2.4/id-matches-cancel
times-of-failed-missing | the record of a failed job holds no times | 2.4/delay-time-in-failed 2.4/execution-time-in-failed
times-of-timed-out-missing | the record of a timed-out job holds no times | 2.4/delay-time-in-failed 2.4/execution-time-in-failed
times-of-cancelled-missing | the record of a job cancelled while it ran holds no times
  | 2.4/delay-time-in-failed 2.4/execution-time-in-failed
times-of-failed-missing-in-runsync | the record of a failed job that /runsync answers holds no times
  | 2.4/delay-time-in-failed 2.4/execution-time-in-failed
output-empty-left-out | an output of {} or [] is left out
  | 2.4/output-in-status 2.4/output-in-runsync 2.4/output-object-unchanged 2.4/output-array-unchanged
output-falsy-left-out | an output of 0, false or "" is left out | 2.4/output-scalar-unchanged 2.4/output-in-status 2.4/output-in-runsync
output-nulls-lost | members of output whose value is null are lost | 2.4/output-object-unchanged 2.4/output-array-unchanged
output-above-64k-lost | an output of more than 64 kB is lost | 2.4/output-object-unchanged 2.4/output-in-status
delay-time-zero-left-out | a delayTime of 0 is left out
  | 2.4/delay-time-in-status 2.4/delay-time-in-runsync 4.1/complete-result-in-one-answer
execution-time-zero-left-out | an executionTime of 0 is left out
  | 2.4/execution-time-in-status 2.4/execution-time-in-runsync 4.1/complete-result-in-one-answer
removed-zero-left-out | a purge that removes nothing answers without \`removed\`
  | 2.6/removed-integer 4.7/empty-queue-removes-nothing 4.7/second-purge-removes-nothing
health-zeros-left-out | the health record leaves out counts that are 0
  | 2.7/jobs-completed 2.7/jobs-failed 2.7/jobs-in-progress 2.7/jobs-in-queue 2.7/jobs-retried 2.7/workers-idle 2.7/workers-running
stream-no-body-when-empty | /stream without new chunks answers without a body | 1/json-body-stream 4.4/answer-is-array
metrics-nested | the metrics of a chunk hold nested objects | 2.5/metrics-values
unauthorized-shows-reason-in-html | a 401 answer is an HTML page | 1/json-error-content-type-401
too-many-as-text | a 429 answer is plain text | 1/json-error-content-type-429

# Lifespans
waiting-shown-in-progress | /status shows waiting jobs as IN_PROGRESS
  | 3/submission-starts-in-queue 4.3/shows-current-state 1/waits-when-no-worker-free 1/no-more-jobs-in-progress-than-workers
error-lost-for-runsync | a handler error leaves a /runsync job IN_PROGRESS | 3/handler-error-fails-runsync
failed-forgotten-at-once | a job is deleted as soon as it has failed
  | 3/failed-stays 3/handler-error-fails-run 3/handler-error-fails-runsync 3/retry-requeues-failed
retention-from-start | retention counts from the start of execution
  | 4.2/retention-from-completion 4.1/retention-from-completion 4.2/retention-kept 4.1/retention-kept
retention-of-first-end | retention of a retried job counts from its first end
  | 4.2/retention-after-retry 4.1/retention-after-retry 4.2/retention-kept 4.1/retention-kept
retention-outlives-retry | retention of the first result deletes the retried job
  | 4.6/retried-job-not-expired 4.2/retention-after-retry 4.1/retention-after-retry 4.6/retried-job-runs
retention-sync-like-run-after-a-minute-wait | a /runsync result is kept for 30 minutes when \`wait\` was above one minute
  | 4.1/retention-with-wait-gone
retention-from-the-end-of-wait | a /runsync result is kept for one minute from the call, not from the end of the job
  | 4.1/retention-from-completion 4.1/retention-kept
ttl-gone-after-retry | a retried job has no ttl | 2.2/ttl-removes-retried
ttl-spares-failed | ttl does not delete failed jobs | 2.2/ttl-removes-failed
ttl-spares-timed-out | ttl does not delete timed-out jobs | 2.2/ttl-removes-timed-out
ttl-after-its-wait | the ttl of a /runsync job counts from the answer to its call | 2.2/ttl-removes-runsync 2.2/ttl-starts-at-submission
ttl-raised-to-timeout | a ttl below executionTimeout is raised to executionTimeout
  | 2.2/ttl-ends-before-execution-timeout 2.2/ttl-removes-running 2.2/ttl-removes-queued
timeout-lowered-to-default | an executionTimeout above ten minutes is cut to ten minutes
  | 2.2/execution-timeout-long-run 2.2/execution-timeout-not-early 2.2/outlives-default
timeout-not-for-low-priority | executionTimeout is not enforced for jobs with lowPriority
  | 2.2/execution-timeout-stops-run 2.2/execution-timeout-stops-runsync 2.2/execution-timeout-default-enforced
timeout-of-low-priority-from-submission | executionTimeout of a job with lowPriority counts from its submission
  | 2.2/execution-timeout-not-in-queue 2.2/execution-timeout-full-after-queue 2.2/execution-timeout-not-early
ttl-of-low-priority-halved | a job with lowPriority is deleted after half its ttl
  | 2.2/ttl-not-early-completed 2.2/ttl-not-early-queued 2.2/ttl-not-early-running
retention-of-low-priority-like-sync | results of /run jobs with lowPriority are kept for 1 minute | 4.2/retention-kept
retry-not-of-low-priority | /retry refuses jobs with lowPriority | 3/retry-requeues-timed-out 3/retry-requeues-failed
timeout-is-ttl | the ttl is enforced as executionTimeout, and executionTimeout is ignored
  | 2.2/execution-timeout-not-early 2.2/ttl-removes-running
status-ttl-only-first | only the first \`ttl\` given to /status has an effect | 4.3/ttl-shortens-life 4.3/ttl-lengthens-life
status-ttl-never-lengthens | \`ttl\` of /status can only shorten the life of a job | 4.3/ttl-lengthens-life 4.3/ttl-not-at-once
status-ttl-never-shortens | \`ttl\` of /status can only lengthen the life of a job | 4.3/ttl-shortens-life
status-ttl-not-while-waiting | \`ttl\` of /status has no effect on waiting jobs | 4.3/ttl-shortens-life 4.3/ttl-lengthens-life
status-ttl-not-while-running | \`ttl\` of /status has no effect on running jobs | 4.3/ttl-shortens-life 4.3/ttl-lengthens-life
status-ttl-for-later-jobs | \`ttl\` of /status also applies to all jobs submitted later
  | 4.3/ttl-this-job-only 2.2/ttl-default-not-early 2.2/ttl-this-job-only

# The life-cycle of a job
cancel-not-of-runsync | /cancel refuses jobs submitted by /runsync | 4.5/cancels-runsync-job
cancel-not-after-retry | /cancel refuses jobs that were retried | 4.5/cancels-retried-job
cancel-feigned-while-running | /cancel of a running job answers CANCELLED, but has no effect
  | 3/cancel-running 3/cancelled-never-completes 3/cancelled-stays
cancel-feigned-while-waiting | /cancel of a waiting job answers CANCELLED, but has no effect
  | 3/cancel-queued 3/cancelled-never-starts 3/cancelled-stays 3/cancelled-leaves-queue
retry-not-of-runsync | /retry refuses jobs submitted by /runsync | 4.6/retries-runsync-job
retry-not-of-crashed | /retry refuses jobs whose worker died | 3/retry-requeues-failed
retry-feigned-while-running | /retry of a running job answers IN_QUEUE, but has no effect | 4.6/refused-in-progress
retry-feigned-after-cancel | /retry of a cancelled job answers IN_QUEUE, but has no effect | 4.6/refused-for-cancelled
retry-of-failed-feigned | /retry of a failed job answers IN_QUEUE, but has no effect
  | 3/retry-requeues-failed 4.6/retried-job-runs 3/failed-stays 1/every-job-is-processed
execution-time-from-submission-after-retry | the executionTime of a retried job counts from its submission
  | 2.4/execution-time-excludes-waiting 2.4/execution-time-measures-run
execution-time-of-earlier-runs | the executionTime of a retried job leaves out its last run | 2.4/execution-time-measures-run
wait-shared | later calls without \`wait\` use the last \`wait\` given
  | 4.1/wait-per-call 4.1/wait-default-not-early 4.1/wait-default-answers
wait-default-none | /runsync without \`wait\` does not wait | 4.1/wait-default-not-early 4.1/wait-optional 4.1/wait-answers-on-completion
wait-at-most-default | a \`wait\` above one minute is cut to one minute
  | 4.1/wait-max-honoured 4.1/wait-not-early 4.1/wait-default-not-early
wait-fails-job | a job becomes FAILED when the \`wait\` of its call ends first
  | 4.1/wait-leaves-job-alive 3/not-completed-before-handler-ends
delay-time-missing-after-retry | the record of a retried job holds no delayTime | 2.4/delay-time-in-status
purge-spares-low-priority | /purge-queue does not remove waiting jobs with lowPriority
  | 4.7/removes-waiting-low-priority 4.7/removes-all-waiting 4.7/purged-jobs-never-run
purge-spares-with-webhook | /purge-queue does not remove waiting jobs with a webhook | 4.7/removes-all-waiting 4.7/purged-jobs-never-run
purge-removes-failed | /purge-queue also removes failed jobs | 4.7/keeps-finished 2.6/removed-counts-queued
purge-removes-cancelled | /purge-queue also removes and counts cancelled jobs
  | 3/cancelled-leaves-queue 2.6/removed-counts-queued 4.7/empty-queue-removes-nothing
purge-closes-queue | no job starts after /purge-queue | 4.7/later-jobs-unaffected 1/free-worker-takes-job 1/every-job-is-processed

# Counts of /health
health-progress-leaks-on-cancel | jobs cancelled while running still count in jobs.inProgress | 4.8/counts-in-progress
health-progress-leaks-on-timeout | timed-out jobs still count in jobs.inProgress | 4.8/counts-in-progress
health-progress-leaks-on-failure | failed jobs still count in jobs.inProgress | 4.8/counts-in-progress
health-progress-leaks-on-ttl | jobs deleted while running still count in jobs.inProgress | 4.8/counts-in-progress
health-queue-leaks-on-removal | jobs cancelled, purged or deleted while waiting still count in jobs.inQueue
  | 4.8/counts-in-queue 3/cancelled-leaves-queue 2.2/ttl-expired-leaves-queue
health-queue-leaks-purged-low | purged jobs with lowPriority still count in jobs.inQueue | 4.8/counts-in-queue
health-queue-counts-cancelled | cancelled jobs still count in jobs.inQueue | 4.8/counts-in-queue 3/cancelled-leaves-queue
health-queue-misses-retried | waiting retried jobs are not counted in jobs.inQueue | 4.8/counts-in-queue
health-queue-misses-low | jobs.inQueue is one too low | 4.8/counts-in-queue
health-completed-with-timed-out | jobs.completed also counts timed-out jobs | 4.8/completed-counts-nothing-else
health-completed-with-removed | jobs.completed counts every job that neither waits nor runs | 4.8/completed-counts-nothing-else
health-completed-at-start | jobs.completed counts a job when it starts | 4.8/completed-counts-nothing-else 4.8/counts-completed
health-workers-swapped | workers.idle and workers.running are swapped | 4.8/counts-workers-idle 4.8/counts-workers-running
health-running-with-waiting | workers.running also counts waiting jobs | 4.8/counts-workers-running
health-idle-less-waiting | workers.idle is reduced by each waiting job, also below zero | 2.7/workers-idle 4.8/counts-workers-idle
health-as-of-before | /health returns the record of the previous call | 4.8/counts-in-queue 4.8/counts-in-progress 4.8/counts-completed

# Streams
stream-loses-first | the first chunk is never delivered | 4.4/chunks-not-lost 4.4/chunks-while-running 4.4/chunks-after-end
stream-newest-only | /stream delivers only the newest chunk | 4.4/chunks-not-lost 4.4/chunks-while-running 4.4/chunks-after-end
stream-keeps-hundred | only 100 chunks of a job are kept | 4.4/chunks-not-lost 4.4/chunks-after-end 4.4/chunks-while-running
stream-not-of-runsync | the stream of a /runsync job is empty | 4.4/chunks-not-lost 4.4/chunks-after-end
stream-of-failed-empty | /stream delivers no chunks of a failed job | 4.4/chunks-after-end 4.4/chunks-not-lost
stream-of-timed-out-empty | /stream delivers no chunks of a timed-out job | 4.4/chunks-after-end 4.4/chunks-not-lost
retry-keeps-stream-position | after /retry the read position of the stream is kept, so that chunks are skipped
  | 4.4/chunks-not-lost 4.4/chunks-after-end 4.4/chunks-while-running
metrics-as-text | the numbers in the metrics of a chunk are written as strings | 2.5/metrics-unchanged
stream-falsy-as-null | results of 0, false or "" are delivered as null | 2.5/chunk-output-unchanged
stream-split-loses-character | each piece of a split result lacks its last character
  | 4.4/large-output-rejoins 4.4/chunks-not-lost 2.5/chunk-output-unchanged
stream-large-cut | a result above 1 MB is cut off at 1 MB | 4.4/large-output-split 4.4/large-output-rejoins 4.4/chunks-not-lost
stream-chunk-two-megabytes | chunks have up to 2 MB | 4.4/chunk-size 4.4/large-output-split
stream-metrics-not-split | a result with metrics is not split | 4.4/chunk-size
stream-only-new-to-nobody | /status consumes the chunks produced so far | 4.4/chunks-not-lost 4.4/chunks-after-end 4.4/chunks-while-running

# Webhooks
webhook-{400,401,403,404,410,422,429,500,501,502,503,504}-is-final | an answer * ends the calls
  | 6/retries-after-error-status 6/three-attempts
webhook-pause-nine | the second attempt follows after 9 s | 6/pause-not-shorter
webhook-pause-twenty | the second attempt follows after 20 s | 6/pause-not-longer
webhook-pause-doubles | the second pause is 20 s | 6/pause-not-longer
webhook-pause-once | the third attempt follows the second immediately | 6/pause-not-shorter
webhook-pause-from-first | both pauses count from the first attempt | 6/pause-not-shorter
webhook-of-first-run-only | the webhook is called for a job that completes at once, not for one that completes after a retry
  | 6/called-on-completion-run 6/called-on-completion-runsync
webhook-for-purged | the webhook is called for a purged job | 6/no-call-for-removed
webhook-completes-removed | the webhook of a deleted job is called with a record that says COMPLETED | 6/no-completion-told-of-removed
webhook-at-retention-end | the webhook is called again when the result expires | 6/stops-after-200 6/at-most-three-attempts
webhook-once-per-address | a URL called for one job is not called for later jobs | 6/called-on-completion-run 6/called-on-completion-runsync
webhook-query-encoded-twice | percent signs in the webhook URL are encoded again | 6/called-at-given-url
webhook-query-decoded | the query of the webhook URL is decoded | 6/called-at-given-url
webhook-path-lower-case | the webhook URL is called in lower case
  | 6/called-at-given-url 6/called-on-completion-run 6/called-on-completion-runsync 6/each-job-its-own-url
webhook-slash-added | a slash is added to the path of the webhook URL
  | 6/called-at-given-url 6/called-on-completion-run 6/called-on-completion-runsync 6/each-job-its-own-url

# Keys and rates
{runsync,run,stream,cancel,retry}-needs-no-key | /* needs no key
  | 5/missing-key-* 5/wrong-key-* 5/empty-key 5/key-compared-whole 5/other-scheme
any-scheme | the key is accepted after any authorization scheme | 5/other-scheme
key-length-compared | any key of the right length is accepted | 5/wrong-key-run 5/wrong-key-status 5/key-compared-whole
key-beginning-compared | only the first eight characters of the key are compared | 5/key-compared-whole
unauthorized-runsync-creates | a /runsync call answered with 401 creates a job | 5/unauthorized-submission-creates-nothing-runsync
refused-cancel-works | a /cancel call answered with 429 cancels the job | 8/refused-call-has-no-effect
refused-runsync-creates | a /runsync call answered with 429 creates a job | 8/refused-call-has-no-effect
rate-{runsync,run,status,stream,openai,requests}-half | /* accepts only half the requests | 8/rate-*-below
rate-{runsync,run,status,stream,cancel,purge-queue,openai,requests}-unlimited | /* accepts any number of requests
  | 8/rate-*-above
rate-{runsync,run,status,stream,cancel,requests}-one-too-few | /* refuses the last allowed request | 8/rate-*-below
rate-{runsync,status,stream}-window-of-60-s | requests of /* are counted over 60 s | 8/rate-*-recovers
rate-run-window-of-20-s | requests of /run are counted over 20 s | 8/rate-run-recovers
rate-cancel-window-of-5-s | requests of /cancel are counted over 5 s | 8/rate-cancel-above
rate-purge-queue-window-of-2-s | requests of /purge-queue are counted over 2 s | 8/rate-purge-queue-above
rate-health-as-purge | /health calls count against the rate limit of /purge-queue | 8/rate-per-operation 8/rate-purge-queue-below
rate-retry-as-cancel | /retry calls count against the rate limit of /cancel | 8/rate-per-operation 8/rate-cancel-below
rate-status-as-cancel | /status and /cancel share one rate limit | 8/rate-per-operation 8/rate-cancel-below
rate-stream-as-run | /stream and /run share one rate limit | 8/rate-per-operation 8/rate-run-below
rate-status-as-stream | /status and /stream share one rate limit | 8/rate-per-operation
rate-run-as-runsync | /run and /runsync share one rate limit | 8/rate-per-operation 8/rate-runsync-below
concurrency-counts-waiting-jobs | unfinished jobs of /run count as calls in flight | 8/concurrency-run-below
concurrency-runsync-like-run | /runsync allows only 200 calls in flight | 8/concurrency-runsync-below
queue-of-hundred | /run is answered with 429 once 100 jobs are waiting
  | 8/rate-run-below 8/concurrency-run-below 1/waits-when-no-worker-free

# Wrong in one sentence of a job’s life alone
ttl-early-when-completed | a completed job is deleted after two thirds of its ttl | 2.2/ttl-not-early-completed
ttl-early-in-queue | a waiting job is deleted after two thirds of its ttl | 2.2/ttl-not-early-queued
ttl-of-running-after-its-call | a ttl that ends while a /runsync job runs takes effect only once its call is answered
  | 2.2/ttl-removes-runsync 2.2/ttl-removes-running 4.1/wait-answers-on-ttl
ttl-given-not-in-queue | a given ttl does not delete waiting jobs; only the default does | 2.2/ttl-removes-queued 7/ttl-expired-status
retention-of-runsync-without-wait | a result of /runsync without \`wait\` is kept for ten minutes
  | 4.1/retention-gone 7/result-expired-status
cancelled-starts-unseen | a waiting job that was cancelled shows CANCELLED, but runs when a worker becomes free | 3/cancelled-never-starts
cancelled-after-its-end-for-one-read | after /cancel of a completed job the next /status shows CANCELLED, later ones COMPLETED
  | 3/cancelled-stays
timed-out-forgotten-when-read | a timed-out job is deleted once /status has shown it | 3/timed-out-stays 4.3/reading-does-not-consume
retry-shows-completed-waiting | /retry of a completed job answers IN_QUEUE, and the job then shows as waiting
  | 4.6/no-effect-on-completed 4.6/refused-for-completed
retry-shows-running-waiting | /retry of a running job answers IN_QUEUE, and the job shows as waiting while it runs
  | 4.6/no-effect-in-progress 4.6/refused-in-progress
purged-run-later | /purge-queue only hides the waiting jobs of /run; they run when a worker becomes free | 4.7/purged-jobs-never-run
looked-at-often-shown-cancelled | from the fourth call on, /status shows a running job with the default executionTimeout as CANCELLED
  | 4.3/shows-current-state 3/start-moves-to-in-progress
expired-job-cancelled-once-more | for one second after the ttl, /cancel still accepts a job that /status no longer finds
  | 7/ttl-expired-cancel 4.3/shows-current-state
expired-job-retried-once-more | for one second after the ttl, /retry still accepts a job that /status no longer finds
  | 4.6/expired-by-ttl-not-retried 7/ttl-expired-retry 4.3/shows-current-state
expired-result-cancelled-once-more | /status forgets a result of /runsync with \`wait\` after one minute, /cancel after five
  | 7/result-expired-cancel 4.3/shows-current-state
expired-failure-retried-once-more | /retry of a failed job that /status no longer finds answers IN_QUEUE, but has no effect
  | 4.6/expired-result-not-retried 7/result-expired-retry 7/result-expired-run-retry 4.3/shows-current-state
expired-result-found-now-and-then | from minute 2 to 5, every second /status does not find a result of /runsync with \`wait\`
  | 7/result-expired-status 4.3/shows-current-state

# Now and then
now-and-then-job-lost | /status does not find every seventh job
  | 3/submission-creates-job-run 3/submission-creates-job-runsync 2.2/ttl-default-not-early 2.2/ttl-not-early-running
    2.2/ttl-not-early-completed 2.2/ttl-not-early-queued 3/failed-stays 4.1/retention-kept 4.2/retention-kept
    4.1/wait-does-not-shorten-retention
now-and-then-success-fails | every fifth job that succeeds becomes FAILED
  | 3/success-completes-run 3/success-completes-runsync 2.2/execution-timeout-not-early 2.2/execution-timeout-default-not-early
    3/completed-stays 4.8/counts-completed 4.8/failed-not-completed
now-and-then-end-unnoticed | the end of every fifth run is not noticed
  | 3/success-completes-run 3/success-completes-runsync 3/handler-error-fails-run 3/handler-error-fails-runsync 3/worker-crash-fails
now-and-then-worker-lost | every fourth time, a worker is not freed at the end of its job
  | 1/freed-worker-takes-waiting-job 1/every-job-is-processed 1/free-worker-takes-job 3/cancel-frees-worker 2.2/ttl-frees-worker
    2.2/execution-timeout-frees-worker
now-and-then-stale-status | every fourth /status shows the state of the call before
  | 4.3/shows-current-state 3/start-moves-to-in-progress 3/success-completes-run 3/no-return-to-queue 3/completed-stays
now-and-then-goes-back | every fourth /status of a running job answers IN_QUEUE
  | 3/no-return-to-queue 3/start-moves-to-in-progress 4.3/shows-current-state 1/free-worker-takes-job
now-and-then-not-found | every eighth /status answers 404 for a job that exists
  | 3/submission-creates-job-run 3/submission-creates-job-runsync 4.3/reading-does-not-consume 2.2/ttl-not-early-running
    2.2/ttl-not-early-queued 4.2/retention-kept
now-and-then-output-of-another | every sixth job shows the output of the job that ended before it
  | 2.4/output-of-this-job 2.4/output-object-unchanged 2.4/output-array-unchanged 2.1/input-reaches-worker-run
now-and-then-input-of-another | every sixth job runs with the input of the job before it
  | 2.1/input-reaches-worker-run 2.1/input-reaches-worker-runsync 2.4/output-of-this-job 3/success-completes-run
now-and-then-ttl-ignored | the ttl of every third job is ignored
  | 2.2/ttl-removes-queued 2.2/ttl-removes-running 2.2/ttl-removes-completed 2.2/ttl-removes-failed 2.2/ttl-removes-runsync
now-and-then-timeout-ignored | the executionTimeout of every third job is ignored
  | 2.2/execution-timeout-stops-run 2.2/execution-timeout-stops-runsync
now-and-then-cancel-feigned | every third /cancel answers CANCELLED, but has no effect
  | 3/cancel-running 3/cancel-queued 3/cancelled-stays 3/cancelled-never-starts 3/cancelled-never-completes
now-and-then-purge-spares | /purge-queue does not remove every third waiting job
  | 4.7/removes-all-waiting 4.7/purged-jobs-never-run 4.7/removes-waiting-runsync 4.7/second-purge-removes-nothing
now-and-then-webhook-forgotten | the webhook of every third job is not called | 6/called-on-completion-run 6/called-on-completion-runsync
now-and-then-webhook-not-repeated | every third failing webhook is called only once
  | 6/three-attempts 6/retries-after-error-status 6/retries-after-dropped-connection 6/retries-after-silence
now-and-then-chunk-lost | every ninth chunk of an endpoint is not delivered
  | 4.4/chunks-not-lost 4.4/chunks-after-end 4.4/chunks-while-running 2.5/chunk-output-unchanged 2.5/chunk-has-output
now-and-then-chunk-repeated | every ninth chunk is delivered twice
  | 4.4/chunks-not-duplicated 4.4/chunks-not-invented 4.4/large-output-rejoins
now-and-then-500 | every fortieth /status is answered with 500 | 7/no-500-in-normal-use 4/operation-status
now-and-then-removed-one-too-many | every second \`removed\` is one too high
  | 2.6/removed-counts-queued 4.7/empty-queue-removes-nothing 4.7/second-purge-removes-nothing
now-and-then-id-given-twice | every ninth job gets the id of the job before it | 2.4/id-unique
now-and-then-retry-with-empty-input | every second retried job runs with an empty input
  | 4.6/keeps-input 4.6/retried-job-runs 4.6/keeps-policy
now-and-then-second-run | every sixth job that succeeds runs again
  | 1/job-processed-once 3/no-return-to-queue 3/success-completes-run 3/success-completes-runsync
`);
