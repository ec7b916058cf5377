/**
 * Faults that show where two sentences meet: at a second run, at an odd value, for the n-th of many, in one kind of job or
 * end alone, between calls that overlap. A table, hence its length.
 */
import { breaking } from './fault-groups.js';

export const WHERE_THINGS_MEET = [
  // Submissions: kinds that are forgotten, values that a language takes for others
  breaking('2.1', '| `input` | JSON object | yes |', {
    'runsync-input-unchecked': '/runsync takes whatever stands for input, and {} where nothing does',
  }),
  breaking('2.1', '| `policy` | object | no | Execution policy (2.2). |', {
    'policy-array-accepted': 'policy: [] is accepted',
    'policy-falsy-accepted': 'policy: "", 0 and false are taken as absent',
    's3-array-accepted': 's3Config: [] is accepted',
    's3-falsy-accepted': 's3Config: "", 0 and false are taken as absent',
    'webhook-falsy-accepted': 'webhook: 0 and false are taken as absent',
    'low-priority-number-accepted': 'lowPriority: 1 and 0 are accepted',
  }),
  breaking('2.2', 'min 5 seconds, max 7 days', {
    'runsync-policy-unchecked': 'the limits of policy are not checked for /runsync; values are used as given',
    'ttl-array-accepted': 'ttl: [60000] is accepted as 60000',
    'execution-timeout-boolean-accepted': 'executionTimeout: true is taken as absent',
  }),
  breaking('2.2', '| `policy` | object | no | Execution policy (2.2). |', {
    'runsync-policy-ignored': 'the policy of a /runsync job has no effect',
  }),
  breaking('2.2', '| `executionTimeout` | integer, milliseconds | 600000 (10 minutes) |', {
    'execution-timeout-none-beside-ttl': 'a policy without executionTimeout means that nothing is enforced',
    'runsync-execution-timeout-default-is-wait':
      'without executionTimeout, a /runsync job is stopped after wait',
    'execution-timeout-cut-to-seconds': 'what is beyond whole seconds is cut off',
    'execution-timeout-cut-to-minutes': 'what is beyond whole minutes is cut off',
  }),
  breaking('2.2', '| `ttl` | integer, milliseconds | 86400000 (24 hours) |', {
    'ttl-none-beside-execution-timeout': 'a policy without ttl means that the job never expires',
    'runsync-ttl-default-five-minutes': 'without ttl, a /runsync job is deleted after 5 minutes',
    'runsync-ttl-default-one-hour': 'without ttl, a /runsync job is deleted after an hour',
    'ttl-cut-to-seconds': 'what is beyond whole seconds is cut off',
    'ttl-cut-to-minutes': 'what is beyond whole minutes is cut off',
  }),
  breaking('7', '| 400 | Bad the service | Malformed the service or parameters. |', {
    'malformed-tail-accepted': 'what follows the JSON text is ignored',
    'malformed-commas-accepted': 'trailing commas are accepted',
    'malformed-nan-accepted': 'NaN and Infinity are accepted as numbers',
    'malformed-quotes-accepted': 'single quotes are accepted',
    'runsync-malformed-json-accepted': 'a body of /runsync that is no JSON is taken as input {}',
    'wait-number-prefix-accepted': 'wait=2000x is taken as 2000',
    'status-ttl-number-prefix-accepted': 'ttl=6000x is taken as 6000',
  }),
  // Values on their way
  breaking('2.1', "Parameters for the worker's handler. Its content is defined by the worker", {
    'input-numeric-texts-as-numbers': '"42" reaches the worker as 42',
    'input-boolean-texts-as-booleans': '"true" reaches the worker as true',
    'input-floats-of-32-bits': 'fractions reach the worker with seven digits',
    'input-astral-lost': 'characters beyond U+FFFF reach the worker as question marks',
    'input-empty-key-lost': 'a member whose name is empty does not reach the worker',
    'input-dollar-keys-lost': 'members whose name begins with $ do not reach the worker',
    'input-keys-snake-case': 'camelCase names reach the worker as snake_case',
    'input-singletons-unwrapped': 'an array of one member reaches the worker as that member',
    'input-long-text-cut': 'a text of more than 65535 characters is cut there',
    'input-empty-object-as-array': '{} within input reaches the worker as []',
    'input-large-numbers-as-texts': 'numbers above 2^53 reach the worker as texts',
    'input-exponents-lost': 'numbers below a millionth reach the worker as 0',
    'input-duplicates-removed': 'equal members of an array reach the worker once',
    'input-tabs-as-blanks': 'tabs and line ends reach the worker as blanks',
    'input-percent-decoded': '%20 reaches the worker as a blank',
    'input-plus-as-blank': '+ reaches the worker as a blank',
  }),
  breaking('2.3', 'The service only passes this information along', {
    's3-missing-as-null': 'members that an s3Config lacks reach the worker as null',
    's3-secret-percent-encoded': 'accessSecret reaches the worker percent-encoded',
    's3-endpoint-without-scheme': 'endpointUrl reaches the worker without https://',
    's3-trimmed': 'members reach the worker without blanks around them',
    's3-in-input': 'members of s3Config are added to input as well',
  }),
  breaking('2.4', "Produced by the worker's handler; shape defined by the handler.", {
    'output-json-text-parsed': 'an output that is a text holding JSON is shown as what it holds',
    'output-numeric-texts-as-numbers': '"42" within output is shown as 42',
    'output-trimmed': 'texts within output are trimmed',
    'output-html-escaped': '& and < are shown as &amp; and &lt;',
    'output-nul-lost': 'the character U+0000 is lost',
    'output-astral-lost': 'characters beyond U+FFFF turn into question marks',
    'output-floats-of-32-bits': 'fractions keep seven digits',
    'output-keys-snake-case': 'camelCase names are shown as snake_case',
    'output-singletons-unwrapped': 'an array of one member is shown as that member',
    'output-empty-object-as-array': '{} is shown as []',
    'output-empty-key-lost': 'a member whose name is empty is lost',
    'output-spread-into-record': 'the members of an output that is an object stand beside id and status, too',
    'output-error-member-fails-job': 'an output with a member error makes the job FAILED',
    'output-status-member-holds': 'a member status of the output replaces that of the job',
    'output-id-member-holds': 'a member id of the output replaces that of the job',
    'output-output-member-unwrapped': 'an output {"output": X} is shown as X',
    'output-falsy-never-completes': 'a job that returns null, 0, false or "" stays IN_PROGRESS',
    'output-falsy-fails': 'a job that returns null, 0, false or "" is FAILED',
    'output-text-in-object': 'an output that is a text is shown as {"result": text}',
    'output-deep-lost': 'what is nested more than five levels deep is shown as "[Object]"',
    'output-dates-reformatted': 'texts that look like dates are shown in another form',
  }),
  breaking('2.5', 'the incremental result produced by the handler (shape defined by the handler)', {
    'stream-trimmed': 'texts are delivered without blanks around them',
    'stream-blank-lost': 'texts of blanks alone are not delivered',
    'stream-lines-split': 'a text of several lines is delivered as several chunks',
    'stream-arrays-flattened': 'a result that is an array is delivered as one chunk per member',
    'stream-null-ends': 'a result that is null ends the stream',
    'stream-output-member-unwrapped': 'a result {"output": X} is delivered as X',
    'stream-json-text-parsed': 'a text that holds JSON is delivered as what it holds',
    'stream-astral-lost': 'characters beyond U+FFFF turn into question marks',
    'stream-nulls-dropped': 'members that are null are lost',
    'stream-done-ends': 'a text [DONE] ends the stream',
    'stream-line-ends-lost': 'a line end at the end of a text is lost',
  }),
  breaking('4.4', 'delivering incremental results as produced', {
    'stream-read-at-most-ten': 'a read delivers the first ten new chunks; the others are lost',
    'stream-one-per-instant': 'of the chunks of one millisecond one is kept',
    'stream-large-after-small': 'a large result that is split comes after the small one that follows it',
    'stream-second-read-repeats-last': 'each read begins with the last chunk of the read before',
    'stream-first-worker-only': 'what a job streams that starts while another runs is lost',
  }),
  breaking('4.4', 'larger outputs are split over several chunks', {
    'stream-split-drops-short-rest': 'a rest of less than a tenth of the limit is lost',
    'stream-list-cut': 'a large list is cut, not split',
    'stream-second-large-lost':
      'of several large results of a job only the first is split, the others are cut',
  }),
  // Times of their own
  breaking(
    '2.4',
    '| `executionTime` | integer | `/runsync`, `/status` | Time the job ran. Unit: not shown. |',
    {
      'execution-modulo-second': 'whole seconds are left out: the milliseconds of a time span are shown',
      'execution-modulo-minute': 'whole minutes are left out',
      'execution-zero-when-failed': 'executionTime of failed jobs is 0',
      'execution-zero-when-overrun': 'executionTime of jobs that overran is 0',
      'execution-of-16-bits': 'executionTime is cut to 16 bits',
      'times-zero-in-runsync': 'the times of a record that /runsync answers are 0',
      'times-missing-in-runsync': 'the record that /runsync answers has no times',
      'execution-frozen-at-first-read': 'executionTime is what it was when the job was read first',
    },
  ),
  breaking('2.4', '| `delayTime` | integer | `/runsync`, `/status` | Time the job waited before execution.', {
    'delay-modulo-second': 'whole seconds are left out',
    'delay-modulo-minute': 'whole minutes are left out',
    'delay-zero-when-failed': 'delayTime of failed jobs is 0',
    'delay-zero-after-wait': 'delayTime of jobs that waited in the queue is 0 in /runsync',
  }),
  // Ends
  breaking('3', '| `IN_PROGRESS` | handler or worker error | error | `FAILED` | |', {
    'empty-error-completes': 'a handler error with an empty message is COMPLETED',
    'crash-after-streaming-completes': 'a worker that dies after it has streamed completes its job',
    'failure-after-streaming-completes': 'a handler error after streaming completes the job',
    'crash-after-retry-hangs': 'a crash in the run after a retry leaves the job IN_PROGRESS',
    'crash-of-second-worker-hangs': 'a crash while another job runs leaves the job IN_PROGRESS',
    'crash-requeued-endlessly': 'a crashed job is run again after a second, however often it crashes',
  }),
  // Policy, ttl and retention: sweepers, timers, second runs
  breaking('2.2', 'Maximum time a job may run once a worker has picked it up.', {
    'overrun-one-per-instant': 'of the jobs that are due at one instant one is stopped',
    'execution-timeout-looked-at-when-read': 'a job that overruns is stopped when it is read',
    'execution-timeout-swept-each-minute': 'a sweep every minute stops the jobs that overrun',
    'execution-timeout-first-worker-only': 'a job that starts while another runs is never stopped',
    'overrun-after-retry-keeps-worker': 'a retried job that overruns keeps its worker',
    'execution-timeout-not-when-waited': 'a job that had to wait in the queue is never stopped',
    'execution-timeout-ends-with-wait': 'once the /runsync call is answered, nothing stops its job',
    'overrun-shows-completed-chunks': 'a job that overran after it has streamed is COMPLETED',
  }),
  breaking('2.2', 'When `ttl` expires, the job is deleted whatever its state.', {
    'ttl-one-per-instant': 'of the jobs that are due at one instant one is deleted',
    'ttl-swept-each-minute': 'a sweep every minute deletes what is due',
    'ttl-sweep-at-most-ten':
      'a sweep every second deletes at most ten jobs; of more, the others stay for good',
    'ttl-in-queue-when-picked': 'a waiting job is deleted when a worker gets to it',
    'ttl-ignored-after-cancel-of-running': 'cancelling a running job stops its ttl',
    'ttl-ignored-after-second-failure': 'a job that has failed twice does not expire',
    'ttl-after-retry-keeps-worker': 'a retried job deleted while it runs keeps its worker',
    'ttl-ignored-when-streamed': 'a job that has streamed does not expire while it runs',
    'ttl-ignored-beside-webhook': 'jobs with a webhook do not expire',
  }),
  breaking('2.6', '| `removed` | integer (number of queued jobs removed) |', {
    'purge-counts-expired': 'jobs that expired in the queue are counted',
    'purge-counts-run-only': 'jobs of /runsync are removed and not counted',
    'purge-race': 'of two purges at once both count the same jobs',
  }),
  breaking('4.7', 'Removes all jobs waiting in the queue; jobs in progress keep running.', {
    'purge-at-most-hundred': 'at most a hundred jobs are removed',
    'purge-of-empty-queue-is-404': 'a purge that finds nothing answers 404',
    'purge-stops-retried': 'retried jobs are removed while they run',
    'purge-ends-streams': 'a purge drops the chunks of running jobs',
    'purge-frees-workers': 'after a purge workers that are busy take another job',
  }),
  breaking('4.1', 'Result retention: 1 minute after completion', {
    'retention-one-per-instant': 'of the results that are due at one instant one is deleted',
    'runsync-result-lost-after-wait': 'a result that comes after the call was answered is not kept',
    'runsync-retention-of-failed-none':
      'a failed job of /runsync is gone as soon as the call has been answered',
  }),
  breaking('4.2', 'Result retention: 30 minutes after completion.', {
    'retention-from-first-read': 'the 30 minutes count from the first read of the result',
    'retention-swept-each-ten-minutes': 'a sweep every ten minutes deletes what is due',
    'retention-sweep-at-most-ten':
      'a sweep deletes at most ten results; of more, the others stay until their ttl',
    'retention-not-of-streamed': 'results of jobs that streamed are kept until their ttl',
    'retention-not-after-retry': 'the result of a retried job is kept until its ttl',
    'retention-after-retry-one-minute': 'the result of a retried job is kept one minute',
    'retention-restarts-on-cancel': '/cancel of an ended job starts its retention anew',
  }),
  breaking('4.3', 'sets the time-to-live of the individual job (a value of 6000 means 6 seconds)', {
    'status-ttl-not-for-runsync': 'the parameter has no effect on jobs of /runsync',
    'status-ttl-ignored-after-retry': 'the parameter has no effect on retried jobs',
    'status-ttl-keeps-worker': 'a running job deleted by it keeps its worker',
    'status-ttl-still-runs': 'a waiting job deleted by it is still run',
    'status-ttl-leaks-in-health': 'a job deleted by it still counts as waiting or running',
    'status-ttl-cut-to-ten-seconds': 'what is beyond whole ten seconds is cut off',
    'status-ttl-only-when-shorter-than-policy': 'it cannot go beyond the ttl of the policy',
  }),
  // Retry
  breaking('4.6', 'Requeues a job with the same id and original input and removes the previous output.', {
    'retry-late-end-of-first-run': 'a handler that overran runs on, and its end ends the retried run',
    'retry-late-chunks-of-first-run': 'a handler that overran runs on and streams into the retried run',
    'retry-output-lost': 'a job that completes after a retry has no output',
    'retry-stream-stays-closed': 'what is streamed after a retry is not delivered',
    'retry-delayed-ten-seconds': 'a retried job waits ten seconds, though a worker is free',
    'retry-delayed-a-minute': 'a retried job waits a minute, though a worker is free',
    'retry-shows-old-state-for-a-second': 'for a second after /retry the job shows its old state',
    'retry-race': 'two retries at once are both accepted, and the job runs twice',
    'retry-lost-when-busy': 'a job retried while no worker is free is never run',
    'retry-takes-failed-along': '/retry of a failed job puts the others that failed into the queue as well',
  }),
  breaking('4.6', 'Only valid for jobs whose status is `FAILED` or `TIMED_OUT`.', {
    'retry-only-within-a-minute': 'a job of /run that failed more than a minute ago is refused',
    'retry-not-after-three': 'a fourth retry is refused',
    'refused-retry-removes-output': 'a refused retry removes the output',
    'refused-retry-removes-chunks': 'a refused retry removes the chunks',
    'refused-retry-stops-running': 'a refused retry stops the running job for good',
    'refused-retry-requeues-later': 'a retry of a running job is refused, and done when the job has ended',
  }),
  breaking('2.7', '| `jobs.retried` | integer |', {
    'health-retried-counts-refused': 'refused retries are counted',
  }),
  // Cancel
  breaking('4.5', 'Stops an in-progress job or removes a queued job before it starts', {
    'cancel-removes-head': 'cancelling a waiting job takes the first of the queue out instead',
    'cancel-again-frees-again': 'cancelling a cancelled job frees a worker once more',
    'cancel-of-ended-frees-worker': 'cancelling an ended job frees a worker',
    'cancel-lags-a-second': 'for a second after /cancel the job shows its old state',
    'cancel-404-at-first': 'a job cannot be cancelled in the first 200 ms',
    'cancel-after-retry-stops-nothing':
      'cancelling a retried running job stops its first run: the second keeps the worker',
    'cancel-after-retry-feigned': 'cancelling a retried running job answers CANCELLED and does nothing',
    'cancel-race': 'two cancels at once free two workers',
    'cancel-answers-ten-seconds-later': '/cancel is answered ten seconds after the job was stopped',
  }),
  breaking('2.7', '| `jobs.inProgress` | integer |', {
    'cancel-of-ended-counts-down': 'cancelling an ended job takes one from jobs.inProgress',
    'health-progress-below-after-retry': 'retrying a job that overran takes one from jobs.inProgress',
    'health-progress-misses-runsync': 'running jobs of /runsync are not counted',
    'health-progress-misses-retried': 'running jobs that were retried are not counted',
    'health-progress-leaks-on-crash': 'jobs whose worker died still count as running',
    'health-progress-leaks-on-overrun': 'jobs that overran still count as running',
  }),
  // Waiting calls
  breaking('4.1', 'It sets how long the the service waits for completion', {
    'waits-one-per-instant': 'of the calls whose wait elapses at one instant one is answered',
    'wait-timer-shared': 'there is one timer: a call that waits takes it from the one before',
    'wait-cut-to-seconds': 'what is beyond whole seconds is cut off',
    'wait-elapsed-shows-submission': 'the record given when wait elapses is that of the submission',
  }),
  breaking('4.1', 'the complete result in a single response when the job finished', {
    'runsync-waiters-overwritten': 'of several waiting calls only the last is told that its job has ended',
    'wait-polled-every-ten-seconds': 'a waiting call looks every ten seconds whether its job has ended',
    'runsync-overrun-waits-on': 'a job that overruns does not end the waiting',
  }),
  // Health
  breaking('2.7', '| `jobs.completed` | integer |', {
    'health-completed-misses-runsync': 'jobs of /runsync are not counted',
    'health-completed-misses-retried': 'jobs that complete after a retry are not counted',
    'health-completed-twice-for-runsync': 'jobs of /runsync whose call waits count twice',
    'health-completed-misses-streaming': 'jobs that streamed are not counted',
  }),
  breaking('2.7', '| `jobs.failed` | integer |', {
    'health-failed-misses-crashes': 'jobs whose worker died are not counted',
    'health-failed-misses-runsync': 'failed jobs of /runsync are not counted',
  }),
  breaking('2.7', '| `jobs.inQueue` | integer |', {
    'health-queue-misses-low-priority': 'waiting jobs with lowPriority are not counted',
    'health-queue-misses-runsync': 'waiting jobs of /runsync are not counted',
    'health-queue-at-most-ten': 'jobs.inQueue stops at 10',
  }),
  breaking('2.7', '| `workers.running` | integer |', {
    'health-running-leaks-on-cancel': 'a worker whose job was cancelled still counts as running',
    'health-running-leaks-on-overrun': 'a worker whose job overran still counts as running',
    'health-running-leaks-on-ttl': 'a worker whose job was deleted still counts as running',
    'health-running-misses-retried': 'a worker with a retried job does not count as running',
  }),
  breaking('2.7', '| `workers.idle` | integer |', {
    'health-idle-drops-on-crash': 'a worker that replaced one that died is not counted',
    'health-500-without-workers': 'without workers /health answers 500',
    'health-404-before-first-job': 'before the first job /health answers 404',
  }),
  // Webhooks
  breaking('6', 'Address called when the job completes', {
    'webhook-not-for-waiting-jobs': 'jobs that had to wait in the queue call no webhook',
    'webhook-not-after-wait': 'a /runsync job that completes after its call was answered calls no webhook',
    'webhook-not-for-low-priority': 'jobs with lowPriority call no webhook',
    'webhook-not-when-read': 'no webhook is called when the job was read while it ran',
    'webhook-not-beside-s3': 'jobs with an s3Config call no webhook',
  }),
  breaking('6', "URL in the submission's `webhook` field", {
    'webhook-url-cut-at-255': 'a URL of more than 255 characters is cut there',
    'webhook-query-names-merged': 'of several query parameters of one name the last is kept',
    'webhook-trailing-slash-lost': 'a slash at the end of the path is dropped',
    'webhook-query-plus-decoded': '+ in the query becomes %20',
    'webhook-empty-parameters-lost': 'query parameters without a value are dropped',
    'webhook-query-sorted': 'query parameters are sorted by name',
  }),
  breaking(
    '6',
    'If the call fails, the service retries up to 2 more times, waiting 10 seconds between attempts.',
    {
      'webhook-success-stops-others': 'a call that succeeds stops the repeating of all others',
      'webhook-dropped-when-read': 'reading the result stops the repeating',
      'webhook-repeats-without-query': 'repeated calls lack the query of the URL',
      'webhook-ten-pending-only':
        'of more than ten webhooks that are to be repeated the oldest are forgotten',
      'webhook-dropped-by-next-submission': 'a submission stops the repeating for jobs before it',
    },
  ),
  // Rates
  breaking('8', 'Rate limits, enforced per endpoint and per operation:', {
    'rate-tokens-pile-up': 'what is not used of one window may be used in the next',
    'rate-resets-once': 'an allowance is given back once; used up a second time, it is gone for good',
  }),
  // Keys and paths
  breaking('5', 'A missing or wrong key, or a key without permission, yields 401 (section 7).', {
    'auth-part-of-key': 'a text that holds the key passes',
    'auth-first-call-only': 'once a key has passed at an endpoint, a missing header passes there',
  }),
  breaking(
    '7',
    '| 404 | Not Found | Wrong endpoint id; also a job whose `ttl` expired or whose result expired. |',
    {
      'job-id-with-tail': 'a job is found by its id followed by anything',
      'wrong-endpoint-health-zeros': '/health of an unknown endpoint answers zeros',
      'wrong-endpoint-purge-zero': '/purge-queue of an unknown endpoint answers removed 0',
      'wrong-endpoint-run-accepted': '/run of an unknown endpoint answers an id',
      'unknown-job-by-prototype': 'job ids like constructor yield 500',
      'endpoint-by-prototype': 'endpoint ids like constructor yield 500',
      'malformed-job-id-is-500': 'a job id of another form than those given yields 500',
      'long-job-id-is-500': 'a job id of more than 64 characters yields 500',
      'expired-while-queued-is-400': 'jobs that expired before they ran answer 400',
    },
  ),
  // Many, idle, small and large
  breaking('1', 'When no worker is free, the job waits in a queue.', {
    'queue-of-three-hundred': 'a job that finds 300 waiting is answered 429',
    'queue-of-fifty-drops-oldest': 'of more than fifty waiting jobs the oldest is dropped',
    'id-by-count': 'ids count the jobs that exist: after a deletion one is given twice',
    'first-job-after-idle-lost': 'a job submitted after ten minutes without any is lost',
    'workers-sleep-after-idle': 'workers that were idle for an hour do not wake up any more',
    'resize-does-not-wake': 'jobs that wait when workers are added are taken at the next submission',
    'start-race': 'two submissions at once are given to one worker',
  }),
] as const;
