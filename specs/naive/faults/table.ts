/**
 * Wrongs that the naive server can do. Under each sentence of the document, with its section, those that break it: `id | what the server
 * does instead`, or ids alone, of wrongs that the core can do as well: `src/mutants/wrongs.ts` says what these are. The hooks of each are
 * in a file of this folder. `contested` says why a lenient reader could call it legal, where the sentence leaves a doubt; `legal`, where
 * an answer to an open question makes it legal, so that nothing may fail it: the question and its answer in `src/spec/questions/`, or why
 * it is none.
 */
export const TABLE = `
# 1 | When a worker is free, the worker's handler processes the job.
freed-worker-stays-idle one-job-at-a-time
job-runs-twice | a finished job is run a second time
worker-lost-after-failure | a worker whose handler failed takes no more jobs
dead-worker-not-replaced timeout-keeps-worker
worker-lost-after-cancel | a worker whose job was cancelled takes no more jobs
ttl-keeps-worker
worker-sleeps-on-after-cancel | a worker whose job was cancelled is free when its handler wakes up
worker-sleeps-on-after-timeout | a worker whose job has overrun is free when its handler wakes up
worker-sleeps-on-after-ttl | a worker whose job was deleted by its ttl is free when its handler wakes up
worker-doubled-after-cancel | cancelling a running job frees its worker twice
input-of-the-last-submission
two-idle-workers-take-one-job | a job that finds two workers free is run by both
redelivered-after-thirty-seconds | a job still running after 30 s is given to a worker once more
stale-head-stops-dispatch | a free worker that finds an expired entry in the queue looks no further
cancelled-head-stops-dispatch | a free worker that finds a cancelled entry in the queue looks no further
worker-retires-after-twenty-jobs | a worker is not replaced that has retired after twenty jobs
workers-shared-by-endpoints | a job running on one endpoint takes a worker from all others
result-cached-by-input | a job with the input of a completed one is not run, but given its output
execution-timeout-timer-shared | there is one execution timer: a job that starts takes it from the one running
dispatch-in-batches | jobs are started together, the next ones when all of them have ended
worker-chosen-at-submission | a job waits for the worker it was given at submission
retry-waits-for-first-worker | a retried job waits for the worker that ran it first
submissions-at-once-overwritten | of submissions that overlap the last to end is queued
retry-second-delayed | a second retry waits ten seconds, though a worker is free
redelivered-after-an-hour | a job still running after an hour is given to a worker once more
failure-pauses-queue | after a failure no job is started for thirty seconds
queue-stops-after-five-failures | after five failures in a row no job is started any more
queue-stops-after-three-crashes | after three crashes no job is started any more
purge-holds-queue-ten-seconds | after a purge no job is started for ten seconds

# 1 | When no worker is free, the job waits in a queue.
queue-of-one | a job that arrives while another waits is dropped: its id is unknown from then on
queue-refuses-when-busy | no worker free: 429 instead of a place in the queue
one-worker-too-many | one job more than there are workers runs at the same time
queue-of-three-hundred | a job that finds 300 waiting is answered with 429
queue-of-fifty-drops-oldest | of more than fifty waiting jobs the oldest is dropped
queue-of-three-drops-oldest | of more than three waiting jobs the oldest is dropped
id-by-count | ids count the jobs that exist: after a deletion one is given twice
first-job-after-idle-lost | a job submitted after ten minutes without any is lost
workers-sleep-after-idle | workers that were idle for an hour do not wake up any more
resize-does-not-wake | jobs that wait when workers are added are taken at the next submission
start-race | two submissions at once are given to one worker
runsync-runs-beside | jobs of /runsync start though no worker is free

# 1 | \`<endpoint_id>\` is a string identifying the endpoint.
endpoints-share-jobs | a job of one endpoint can be read and changed through another
purge-everywhere
health-of-all-endpoints | /health adds up all endpoints
purge-by-beginning-of-endpoint | /purge-queue empties endpoints, too, whose ids begin with this one
health-by-beginning-of-endpoint | /health counts endpoints, too, whose ids begin with this one

# 1 | bodies are JSON (\`content-type: application/json\`)
charset-refused | a content type that names a charset is refused
  legal: 1/request-content-type-other=refused-415
errors-in-words | the body of a refusal is a sentence

# 2.1 | | \`input\` | JSON object | yes |
input-optional input-array
input-empty-array-as-object | [] passes as input {}
input-string-accepted | a string passes as input
input-null-accepted | null passes as input
input-empty-refused
body-array-is-500 | a body that is no object crashes the handler of the call
runsync-input-unchecked | /runsync takes whatever stands for input, and {} where nothing does

# 2.1 | | \`webhook\` | string (URL) | no |
webhook-wrong-type-accepted | webhook: 42 is accepted
  contested: which malformed fields must be refused is not listed
webhook-required | a submission without webhook is refused

# 2.1 | | \`policy\` | object | no | Execution policy (2.2). |
policy-wrong-type-accepted | policy: "fast" is accepted and ignored
  contested: which malformed fields must be refused is not listed
policy-ignored | the whole policy is ignored
policy-required | a submission without policy is refused
policy-array-accepted | policy: [] is accepted
policy-falsy-accepted | policy: "", 0 and false are taken as absent
s3-array-accepted | s3Config: [] is accepted
s3-falsy-accepted | s3Config: "", 0 and false are taken as absent
webhook-falsy-accepted | webhook: 0 and false are taken as absent
low-priority-number-accepted | lowPriority: 1 and 0 are accepted

# 2.1 | Parameters for the worker's handler. Its content is defined by the worker, not by the service.
input-loses-nulls
input-numbers-as-strings | numbers inside objects reach the worker as strings
input-trimmed | strings reach the worker without their leading and trailing blanks
input-unicode-mangled | characters outside latin-1 reach the worker as question marks
input-empty-arrays-dropped | empty arrays do not reach the worker

# 2.1 | Parameters for the worker's handler.
input-nul-lost | the character U+0000 does not reach the worker
input-line-breaks-unified | CR LF reaches the worker as LF
input-unicode-normalised | composed and decomposed characters reach the worker in one form
input-dates-reformatted | strings that look like dates reach the worker in another form
input-html-escaped | & and < reach the worker as &amp; and &lt;
input-proto-lost | members named __proto__ do not reach the worker
input-dotted-keys-nested | {"a.b": 1} reaches the worker as {"a": {"b": 1}}

# 2.1 | Parameters for the worker's handler. Its content is defined by the worker
input-numeric-texts-as-numbers | "42" reaches the worker as 42
input-boolean-texts-as-booleans | "true" reaches the worker as true
input-floats-of-32-bits | fractions reach the worker with seven digits
input-astral-lost | characters beyond U+FFFF reach the worker as question marks
input-empty-key-lost | a member whose name is empty does not reach the worker
input-dollar-keys-lost | members whose name begins with $ do not reach the worker
input-dollar-keys-of-input-refused | an input is refused of which a member itself has a name that begins with $
input-dotted-keys-of-input-refused | an input is refused of which a member itself has a name that holds a dot
input-dots-replaced | dots in names reach the worker as _
input-dollars-replaced | $ at the beginning of names reaches the worker as another sign
input-dollar-keys-fail-job | a job whose input has a name that begins with $ or holds a dot is FAILED
input-keys-snake-case | camelCase names reach the worker as snake_case
input-singletons-unwrapped | an array of one member reaches the worker as that member
input-long-text-cut | a text of more than 65535 characters is cut there
input-empty-object-as-array | {} within input reaches the worker as []
input-large-numbers-as-texts | numbers above 2^53 reach the worker as texts
input-exponents-lost | numbers below a millionth reach the worker as 0
input-duplicates-removed | equal members of an array reach the worker once
input-tabs-as-blanks | tabs and line ends reach the worker as blanks
input-percent-decoded | %20 reaches the worker as a blank
input-plus-as-blank | + reaches the worker as a blank
input-zero-width-lost | characters without width do not reach the worker
input-backslashes-lost | backslashes do not reach the worker
input-quotes-doubled | single quotes reach the worker twice
input-tags-stripped | what stands between < and > does not reach the worker
input-numbers-of-14-digits | numbers reach the worker with 14 digits
input-long-arrays-cut | of an array the first hundred members reach the worker
input-array-nulls-lost | null within arrays does not reach the worker
input-keys-trimmed | names reach the worker without blanks around them
input-numbered-keys-as-array | {"0": X, "1": Y} reaches the worker as [X, Y]
input-underscore-keys-lost | members whose name begins with _ do not reach the worker
input-constructor-lost | members named constructor do not reach the worker
input-keys-merged-by-case | of members whose names differ in case alone one reaches the worker
input-empty-texts-as-null | empty texts reach the worker as null
input-placeholders-filled | \${name} within a text is filled in: with nothing
input-nested-over-thirty-refused | an input nested more than thirty levels deep is refused
input-with-webhook-added | the worker gets the webhook as a member of input
input-member-webhook-called | a member webhook of input is called where the submission has none
input-member-policy-used | a member policy of input counts where the submission has none
input-member-input-unwrapped | an input with a member input reaches the worker as that member
input-over-four-megabytes-fails | a job with an input over 4 MB is accepted and FAILED
runsync-input-over-sixteen-megabytes-fails | a job with an input over 16 MB is accepted and FAILED

# 2.2 | | \`executionTimeout\` | integer, milliseconds | 600000 (10 minutes) | min 5 seconds, max 7 days |
execution-timeout-default-one-minute | the default is one minute
execution-timeout-default-one-hour | the default is one hour
execution-timeout-default-none | without a policy nothing is enforced
timeout-below-min-taken
execution-timeout-max-not-enforced | values over 7 days are accepted and used
  legal: no job of this server outlives its ttl, and that is 7 days at most
timeout-below-ten-seconds-refused timeout-min-refused timeout-above-a-day-refused timeout-max-refused
execution-timeout-fraction-accepted | 5000.5 is accepted
  contested: which malformed fields must be refused is not listed
execution-timeout-string-accepted | "6000" is accepted
  contested: which malformed fields must be refused is not listed

# 2.2 | When true, the job does not trigger worker scaling.
low-priority-starves low-priority-true-refused
low-priority-string-accepted | lowPriority: "yes" is accepted
  contested: which malformed fields must be refused is not listed

# 2.2 | | \`ttl\` | integer, milliseconds | 86400000 (24 hours) | min 10 seconds, max 7 days |
ttl-default-one-hour | the default is one hour
ttl-default-seven-days | the default is seven days
ttl-default-none | without a policy a job never expires
ttl-below-min-taken ttl-above-max-taken ttl-below-a-minute-refused ttl-min-refused ttl-above-a-day-refused ttl-max-refused
ttl-string-accepted | "60000" is accepted
  contested: which malformed fields must be refused is not listed
ttl-negative-accepted | a negative ttl is accepted as the default
  legal: 2.2/ttl-not-positive=default-instead

# 2.2 | min 5 seconds, max 7 days
runsync-policy-unchecked | the limits of policy are not checked for /runsync; values are used as given
ttl-array-accepted | ttl: [60000] is accepted as 60000
execution-timeout-boolean-accepted | executionTimeout: true is taken as absent

# 2.2 | | \`policy\` | object | no | Execution policy (2.2). |
runsync-policy-ignored | the policy of a /runsync job has no effect

# 2.2 | | \`executionTimeout\` | integer, milliseconds | 600000 (10 minutes) |
execution-timeout-none-beside-ttl | a policy without executionTimeout means that nothing is enforced
runsync-execution-timeout-default-is-wait | without executionTimeout, a /runsync job is stopped after wait
execution-timeout-cut-to-seconds | what is beyond whole seconds is cut off
execution-timeout-cut-to-minutes | what is beyond whole minutes is cut off

# 2.2 | | \`ttl\` | integer, milliseconds | 86400000 (24 hours) |
ttl-none-beside-execution-timeout | a policy without ttl means that the job never expires
runsync-ttl-default-five-minutes | without ttl, a /runsync job is deleted after 5 minutes
runsync-ttl-default-one-hour | without ttl, a /runsync job is deleted after an hour
ttl-cut-to-seconds | what is beyond whole seconds is cut off
ttl-cut-to-minutes | what is beyond whole minutes is cut off

# 2.2 | Maximum time a job may run once a worker has picked it up.
timeout-not-enforced timeout-from-submission
execution-timeout-spans-queue-and-run | the time counts from the submission, whether the job waits or runs
execution-timeout-in-seconds | the value is taken as seconds
execution-timeout-halved | fires after half the time
execution-timeout-doubled | fires after twice the time
timeout-of-job-ignored
execution-timeout-deletes-job | a job that overruns is gone: 404
  legal: 3/timed-out-state=CANCELLED with 3/status-after-cancel=not-found
execution-timeout-completes | a job that overruns is COMPLETED
execution-timeout-cancels | a job that overruns is CANCELLED
  legal: 3/timed-out-state=CANCELLED
execution-timeout-overwritten | the handler runs on after the timeout, and its late result replaces the state
execution-timeout-restarts-on-chunk | every streamed chunk starts the timeout anew
execution-timeout-of-first-run | the first run's timer lives on and ends the retried run
execution-timeout-from-retry | after a retry the time in the queue counts
execution-timeout-restarts-on-read | every /status of a running job starts the timeout anew
overrun-one-per-instant | of the jobs that are due at one instant one is stopped
execution-timeout-looked-at-when-read | a job that overruns is stopped when it is read
execution-timeout-swept-each-minute | a sweep every minute stops the jobs that overrun
execution-timeout-first-worker-only | a job that starts while another runs is never stopped
overrun-after-retry-keeps-worker | a retried job that overruns keeps its worker
execution-timeout-not-when-waited | a job that had to wait in the queue is never stopped
execution-timeout-ends-with-wait | once the /runsync call is answered, nothing stops its job
overrun-shows-completed-chunks | a job that overran after it has streamed is COMPLETED
retry-without-timeout retry-deducts-earlier-runs
execution-timeout-capped-at-a-day | no executionTimeout above a day holds
overrun-flag-stays-on-job | a job that overran is stopped as soon as it runs again
status-ttl-clears-execution-timeout | a ttl given to /status takes the timer of the running job

# 2.2 | Only enforced during execution.
timeout-in-queue

# 2.2 | Overrides the endpoint's default setting for this job only.
timeout-shared

# 2.2 | The timer starts at submission and covers queue time, execution time and anything between.
ttl-ignored | ttl has no effect
ttl-from-start ttl-restarts-at-start
ttl-from-end | the timer starts when the job ends
ttl-in-seconds
ttl-halved | expires after half the time
ttl-doubled | expires after twice the time
ttl-restarts-on-read | every /status starts the timer anew
ttl-shared ttl-spares-runsync ttl-restarts-on-retry ttl-gone-after-retry

# 2.2 | When \`ttl\` expires, the job is deleted whatever its state.
ttl-not-in-queue
ttl-ignored-while-running | a running job does not expire, nor its result
ttl-ignored-when-completed | a completed job lives its retention
ttl-ignored-when-failed | a failed job lives its retention
ttl-spares-cancelled
ttl-expired-still-counted | an expired job still counts as waiting or running in /health
ttl-expired-still-runs | the expired job is forgotten but its entry in the queue still occupies a worker
ttl-marks-failed | a job whose ttl expires becomes FAILED instead of being deleted
ttl-timer-shared | there is one ttl timer: a later submission takes it from the earlier
ttl-restarts-on-stream | every /stream starts the ttl anew
ttl-ignored-for-low-priority | jobs with lowPriority do not expire by ttl
ttl-one-per-instant | of the jobs that are due at one instant one is deleted
ttl-swept-each-minute | a sweep every minute deletes what is due
ttl-sweep-at-most-ten | a sweep every second deletes at most ten jobs; of more, the others stay for good
ttl-in-queue-when-picked | a waiting job is deleted when a worker gets to it
ttl-ignored-after-cancel-of-running | cancelling a running job stops its ttl
ttl-ignored-after-second-failure | a job that has failed twice does not expire
ttl-after-retry-keeps-worker | a retried job deleted while it runs keeps its worker
ttl-ignored-when-streamed | a job that has streamed does not expire while it runs
ttl-ignored-beside-webhook | jobs with a webhook do not expire

# 2.2 | If it expires while the job runs, the job is removed at once
ttl-waits-for-the-run | a running job is removed when its run has ended
ttl-fails-when-the-run-ends | a running job is FAILED when its run has ended
ttl-handler-runs-on | the job is gone but its handler keeps the worker until it is done
ttl-of-running-drops-last | a running job that expires takes the last of the queue out as well

# 2.2 | later status checks return 404 even if the job would have completed
ttl-result-resurrects | the result reported after the expiry brings the job back
expired-is-410 | expired jobs answer 410
expired-is-200 | expired jobs answer 200 with status EXPIRED
expired-still-streams | /stream still answers for a deleted job
expired-still-cancels | /cancel still answers for a deleted job
runsync-waits-past-ttl | a waiting /runsync is not answered when the job expires, only when wait has elapsed
  legal: 4.1/ttl-during-wait=at-wait-end
ended-record-cached-past-expiry | the record of an ended job that was read is shown for good

# 2.3 | The service only passes this information along; the worker must contain the logic that uses it.
s3-config-dropped
s3-secret-masked | the worker gets accessSecret as ***
s3-renamed | the worker gets the members in snake_case
s3-config-lost-on-retry s3-config-not-for-runsync
s3-of-latest-job | workers get the s3Config of the job submitted last
s3-config-lingers s3-config-in-record
s3-in-cancel | the answer of /cancel shows the s3Config of the job
s3-in-webhook | the webhook is told the whole submission
s3-url-slash-added
s3-output-stored | the service itself puts the output of a job into its bucket
s3-bucket-looked-for | the service itself asks the storage for the bucket of a submission

# 2.3 | The service only passes this information along
s3-merged-with-previous | members that an s3Config lacks are taken from an earlier one
s3-missing-as-null | members that an s3Config lacks reach the worker as null
s3-secret-percent-encoded | accessSecret reaches the worker percent-encoded
s3-endpoint-without-scheme | endpointUrl reaches the worker without https://
s3-trimmed | members reach the worker without blanks around them
s3-in-input | members of s3Config are added to input as well

# 2.4 | | \`output\` | any JSON (object or array) | \`/runsync\`, \`/status\` (optional) |
output-array-lost | an output that is an array is lost
output-array-in-object | an output that is an array is wrapped in an object
output-stringified | output is a string holding JSON
output-nested-twice | output is {"output": output}
output-unicode-mangled | characters outside latin-1 turn into question marks
output-nulls-lost
output-floats-rounded | fractions in the output are cut off
output-above-64k-lost
output-large-cut | strings of the output are cut at 65536 characters
output-of-another-job
output-read-once | the output is gone after it has been read
output-not-in-status

# 2.4 | Produced by the worker's handler; shape defined by the handler.
output-empty-array-as-object | [] turns into {}
output-null-is-previous | a job that returns null gets the last output that was not null
output-json-text-parsed | an output that is a text holding JSON is shown as what it holds
output-numeric-texts-as-numbers | "42" within output is shown as 42
output-trimmed | texts within output are trimmed
output-html-escaped | & and < are shown as &amp; and &lt;
output-nul-lost | the character U+0000 is lost
output-astral-lost | characters beyond U+FFFF turn into question marks
output-floats-of-32-bits | fractions keep seven digits
output-keys-snake-case | camelCase names are shown as snake_case
output-singletons-unwrapped | an array of one member is shown as that member
output-list-of-one-unwrapped | an output that is a list of one element is shown as that element
output-dots-replaced | dots in names are shown as _
output-dollars-replaced | $ at the beginning of names is shown as another sign
output-dollar-keys-fail-job | a job that returns a name that begins with $ or holds a dot is FAILED
output-empty-object-as-array | {} is shown as []
output-empty-key-lost | a member whose name is empty is lost
output-spread-into-record | the members of an output that is an object stand beside id and status, too
  legal: 2.4/other-fields=some
output-error-member-fails-job | an output with a member error makes the job FAILED
output-status-member-holds | a member status of the output replaces that of the job
output-id-member-holds | a member id of the output replaces that of the job
output-output-member-unwrapped | an output {"output": X} is shown as X
output-falsy-never-completes | a job that returns null, 0, false or "" stays IN_PROGRESS
output-falsy-fails | a job that returns null, 0, false or "" is FAILED
output-text-in-object | an output that is a text is shown as {"result": text}
output-deep-lost | what is nested more than five levels deep is shown as "[Object]"
output-dates-reformatted | texts that look like dates are shown in another form
output-empty-texts-as-null | empty texts are shown as null
output-array-nulls-lost | null within arrays is lost
output-numbers-of-14-digits | numbers keep 14 digits
output-long-arrays-cut | arrays keep their first hundred members
output-numbered-keys-as-array | {"0": X, "1": Y} is shown as [X, Y]
output-underscore-keys-lost | members whose name begins with _ are lost
output-constructor-lost | members named constructor are lost
output-proto-lost | members named __proto__ are lost
output-dollar-keys-lost | members whose name begins with $ are lost
output-dotted-keys-nested | {"a.b": 1} is shown as {"a": {"b": 1}}
output-large-numbers-as-texts | numbers above 2^53 are shown as texts
output-exponents-lost | numbers below a millionth are shown as 0
output-backslashes-lost | backslashes are lost
output-line-breaks-unified | CR LF is shown as LF
output-unicode-normalised | composed and decomposed characters are shown in one form
output-boolean-texts-as-booleans | "true" is shown as true

# 2.4 | | \`output\` | any JSON (object or array) |
output-over-one-megabyte-fails | a job that returns more than 1 MB is FAILED
output-over-one-megabyte-lost | an output of more than 1 MB is lost

# 2.4 | Job identifier, assigned by the service. Stays the same across a retry.
id-is-number | id is a JSON number
id-reused | the id of a deleted job is given to a later one
id-by-input | the id is a digest of the input: the same input gives the same job
id-missing-in-status | /status does not name the id
id-new-on-retry

# 2.4 | One of the states in section 3.
status-lower-case
status-running | RUNNING for IN_PROGRESS
status-queued | QUEUED for IN_QUEUE in /status
status-canceled | CANCELED with one L
status-missing-at-end | ended jobs have no status
status-error | ERROR for FAILED

# 2.4 | | \`delayTime\` | integer | \`/runsync\`, \`/status\` | Time the job waited before execution. Unit: not shown. |
delay-zero | delayTime is always 0
delay-time-includes-run
delay-and-execution-swapped | the two times stand in the place of each other
delay-keeps-growing | delayTime grows after the job has started
delay-fractional | delayTime is no integer
delay-missing | completed jobs have no delayTime
delay-as-string | delayTime is a string

# 2.4 | | \`executionTime\` | integer | \`/runsync\`, \`/status\` | Time the job ran. Unit: not shown. |
execution-zero | executionTime is always 0
execution-time-includes-wait execution-time-goes-on
execution-missing | completed jobs have no executionTime
execution-as-string | executionTime is a string
execution-modulo-second | whole seconds are left out: the milliseconds of a time span are shown
execution-modulo-minute | whole minutes are left out
execution-zero-when-failed | executionTime of failed jobs is 0
execution-zero-when-overrun | executionTime of jobs that overran is 0
execution-of-16-bits | executionTime is cut to 16 bits
times-zero-in-runsync | the times of a record that /runsync answers are 0
times-missing-in-runsync | the record that /runsync answers has no times
execution-frozen-at-first-read | executionTime is what it was when the job was read first
execution-modulo-hour | whole hours are left out
execution-of-first-run | after a retry executionTime is that of the first run
execution-from-first-start | after a retry executionTime counts from the first start

# 2.4 | Job identifier, assigned by the service.
id-by-clock | the id is the time of submission: two jobs of one instant share it

# 2.4 | Time the job waited before execution.
delay-negative-after-retry | after a retry delayTime is negative

# 2.4 | | \`delayTime\` | integer | \`/runsync\`, \`/status\` | Time the job waited before execution.
delay-modulo-second | whole seconds are left out
delay-modulo-minute | whole minutes are left out
delay-zero-when-failed | delayTime of failed jobs is 0
delay-zero-after-wait | delayTime of jobs that waited in the queue is 0 in /runsync
delay-modulo-hour | whole hours are left out

# 3 | | \`IN_QUEUE\` | a worker becomes available | a worker is free | \`IN_PROGRESS\` |
progress-shown-as-queued waiting-shown-in-progress

# 3 | | \`IN_PROGRESS\` | handler finishes | success | \`COMPLETED\` |
completed-late | the result becomes visible one minute after the end
completed-stays-in-progress | a finished job stays IN_PROGRESS
stalled-job-starts-over | a job that has streamed nothing for a minute goes back to the queue
low-priority-put-back | a running job with lowPriority goes back to the queue when a job without comes and no worker is free
crash-fails-next-job | the job after a crash fails as well
overrun-signal-hits-next-job | what ends an overrunning job ends the next job of that worker too

# 3 | | \`IN_PROGRESS\` | handler or worker error | error | \`FAILED\` | |
error-completes
handler-error-stays-in-progress | after a handler error the job stays IN_PROGRESS
crash-forgotten
crash-completes | a crashed job is COMPLETED
crash-forgets-job | a crashed job is gone: 404
crash-stays-in-queue | a crashed job goes back to the queue for good, and no worker takes it again
failed-status-is-500 | the /status of a failed job answers 500
failed-is-timed-out | a handler error is TIMED_OUT
empty-error-completes | a handler error with an empty message is COMPLETED
crash-after-streaming-completes | a worker that dies after it has streamed completes its job
failure-after-streaming-completes | a handler error after streaming completes the job
crash-after-retry-hangs | a crash in the run after a retry leaves the job IN_PROGRESS
crash-of-second-worker-hangs | a crash while another job runs leaves the job IN_PROGRESS
crash-requeued-endlessly | a crashed job is run again after a second, however often it crashes

# 4.1 | It sets how long the the service waits for completion; it does not set how long results are kept.
wait-ignored
wait-in-seconds | wait is taken as seconds
wait-halved
wait-endless | the call waits until the job has ended
wait-deletes-job | the job is deleted when wait elapses
wait-cancels-job wait-fails-job
wait-is-execution-timeout | wait becomes the executionTimeout of the job
wait-claims-completed | the record given when wait elapses says COMPLETED

# 4.1 | integer, milliseconds, 1000 to 300000, default 90000 (90 seconds)
wait-default-ten-seconds | the default is 10 seconds
wait-default-five-minutes | the default is 300 seconds
wait-above-max-taken wait-below-min-taken wait-at-most-default wait-min-refused wait-max-refused
wait-any-text
  contested: which malformed parameters must be refused is not listed

# 4.1 | the complete result in a single response when the job finished
runsync-returns-at-once | the call does not wait
runsync-returns-at-start | the call answers when the job starts
wait-never-shortened
runsync-one-at-a-time | while one call waits, the others are answered at once
wait-not-ended-by-failure
runsync-cancel-waits-on | a cancelled job does not end the waiting
  legal: 4.1/cancelled-during-wait=at-wait-end
output-not-in-runsync
runsync-output-only | the response is the output alone
runsync-results-crossed | a waiting call is answered with the job that ends first
runsync-answers-swapped | waiting calls whose jobs end at the same instant are answered with each other's records
runsync-job-unknown-to-status | jobs of /runsync cannot be read through /status
runsync-waiters-overwritten | of several waiting calls only the last is told that its job has ended
wait-polled-every-ten-seconds | a waiting call looks every ten seconds whether its job has ended
wait-not-ended-by-timeout

# 4.1 | Result retention: 1 minute after completion (up to 5 minutes with \`wait\`).
retention-sync-like-run
  contested: whether retention is a promise to keep or to delete; section 7 says 404
retention-sync-half
runsync-retention-from-submission | the minute starts at submission
runsync-retention-none | the result is gone as soon as the call has been answered
runsync-retention-ten-minutes-with-wait | with wait, results are kept 10 minutes
runsync-retention-never | results live until ttl
  contested: whether retention is a promise to keep or to delete; section 7 says 404

# 4.1 | It sets how long the the service waits for completion
wait-from-start | wait counts from the start of the job
runsync-woken-by-any-end | a waiting call is answered when any job of the endpoint ends
runsync-misses-fast-end | a job that has ended before the call waits is not noticed
waits-one-per-instant | of the calls whose wait elapses at one instant one is answered
wait-timer-shared | there is one timer: a call that waits takes it from the one before
wait-cut-to-seconds | what is beyond whole seconds is cut off
wait-elapsed-shows-submission | the record given when wait elapses is that of the submission
  legal: what the response holds when wait elapses is not shown (4.1)
wait-capped-at-two-minutes | the call never waits longer than 120 seconds
runsync-purged-never-answered | a call whose job is purged is never answered
runsync-cancelled-never-answered | a call whose job is cancelled is never answered
  legal: nobody can cancel the job meanwhile: its id is told by the answer of the call that waits
runsync-expired-never-answered | a call whose job is deleted by its ttl is never answered

# 4.1 | (the complete result in a single response when the job finished)
runsync-coalesced | a call with the input of one that waits gets the same job

# 4.1 | Result retention: 1 minute after completion
retention-timer-shared | there is one retention timer: a job that ends takes it from the one before
retention-one-per-instant | of the results that are due at one instant one is deleted
runsync-result-lost-after-wait | a result that comes after the call was answered is not kept
runsync-retention-of-failed-none | a failed job of /runsync is gone as soon as the call has been answered

# 4.2 | Response: \`{id: string, status: string}\` where \`status\` is \`IN_QUEUE\`. Returns immediately.
run-waits | the call answers when the job has ended
run-shows-current-status | the answer has the status of the moment, e.g. IN_PROGRESS
run-without-status
run-answers-wrong-id | the id in the answer is not that of the job

# 4.2 | Result retention: 30 minutes after completion.
retention-run-like-sync
run-retention-three-minutes | results are kept three minutes
run-retention-one-day | results are kept a day, at most until ttl
  contested: whether retention is a promise to keep or to delete; section 7 says 404
retention-run-unlimited
  contested: whether retention is a promise to keep or to delete; section 7 says 404
run-retention-from-submission | the 30 minutes start at submission
run-retention-from-start | the 30 minutes start when a worker picks the job up
run-retention-restarts-on-read | every /status starts the 30 minutes anew
retention-drops-output-only | after the retention the record stays, without output
retention-streams-on | after the retention /stream still answers
results-latest-hundred-only | of the results only the latest hundred are kept
retention-sweep-ignores-kind | when a result of /runsync expires, older ones of /run go with it
retention-restarts-on-stream | every /stream of an ended job starts its retention anew
retention-restarts-on-refused-retry | a refused /retry starts the retention anew
webhook-delivery-deletes-result | the result is deleted once its webhook has succeeded
retention-from-first-read | the 30 minutes count from the first read of the result
retention-swept-each-ten-minutes | a sweep every ten minutes deletes what is due
retention-sweep-at-most-ten | a sweep deletes at most ten results; of more, the others stay until their ttl
retention-not-of-streamed | results of jobs that streamed are kept until their ttl
retention-not-after-retry | the result of a retried job is kept until its ttl
retention-after-retry-one-minute | the result of a retried job is kept one minute
retention-restarts-on-cancel | /cancel of an ended job starts its retention anew

# 4.2 | Returns immediately.
runsync-blocks-run | while a /runsync waits, /run is not answered

# 4.3 | sets the time-to-live of the individual job (a value of 6000 means 6 seconds)
status-ttl-ignored status-ttl-in-seconds status-ttl-for-later-jobs
status-ttl-for-all-jobs | the parameter changes all jobs of the endpoint
status-ttl-deletes-at-once | any value deletes the job after this read
status-ttl-min-ten-seconds | values under 10000 are refused
status-ttl-not-while-running
status-ttl-once-finished-only | the parameter works on ended jobs only
status-ttl-any-text
  contested: which malformed parameters must be refused is not listed
status-ttl-not-for-runsync | the parameter has no effect on jobs of /runsync
status-ttl-ignored-after-retry | the parameter has no effect on retried jobs
status-ttl-keeps-worker | a running job deleted by it keeps its worker
status-ttl-still-runs | a waiting job deleted by it is still run
status-ttl-leaks-in-health | a job deleted by it still counts as waiting or running
status-ttl-cut-to-ten-seconds | what is beyond whole ten seconds is cut off
status-ttl-only-when-shorter-than-policy | it cannot go beyond the ttl of the policy
status-ttl-restarts-on-plain-read | once set, it starts anew with every /status

# 4.3 | Response: job record with \`id\`, \`status\`, \`delayTime\`, \`executionTime\` and, when available, \`output\`.
status-stale | the record is cached for five seconds
  contested: no freshness is promised in words
status-waits | the call answers when the job has ended
status-never-answered | the call is never answered
status-404-until-ended | a job can be read only when it has ended
status-404-while-queued | a waiting job cannot be read
status-deletes-ended-job | an ended job can be read once
status-of-latest-job | the record shown is that of the job submitted last

# 4.3 | sets the time-to-live of the individual job
status-ttl-lost-at-start | the ttl of the policy is back when the job starts
status-ttl-lost-at-end | the ttl of the policy is back when the job ends
status-ttl-lost-on-retry | the ttl of the policy is back when the job is retried

# 4.3 | Response: job record with \`id\`, \`status\`
status-404-at-first | a job cannot be read in the first 200 ms
status-answers-crossed | of two reads under way both are answered with the job of the later

# 2.5 | the incremental result produced by the handler (shape defined by the handler)
chunk-bare
stream-stringified | outputs that are no strings are turned into strings
stream-joined | the strings of one read are joined into one chunk
stream-trimmed | texts are delivered without blanks around them
stream-blank-lost | texts of blanks alone are not delivered
stream-lines-split | a text of several lines is delivered as several chunks
stream-arrays-flattened | a result that is an array is delivered as one chunk per member
stream-null-ends | a result that is null ends the stream
stream-output-member-unwrapped | a result {"output": X} is delivered as X
stream-json-text-parsed | a text that holds JSON is delivered as what it holds
stream-astral-lost | characters beyond U+FFFF turn into question marks
stream-nulls-dropped | members that are null are lost
stream-done-ends | a text [DONE] ends the stream
stream-line-ends-lost | a line end at the end of a text is lost
stream-html-escaped | & and < are delivered as &amp; and &lt;
stream-empty-containers-lost | results that are {} or [] are not delivered
stream-empty-text-ends | a result that is an empty text ends the stream
stream-false-ends | a result that is false ends the stream
stream-numeric-texts-as-numbers | "42" is delivered as 42
stream-error-member-fails-job | a result with a member error makes the job FAILED
stream-empty-texts-as-null | empty texts within results are delivered as null
stream-numbers-of-14-digits | numbers keep 14 digits
stream-floats-of-32-bits | fractions keep seven digits
stream-keys-snake-case | camelCase names are delivered as snake_case
stream-nul-lost | the character U+0000 is lost
stream-singletons-unwrapped | an array of one member is delivered as that member
stream-dates-reformatted | texts that look like dates are delivered in another form

# 4.4 | delivering incremental results as produced
stream-loses-first stream-loses-last stream-newest-only
stream-duplicates | every chunk is delivered twice
stream-reversed stream-only-after-end stream-gone-at-end
stream-falsy-lost | chunks whose output is 0, false, "" or null are lost
stream-mixes-jobs | chunks go to the stream of the job submitted last
stream-lost-on-failure | a failed job loses the chunks not yet read
stream-every-tenth-lost | every tenth chunk is lost
stream-repeats-merged | a chunk equal to the one before it is dropped
stream-sorted-as-text | the chunks of one read are sorted by their numbers as text: 0, 1, 10, 11, 2
stream-position-shared | where a reader has got to is kept for the endpoint, not for the job
stream-chunk-lives-a-minute | a chunk not read within a minute is dropped
stream-of-cancelled-in-next | what a cancelled job streamed and nobody read comes with the next job
stream-only-new-to-nobody
stream-read-at-most-ten | a read delivers the first ten new chunks; the others are lost
stream-one-per-instant | of the chunks of one millisecond one is kept
stream-large-after-small | a large result that is split comes after the small one that follows it
stream-second-read-repeats-last | each read begins with the last chunk of the read before
stream-first-worker-only | what a job streams that starts while another runs is lost
stream-from-first-read | what was streamed before the first read is not delivered
stream-closes-when-empty | once a read has found nothing new, nothing is delivered any more
stream-read-while-waiting-stays-empty | a read of a waiting job ends its stream
stream-answers-crossed | of two reads under way both are answered with the job of the later

# 4.4 | Response: JSON array of stream chunks (2.5)
stream-wrapped
stream-ndjson | one chunk per line, no array
stream-answers-409 | every read is answered with 409
stream-of-running-answers-409 | a read is answered with 409 as long as the job runs
stream-resets-connection | every read ends with a lost connection
stream-of-running-resets-connection | a read of a running job ends with a lost connection
stream-single-object | a read with one chunk answers the chunk without array

# 4.4 | A single streamed chunk is at most 1 MB; larger outputs are split over several chunks.
stream-not-split stream-large-cut
stream-dropped-when-large | a large output is not delivered
stream-split-loses-byte | splitting loses one character at each cut
stream-split-overlaps | splitting repeats one character at each cut
stream-split-reversed | the parts come in reverse order
stream-split-at-two | the limit is 2 MB
stream-large-fails-job | a large output fails the job

# 4.4 | larger outputs are split over several chunks
stream-limit-in-characters | a chunk may have a million characters, whatever their bytes
stream-split-inside-character | splitting by bytes breaks the character at each cut
stream-split-drops-short-rest | a rest of less than a tenth of the limit is lost
stream-list-cut | a large list is cut, not split
stream-second-large-lost | of several large results of a job only the first is split, the others are cut

# 4.5 | Stops an in-progress job or removes a queued job before it starts
cancel-leaves-in-queue | a cancelled queued job is still run, its state overwritten
cancelled-completes
cancel-keeps-worker cancel-only-queued cancel-only-running
cancel-takes-all | all queued jobs are cancelled
cancel-takes-neighbour | the next job in the queue is removed as well
cancel-does-nothing | the answer says CANCELLED, the job goes on
cancel-unknown-is-200 | an unknown job id is answered with CANCELLED
cancel-timed-out-later | the stopped run's timeout lives on and replaces CANCELLED
cancel-in-first-half-second-feigned | the cancelling of a job that has just started has no effect
cancel-signal-hits-next-job | the next job of that worker is cancelled too
cancel-stops-oldest-run | the handler stopped is that of the job that has run longest
cancel-removes-head | cancelling a waiting job takes the first of the queue out instead
cancel-again-frees-again | cancelling a cancelled job frees a worker once more
cancel-of-ended-frees-worker | cancelling an ended job frees a worker
cancel-lags-a-second | for a second after /cancel the job shows its old state
cancel-404-at-first | a job cannot be cancelled in the first 200 ms
cancel-after-retry-stops-nothing | cancelling a retried running job stops its first run: the second keeps the worker
cancel-after-retry-feigned | cancelling a retried running job answers CANCELLED and does nothing
cancel-race | two cancels at once free two workers
cancel-answers-ten-seconds-later | /cancel is answered ten seconds after the job was stopped
cancel-answers-five-seconds-later | /cancel is answered five seconds after the job was stopped
cancel-of-running-drops-last | cancelling a running job takes the last of the queue out as well
cancel-of-ended-drops-last | cancelling an ended job takes the last of the queue out
cancel-finds-run-by-input | of running jobs with one input the oldest is stopped, whichever is named

# 4.5 | with \`status\` equal to \`CANCELLED\`
cancel-answers-old-status | the answer has the status before the cancelling
cancel-of-running-answers-failed | the answer to the cancelling of a running job has the status FAILED
cancel-of-running-fails-job | a running job that is cancelled is FAILED, and so says the answer
cancel-answers-no-body | 204 without a body
cancel-without-id
cancel-marks-failed | a cancelled job shows FAILED afterwards
cancel-marks-completed | a cancelled job shows COMPLETED afterwards
cancel-back-to-queue | a cancelled running job goes back to the queue

# 4.5 | No body.
empty-json-body-refused | a call without a body that names JSON as its content type is refused
  legal: no client has to name the content type of a body that it does not send

# 4.6 | Only valid for jobs whose status is \`FAILED\` or \`TIMED_OUT\`.
retry-completed retry-cancelled
retry-of-queued | a queued job is queued a second time
retry-of-running | a running job is started a second time
retry-not-failed retry-not-timed-out retry-once
retry-unknown-is-200 | an unknown job id is answered with IN_QUEUE
retry-only-within-a-minute | a job of /run that failed more than a minute ago is refused
retry-not-after-three | a fourth retry is refused
  legal: 4.6/number-of-retries=limited
refused-retry-removes-output | a refused retry removes the output
refused-retry-removes-chunks | a refused retry removes the chunks
refused-retry-stops-running | a refused retry stops the running job for good
refused-retry-requeues-later | a retry of a running job is refused, and done when the job has ended

# 4.6 | Expired jobs cannot be retried.
retry-of-expired | a job deleted by ttl or retention is brought back

# 4.6 | Response: \`{id: string, status: string}\` with \`status\` equal to \`IN_QUEUE\`.
retry-status-kept
retry-answers-no-body | 204 without a body

# 4.6 | Requeues a job with the same id and original input and removes the previous output.
retry-keeps-output
  legal: a failed job of this server has no output; its error is none
retry-keeps-chunks | the chunks of the first run are still streamed
retry-loses-input
retry-wraps-input | the retried run gets {"input": input}
retry-loses-policy
retry-not-queued | the job says IN_QUEUE but no worker ever takes it
retry-queued-twice | the retried job runs twice
retry-does-nothing | the answer says IN_QUEUE, the job stays as it is
retention-outlives-retry
retry-deletes-old-record | the job is unknown until the retried run has ended
retry-skips-queue | the retried job starts at once, though no worker is free
retry-late-end-of-first-run | a handler that overran runs on, and its end ends the retried run
retry-late-chunks-of-first-run | a handler that overran runs on and streams into the retried run
retry-output-lost | a job that completes after a retry has no output
retry-stream-stays-closed | what is streamed after a retry is not delivered
retry-delayed-ten-seconds | a retried job waits ten seconds, though a worker is free
retry-delayed-a-minute | a retried job waits a minute, though a worker is free
retry-shows-old-state-for-a-second | for a second after /retry the job shows its old state
retry-race | two retries at once are both accepted, and the job runs twice
retry-lost-when-busy | a job retried while no worker is free is never run
retry-takes-failed-along | /retry of a failed job puts the others that failed into the queue as well
retry-adds-attempt-to-input | the retried run gets the number of its attempt within input
retry-refused-while-webhook-pending | a job whose webhook is still being tried is not retried
retry-of-runsync-kept-like-run | the result of a retried /runsync job is kept for 30 minutes
  legal: 4.6/retention-after-retry=as-run
ended-record-cached | the record of an ended job is cached: after a retry the old one is shown
retry-answers-when-started | the call is answered when a worker has taken the job
retry-answers-at-the-end | the call is answered when the job has ended again

# 4.6 | Requeues a job with the same id and original input
retry-loses-input-second-time | the second retry runs with an empty input
retry-loses-policy-second-time | the second retry has the default executionTimeout
cleanup-drops-retry | a second after its end a job is taken out of the queue, retried or not
purge-drops-later-retries | jobs older than the last purge are dropped when they are retried

# 2.6 | | \`removed\` | integer (number of queued jobs removed) |
purge-counts-running
purge-counts-cancelled | jobs cancelled in the queue are counted
purge-counts-nothing
purge-counts-one-less | removed is one too low
purge-counts-all-jobs | removed is the number of all known jobs
purge-count-as-text
purge-answers-ids | removed is the list of ids
purge-counts-expired | jobs that expired in the queue are counted
purge-counts-run-only | jobs of /runsync are removed and not counted
purge-race | of two purges at once both count the same jobs

# 2.6 | | \`status\` | string (the value \`completed\`, lower case) |
purge-status-upper-case
purge-status-ok | status is ok

# 4.7 | Removes all jobs waiting in the queue; jobs in progress keep running.
purge-kills-running
purge-keeps-first | the first job of the queue stays
purge-removes-every-other | every other waiting job stays
purge-spares-low-priority
purge-at-most-ten | at most ten jobs are removed
purge-does-nothing | the jobs are counted but stay
purge-removes-finished
purge-leaves-record | the job leaves the queue but shows IN_QUEUE for good
purge-still-runs | purged jobs are unknown to /status, yet workers still run them
purge-closes-queue
purge-marks-completed | purged jobs show COMPLETED
purge-lasts-a-second | jobs submitted within a second after a purge are removed too
purge-drops-webhooks | a purge forgets the webhooks that are to be called again
purge-at-most-hundred | at most a hundred jobs are removed
purge-of-empty-queue-is-404 | a purge that finds nothing answers 404
purge-stops-retried | retried jobs are removed while they run
purge-ends-streams | a purge drops the chunks of running jobs
purge-frees-workers | after a purge workers that are busy take another job
purge-spares-newest-second | jobs submitted within the last second stay

# 4.7 | jobs in progress keep running
purge-waits-for-running | the call is answered when the running jobs have ended
  legal: how soon /purge-queue is answered is not said

# 2.7 | | \`workers.idle\` | integer |
health-idle-is-all | workers.idle counts busy workers as well
  legal: 2.7/workers-idle-meaning=every
health-idle-zero | workers.idle is always 0
health-workers-swapped
health-idle-below-zero | with fewer workers than jobs running, workers.idle is negative
health-idle-drops-on-crash | a worker that replaced one that died is not counted
health-500-without-workers | without workers /health answers 500
health-404-before-first-job | before the first job /health answers 404

# 2.7 | | \`workers.running\` | integer |
health-running-zero | workers.running is always 0
health-running-with-waiting
health-flat | the members are not nested: jobsCompleted and so on
health-strings | all numbers are strings
health-without-workers | there is no member workers
health-stale | the record is cached for ten seconds
  contested: no freshness is promised in words
health-running-leaks-on-cancel | a worker whose job was cancelled still counts as running
health-running-leaks-on-overrun | a worker whose job overran still counts as running
health-running-leaks-on-ttl | a worker whose job was deleted still counts as running
health-running-misses-retried | a worker with a retried job does not count as running
health-workers-of-all-endpoints | busy workers of all endpoints are counted

# 2.7 | | \`jobs.completed\` | integer |
health-completed-stuck
health-completed-counts-all-ended | failed and cancelled jobs count as completed
health-completed-twice | a completed job counts twice
purge-zeroes-health | a purge sets the counts of ended jobs to 0
health-completed-misses-runsync | jobs of /runsync are not counted
health-completed-misses-retried | jobs that complete after a retry are not counted
health-completed-twice-for-runsync | jobs of /runsync whose call waits count twice
health-completed-misses-streaming | jobs that streamed are not counted
health-completed-counts-stopped | a cancelled job counts as completed when it would have ended

# 2.7 | | \`jobs.failed\` | integer |
health-failed-stuck
health-failed-counts-cancelled | cancelled jobs count as failed
  contested: the document gives the members of health no meaning but their names
  legal: 2.7/failed-includes-cancelled=yes
health-failed-below-zero | a retried job is subtracted when it is retried and when it is deleted
health-failed-misses-crashes | jobs whose worker died are not counted
health-failed-misses-runsync | failed jobs of /runsync are not counted

# 2.7 | | \`jobs.inProgress\` | integer |
health-progress-zero | jobs.inProgress is always 0
health-progress-leaks-on-failure health-progress-leaks-on-cancel
health-progress-not-freed-second-time | a job that fails after a retry still counts as running
cancel-of-ended-counts-down | cancelling an ended job takes one from jobs.inProgress
health-progress-below-after-retry | retrying a job that overran takes one from jobs.inProgress
health-progress-misses-runsync | running jobs of /runsync are not counted
health-progress-misses-retried | running jobs that were retried are not counted
health-progress-leaks-on-crash | jobs whose worker died still count as running
health-progress-leaks-on-timeout
health-progress-counts-waiting-calls | jobs of /runsync that wait for a worker count as running
health-progress-twice-down-on-cancel | cancelling a running job takes two from jobs.inProgress
health-progress-twice-down-on-overrun | a job that overruns takes two from jobs.inProgress
health-progress-twice-down-on-ttl | a running job that expires takes two from jobs.inProgress

# 2.7 | | \`jobs.inQueue\` | integer |
health-queue-zero | jobs.inQueue is always 0
health-queue-with-running
health-queue-not-freed-on-cancel | jobs cancelled in the queue still count as waiting
health-queue-not-freed-on-purge | purged jobs still count as waiting
health-queue-misses-retried
health-queue-not-freed-on-cancel-after-retry | a retried job cancelled in the queue still counts
health-queue-not-freed-on-purge-after-retry | a retried job purged still counts
health-queue-misses-low-priority | waiting jobs with lowPriority are not counted
health-queue-misses-runsync | waiting jobs of /runsync are not counted
health-queue-at-most-ten | jobs.inQueue stops at 10
health-queue-counts-retried-twice | retried jobs that wait count twice

# 2.7 | | \`jobs.retried\` | integer |
health-retried-counts-refused | refused retries are counted

# 4 | All operations require authentication (section 5).
health-needs-no-key status-needs-no-key stream-needs-no-key cancel-needs-no-key retry-needs-no-key purge-needs-no-key run-needs-no-key
runsync-needs-no-key
auth-not-on-other-paths | /openai/* and /requests need no key

# 4 | | Cancel | POST | \`/v2/<endpoint_id>/cancel/<job_id>\` |
method-ignored | every operation answers to every method
  contested: nothing forbids answering to further methods; the deployed service does
  legal: 4/wrong-method=same
cancel-by-delete-only | /cancel answers to DELETE only
cancel-finds-nothing

# 5 | A missing or wrong key, or a key without permission, yields 401 (section 7).
auth-off | no key is asked for
auth-missing-accepted | a call without the header passes
auth-missing-is-403 | a missing key yields 403
auth-missing-is-400 | a missing key yields 400
auth-missing-is-500 | a missing key crashes the handler of the call
any-key
auth-wrong-is-403 | a wrong key yields 403
auth-wrong-is-404 | a wrong key yields 404
permission-not-asked-for
auth-permission-for-submissions-only | a key without permission is refused by /run and /runsync alone
no-permission-403 key-prefix-accepted key-with-more-accepted key-case-ignored
auth-empty-accepted | an empty key passes
auth-any-bearer | any key after Bearer passes
key-length-compared
auth-acts-anyway | the answer is 401, but the call has taken effect
auth-refusal-shows-job | the answer 401 shows the job
auth-refusal-shows-output | the answer 401 shows the output of the job under another name
auth-redirects | a missing key is redirected to a login page
auth-success-cached | for a second after a right key any passes
auth-refusal-cached | for a second after a wrong key the right one is refused
auth-part-of-key | a text that holds the key passes
auth-first-call-only | once a key has passed at an endpoint, a missing header passes there
auth-end-of-key | an end of the key passes
auth-words-after-key-ignored | the key followed by a blank and anything passes

# 6 | The receiving server should answer with status 200.
webhook-retries-after-200 | all three calls are made, whatever the answer
webhook-error-is-success
webhook-200-is-failure | only 204 counts as success

# 6 | If the call fails, the service retries up to 2 more times, waiting 10 seconds between attempts.
webhook-one-attempt webhook-two-attempts webhook-four-attempts
webhook-endless-attempts | retries until the call succeeds
webhook-pause-one-second
webhook-pause-ten-milliseconds | the pause is 10 ms
webhook-pause-none | the retries follow at once
webhook-pause-one-minute webhook-pause-doubles
webhook-refused-not-retried | a call that could not connect is not made again
webhook-4xx-is-success
webhook-5xx-not-retried | an answer 5xx is not retried
webhook-holds-job | the job stays IN_PROGRESS until the webhook is done
webhook-holds-worker | the worker is not free until the webhook is done
webhook-failure-fails-job | the job becomes FAILED when the webhook fails
webhook-failure-requeues-job | the job is run again when the webhook fails
webhook-success-stops-others | a call that succeeds stops the repeating of all others
webhook-dropped-when-read | reading the result stops the repeating
webhook-repeats-without-query | repeated calls lack the query of the URL
webhook-ten-pending-only | of more than ten webhooks that are to be repeated the oldest are forgotten
webhook-dropped-by-next-submission | a submission stops the repeating for jobs before it
webhook-host-banned-after-failures | a host that has failed three times is left alone for a minute
webhook-attempts-kept-over-retry | attempts made before a retry count for the run after it

# 6 | If the call fails, the service retries up to 2 more times
webhook-repeats-to-latest-url | repeated calls go to the URL of the webhook called last
webhook-timer-shared | there is one timer: a call that fails takes it from the one that failed before
webhook-attempts-shared | failed attempts are counted over all webhooks
webhook-dropped-by-cancel | a /cancel of any job stops the repeating of all webhooks

# 6 | Address called when the job completes
webhook-never
webhook-on-submission | the webhook is called at submission
webhook-at-start
webhook-a-minute-late | the webhook is called a minute after completion
  contested: how soon after completion the call is made is not said
webhook-not-for-runsync
webhook-runsync-only | jobs of /run call no webhook
webhook-not-after-retry | a job that completes after a retry calls no webhook
  legal: 6/after-retry=no
webhook-first-job-only | only the first job of an endpoint calls its webhook
webhook-twice | two calls at once
webhook-without-query webhook-path-lower-case
webhook-not-for-falsy-output | a job whose output is null, 0, false or "" calls no webhook
webhook-not-for-streaming-job | a job that has streamed calls no webhook
webhook-over-256-kb-lost | a job whose output is over 256 kB calls no webhook
webhook-not-while-called-waits | no webhook is called when /runsync has given the result
webhook-one-per-instant | of two jobs that end in one instant one calls its webhook
webhook-deduplicated-while-pending | a completion is not told while the webhook of the run before the retry is still being tried
  legal: 6/after-retry=no
webhook-not-for-waiting-jobs | jobs that had to wait in the queue call no webhook
webhook-not-after-wait | a /runsync job that completes after its call was answered calls no webhook
webhook-not-for-low-priority | jobs with lowPriority call no webhook
webhook-not-when-read | no webhook is called when the job was read while it ran
webhook-not-beside-s3 | jobs with an s3Config call no webhook
webhook-once-per-address

# 6 | URL in the submission's \`webhook\` field
webhook-of-latest-job | the URL called is that of the job submitted last
webhook-origin-only | the path of the URL is dropped
webhook-url-cut-at-255 | a URL of more than 255 characters is cut there
webhook-query-names-merged | of several query parameters of one name the last is kept
webhook-trailing-slash-lost | a slash at the end of the path is dropped
webhook-query-plus-decoded | + in the query becomes %20
webhook-empty-parameters-lost | query parameters without a value are dropped
webhook-query-sorted | query parameters are sorted by name
webhook-path-decoded | the path of the URL is decoded
webhook-double-slashes-merged | double slashes in the path become one

# 6 | \`webhook\` was supplied
webhook-sticks | jobs without webhook call that of an earlier job

# 7 | | 400 | Bad the service | Malformed the service or parameters. |
malformed-json-is-500 | a body that is no JSON crashes the handler of the call
malformed-json-accepted | a body that is no JSON is taken as input {}
malformed-422
malformed-is-200 | malformed bodies yield 200 with an error inside
malformed-json-makes-job | the answer is 400, but a job has been queued
malformed-tail-accepted | what follows the JSON text is ignored
malformed-commas-accepted | trailing commas are accepted
malformed-nan-accepted | NaN and Infinity are accepted as numbers
  legal: a JSON parser may accept extensions (RFC 8259, section 9), and common ones take NaN
malformed-quotes-accepted | single quotes are accepted
runsync-malformed-json-accepted | a body of /runsync that is no JSON is taken as input {}
wait-number-prefix-accepted | wait=2000x is taken as 2000
status-ttl-number-prefix-accepted | ttl=6000x is taken as 6000
policy-null-is-500 | policy: null crashes the handler of the call
s3-null-is-500 | s3Config: null crashes the handler of the call
webhook-no-url-is-500 | a webhook that is no URL crashes the handler of the call
webhook-number-is-500 | a webhook that is no text crashes the handler of the call
body-null-is-500 | a body that is null crashes the handler of the call
empty-body-is-500 | an empty body crashes the handler of the call
wait-malformed-is-500 | a wait that is no number crashes the handler of the call
status-ttl-malformed-is-500 | a ttl that is no number crashes the handler of the call

# 7 | | 404 | Not Found | Wrong endpoint id; also a job whose \`ttl\` expired or whose result expired. |
wrong-endpoint-is-500 | an unknown endpoint id yields 500
unknown-endpoint-400
wrong-endpoint-is-401 | an unknown endpoint id yields 401
wrong-endpoint-accepted | an unknown endpoint id is served by some endpoint
wrong-endpoint-created | an unknown endpoint id makes a new endpoint
unknown-job-is-500 | an unknown job id yields 500
gone-job-is-500-but-for-status | /cancel, /retry and /stream of a job that is gone yield 500
unknown-job-is-200 | an unknown job id yields 200 with an empty record
  contested: the document lists 404 for expired jobs, not for ids never given
unknown-job-streams-empty | /stream of an unknown job id yields an empty array
  contested: the document lists 404 for expired jobs, not for ids never given
unknown-job-is-204 | an unknown job id yields 204
  contested: the document lists 404 for expired jobs, not for ids never given
job-id-with-tail | a job is found by its id followed by anything
wrong-endpoint-health-zeros | /health of an unknown endpoint answers zeros
wrong-endpoint-purge-zero | /purge-queue of an unknown endpoint answers removed 0
wrong-endpoint-run-accepted | /run of an unknown endpoint answers an id
unknown-job-by-prototype | job ids like constructor yield 500
endpoint-by-prototype | endpoint ids like constructor yield 500
malformed-job-id-is-500 | a job id of another form than those given yields 500
long-job-id-is-500 | a job id of more than 64 characters yields 500
expired-while-queued-is-400 | jobs that expired before they ran answer 400

# 7 | | 500 | Internal Server Error | Endpoint-side failure; the worker may have crashed. |
crash-breaks-endpoint | after a worker crash every call of the endpoint yields 500

# 7 | | 404 | Not Found | Wrong endpoint id;
endpoint-id-case-ignored | an endpoint is found by its id in another case
endpoint-id-with-tail | an endpoint is found by its id followed by anything
endpoint-id-shortened | an endpoint is found by a beginning of its id
job-id-shortened | a job is found by a beginning of its id

# 8 | | \`/run\` payload | 10 MB |
run-limit-missing | any size is accepted
payload-run-double
run-limit-one | the limit is 1 MB
payload-run-half
run-oversize-is-500 | too large a body yields 500
run-oversize-hangs-up | too large a body closes the connection without an answer
  legal: 7/oversize-code=connection-closed
run-oversize-makes-job | the answer refuses, but a job has been queued
run-limit-in-characters | characters are counted, not bytes

# 8 | | \`/runsync\` payload | 20 MB |
runsync-limit-missing | any size is accepted
payload-sync-like-run
runsync-limit-one | the limit is 1 MB

# 8 | Requests beyond the effective limit receive 429.
rate-not-enforced rate-run-unlimited
rate-missing-on-runsync | /runsync is not limited
  legal: at most 400 calls at a time that each wait a second are 4000 in ten: two windows may share them
rate-status-unlimited rate-stream-unlimited rate-cancel-unlimited rate-purge-queue-unlimited
rate-missing-on-openai | /openai/* is not limited
  legal: 8/requests-per-worker=other: where a worker runs, nobody knows how far it raises the limit
rate-requests-unlimited
rate-one-too-low | the last request of the allowance is refused
rate-one-too-high | one request too many passes
rate-halved | half the allowance
rate-503
rate-is-403 | the answer is 403
rate-acts-anyway | the answer is 429, but the call has taken effect
rate-retry-limited-as-purge | /retry is limited like /purge-queue
  contested: rate limits for /retry are not shown
  legal: 8/retry-limit=limited
rate-health-limited-as-purge | /health is limited like /purge-queue
  contested: rate limits for /health are not shown
  legal: 8/health-limit=limited
rate-refusal-resets | a refused request sets the count to 0
rate-spread-per-second | of the rate a tenth may come in each second
concurrency-leaks-when-refused | a refused request holds its slot for good

# 8 | 2000 requests per 10 seconds
rate-never-resets | an allowance once used up is gone for good
rate-window-one-minute rate-window-one-second
rate-refusals-prolong | every refused request starts the window anew

# 8 | Rate limits, enforced per endpoint and per operation:
rate-shared-by-operations rate-status-as-stream rate-shared-by-endpoints
rate-per-job | the allowance is per job id, so it is never used up
rate-of-cancel-per-job | the allowance of /cancel is per job
rate-of-status-per-job | the allowance of /status is per job
rate-of-stream-per-job | the allowance of /stream is per job
rate-retry-draws-from-run | every /retry takes one from the allowance of /run
rate-health-draws-from-status | every /health takes one from the allowance of /status
rate-tokens-pile-up | what is not used of one window may be used in the next
rate-resets-once | an allowance is given back once; used up a second time, it is gone for good

# 8 | | \`/runsync\` | POST | 2000 requests per 10 seconds | 400 |
concurrency-not-enforced concurrency-runsync-unlimited
concurrency-halved | the 201st waiting /runsync is refused
concurrency-leaks | the slot of a call that ends in an error is not given back
concurrency-leaks-when-clients-hang-up | the slot of a call whose client has hung up is never given back
concurrency-counts-queued-jobs | jobs of /run that wait count against /run
concurrency-leaks-when-wait-elapses | the slot of a call whose wait has elapsed is not given back

# 8 | Dynamic rule: the effective limit is the higher of
rate-lower-of | the lower of the two is used
rate-dynamic-only | only running workers × requests_per_worker is used

# 8 | | \`/status\` | GET | 2000 requests per 10 seconds | 400 |
status-limited-per-job | a job may be read a hundred times in ten seconds

# 9 | The API version is the path segment \`v2\` in every operation path.
any-version
  contested: nothing forbids answering to further paths
version-missing-passes | paths without the segment pass as well
  contested: nothing forbids answering to further paths

# 2.2 | The timer starts at submission and covers queue time, execution time and anything between.
ttl-restarts-on-health | every /health starts the ttl of all jobs anew
ttl-restarts-on-requests | every /requests starts the ttl of all jobs anew

# 2.2 | Maximum time a job may run once a worker has picked it up.
execution-timeout-restarts-on-stream | every /stream of a running job starts its executionTimeout anew
execution-timeout-restarts-on-health | every /health starts the executionTimeout of all running jobs anew
execution-timeout-restarts-on-requests | every /requests starts the executionTimeout of all running jobs anew

# 4.2 | Result retention: 30 minutes after completion.
retention-restarts-on-health | every /health starts the retention of all results anew
retention-restarts-on-requests | every /requests starts the retention of all results anew
`;
