/**
 * Faults that come of habits: what frameworks, languages and stores do of themselves, what is easy to forget in code that
 * waits, and what one writes down once for all. A table, hence its length.
 */
import { breaking } from './fault-groups.js';

export const OF_HABIT = [
  // Values on their way
  breaking('2.1', "Parameters for the worker's handler. Its content is defined by the worker", {
    'input-zero-width-lost': 'characters without width do not reach the worker',
    'input-backslashes-lost': 'backslashes do not reach the worker',
    'input-quotes-doubled': 'single quotes reach the worker twice',
    'input-tags-stripped': 'what stands between < and > does not reach the worker',
    'input-numbers-of-14-digits': 'numbers reach the worker with 14 digits',
    'input-long-arrays-cut': 'of an array the first hundred members reach the worker',
    'input-array-nulls-lost': 'null within arrays does not reach the worker',
    'input-keys-trimmed': 'names reach the worker without blanks around them',
    'input-numbered-keys-as-array': '{"0": X, "1": Y} reaches the worker as [X, Y]',
    'input-underscore-keys-lost': 'members whose name begins with _ do not reach the worker',
    'input-constructor-lost': 'members named constructor do not reach the worker',
    'input-keys-merged-by-case': 'of members whose names differ in case alone one reaches the worker',
    'input-empty-texts-as-null': 'empty texts reach the worker as null',
    'input-placeholders-filled': '${name} within a text is filled in: with nothing',
    'input-nested-over-thirty-refused': 'an input nested more than thirty levels deep is refused',
    'input-with-webhook-added': 'the worker gets the webhook as a member of input',
    'input-member-webhook-called': 'a member webhook of input is called where the submission has none',
    'input-member-policy-used': 'a member policy of input counts where the submission has none',
    'input-member-input-unwrapped': 'an input with a member input reaches the worker as that member',
    'input-over-four-megabytes-fails': 'a job with an input over 4 MB is accepted and FAILED',
    'runsync-input-over-sixteen-megabytes-fails': 'a job with an input over 16 MB is accepted and FAILED',
  }),
  breaking('2.4', "Produced by the worker's handler; shape defined by the handler.", {
    'output-empty-texts-as-null': 'empty texts are shown as null',
    'output-array-nulls-lost': 'null within arrays is lost',
    'output-numbers-of-14-digits': 'numbers keep 14 digits',
    'output-long-arrays-cut': 'arrays keep their first hundred members',
    'output-numbered-keys-as-array': '{"0": X, "1": Y} is shown as [X, Y]',
    'output-underscore-keys-lost': 'members whose name begins with _ are lost',
    'output-constructor-lost': 'members named constructor are lost',
    'output-proto-lost': 'members named __proto__ are lost',
    'output-dollar-keys-lost': 'members whose name begins with $ are lost',
    'output-dotted-keys-nested': '{"a.b": 1} is shown as {"a": {"b": 1}}',
    'output-large-numbers-as-texts': 'numbers above 2^53 are shown as texts',
    'output-exponents-lost': 'numbers below a millionth are shown as 0',
    'output-backslashes-lost': 'backslashes are lost',
    'output-line-breaks-unified': 'CR LF is shown as LF',
    'output-unicode-normalised': 'composed and decomposed characters are shown in one form',
    'output-boolean-texts-as-booleans': '"true" is shown as true',
  }),
  breaking('2.5', 'the incremental result produced by the handler (shape defined by the handler)', {
    'stream-html-escaped': '& and < are delivered as &amp; and &lt;',
    'stream-empty-containers-lost': 'results that are {} or [] are not delivered',
    'stream-empty-text-ends': 'a result that is an empty text ends the stream',
    'stream-false-ends': 'a result that is false ends the stream',
    'stream-numeric-texts-as-numbers': '"42" is delivered as 42',
    'stream-error-member-fails-job': 'a result with a member error makes the job FAILED',
    'stream-empty-texts-as-null': 'empty texts within results are delivered as null',
    'stream-numbers-of-14-digits': 'numbers keep 14 digits',
    'stream-floats-of-32-bits': 'fractions keep seven digits',
    'stream-keys-snake-case': 'camelCase names are delivered as snake_case',
    'stream-nul-lost': 'the character U+0000 is lost',
    'stream-singletons-unwrapped': 'an array of one member is delivered as that member',
    'stream-dates-reformatted': 'texts that look like dates are delivered in another form',
  }),
  breaking('4.4', 'delivering incremental results as produced', {
    'stream-from-first-read': 'what was streamed before the first read is not delivered',
    'stream-closes-when-empty': 'once a read has found nothing new, nothing is delivered any more',
    'stream-read-while-waiting-stays-empty': 'a read of a waiting job ends its stream',
    'stream-answers-crossed': 'of two reads under way both are answered with the job of the later',
  }),
  // Malformed
  breaking('7', '| 400 | Bad the service | Malformed the service or parameters. |', {
    'policy-null-is-500': 'policy: null crashes the handler of the call',
    's3-null-is-500': 's3Config: null crashes the handler of the call',
    'webhook-no-url-is-500': 'a webhook that is no URL crashes the handler of the call',
    'webhook-number-is-500': 'a webhook that is no text crashes the handler of the call',
    'body-null-is-500': 'a body that is null crashes the handler of the call',
    'empty-body-is-500': 'an empty body crashes the handler of the call',
    'wait-malformed-is-500': 'a wait that is no number crashes the handler of the call',
    'status-ttl-malformed-is-500': 'a ttl that is no number crashes the handler of the call',
  }),
  breaking('4.5', 'No body.', {
    'empty-json-body-refused': 'a call without a body that names JSON as its content type is refused',
  }),
  breaking('1', 'bodies are JSON (`content-type: application/json`)', {
    'charset-refused': 'a content type that names a charset is refused',
    'errors-in-words': 'the body of a refusal is a sentence',
  }),
  // Queue and workers
  breaking('1', "When a worker is free, the worker's handler processes the job.", {
    'dispatch-in-batches': 'jobs are started together, the next ones when all of them have ended',
    'worker-chosen-at-submission': 'a job waits for the worker it was given at submission',
    'retry-waits-for-first-worker': 'a retried job waits for the worker that ran it first',
    'submissions-at-once-overwritten': 'of submissions that overlap the last to end is queued',
    'retry-second-delayed': 'a second retry waits ten seconds, though a worker is free',
  }),
  breaking('1', 'When no worker is free, the job waits in a queue.', {
    'runsync-runs-beside': 'jobs of /runsync start though no worker is free',
  }),
  breaking('4.5', 'Stops an in-progress job or removes a queued job before it starts', {
    'cancel-of-running-drops-last': 'cancelling a running job takes the last of the queue out as well',
    'cancel-of-ended-drops-last': 'cancelling an ended job takes the last of the queue out',
  }),
  breaking('2.2', 'If it expires while the job runs, the job is removed at once', {
    'ttl-of-running-drops-last': 'a running job that expires takes the last of the queue out as well',
  }),
  breaking('2.2', 'Maximum time a job may run once a worker has picked it up.', {
    'execution-timeout-over-all-runs': 'what the first run took is missing from the second',
    'execution-timeout-capped-at-a-day': 'no executionTimeout above a day holds',
    'overrun-flag-stays-on-job': 'a job that overran is stopped as soon as it runs again',
  }),
  breaking('4.6', 'Requeues a job with the same id and original input and removes the previous output.', {
    'retry-adds-attempt-to-input': 'the retried run gets the number of its attempt within input',
    'retry-refused-while-webhook-pending': 'a job whose webhook is still being tried is not retried',
    'retry-of-runsync-kept-like-run': 'the result of a retried /runsync job is kept for 30 minutes',
    'ended-record-cached': 'the record of an ended job is cached: after a retry the old one is shown',
  }),
  breaking('2.2', 'later status checks return 404 even if the job would have completed', {
    'ended-record-cached-past-expiry': 'the record of an ended job that was read is shown for good',
  }),
  breaking('4.7', 'Removes all jobs waiting in the queue; jobs in progress keep running.', {
    'purge-spares-newest-second': 'jobs submitted within the last second stay',
  }),
  breaking('4.3', 'sets the time-to-live of the individual job (a value of 6000 means 6 seconds)', {
    'status-ttl-restarts-on-plain-read': 'once set, it starts anew with every /status',
  }),
  breaking('4.3', 'Response: job record with `id`, `status`', {
    'status-answers-crossed': 'of two reads under way both are answered with the job of the later',
  }),
  // Times
  breaking(
    '2.4',
    '| `executionTime` | integer | `/runsync`, `/status` | Time the job ran. Unit: not shown. |',
    {
      'execution-modulo-hour': 'whole hours are left out',
      'execution-of-first-run': 'after a retry executionTime is that of the first run',
      'execution-from-first-start': 'after a retry executionTime counts from the first start',
    },
  ),
  breaking('2.4', '| `delayTime` | integer | `/runsync`, `/status` | Time the job waited before execution.', {
    'delay-modulo-hour': 'whole hours are left out',
  }),
  // Waiting calls
  breaking('4.1', 'It sets how long the the service waits for completion', {
    'wait-capped-at-two-minutes': 'the call never waits longer than 120 seconds',
    'runsync-purged-never-answered': 'a call whose job is purged is never answered',
    'runsync-cancelled-never-answered': 'a call whose job is cancelled is never answered',
    'runsync-expired-never-answered': 'a call whose job is deleted by its ttl is never answered',
  }),
  // Health
  breaking('2.7', '| `jobs.inProgress` | integer |', {
    'health-progress-counts-waiting-calls': 'jobs of /runsync that wait for a worker count as running',
    'health-progress-twice-down-on-cancel': 'cancelling a running job takes two from jobs.inProgress',
    'health-progress-twice-down-on-overrun': 'a job that overruns takes two from jobs.inProgress',
    'health-progress-twice-down-on-ttl': 'a running job that expires takes two from jobs.inProgress',
  }),
  breaking('2.7', '| `jobs.completed` | integer |', {
    'health-completed-counts-stopped': 'a cancelled job counts as completed when it would have ended',
  }),
  breaking('2.7', '| `jobs.inQueue` | integer |', {
    'health-queue-counts-retried-twice': 'retried jobs that wait count twice',
  }),
  // Endpoints, jobs and keys by name
  breaking('1', '`<endpoint_id>` is a string identifying the endpoint.', {
    'purge-by-beginning-of-endpoint': '/purge-queue empties endpoints, too, whose ids begin with this one',
    'health-by-beginning-of-endpoint': '/health counts endpoints, too, whose ids begin with this one',
  }),
  breaking('7', '| 404 | Not Found | Wrong endpoint id;', {
    'endpoint-id-case-ignored': 'an endpoint is found by its id in another case',
    'endpoint-id-with-tail': 'an endpoint is found by its id followed by anything',
    'endpoint-id-shortened': 'an endpoint is found by a beginning of its id',
    'job-id-shortened': 'a job is found by a beginning of its id',
  }),
  breaking('5', 'A missing or wrong key, or a key without permission, yields 401 (section 7).', {
    'auth-end-of-key': 'an end of the key passes',
    'auth-words-after-key-ignored': 'the key followed by a blank and anything passes',
  }),
  // Webhooks
  breaking('6', "URL in the submission's `webhook` field", {
    'webhook-path-decoded': 'the path of the URL is decoded',
    'webhook-double-slashes-merged': 'double slashes in the path become one',
  }),
  breaking('6', 'Address called when the job completes', {
    'webhook-once-per-url': 'a URL that has been called for one job is not called for another',
  }),
  breaking(
    '6',
    'If the call fails, the service retries up to 2 more times, waiting 10 seconds between attempts.',
    {
      'webhook-host-banned-after-failures': 'a host that has failed three times is left alone for a minute',
      'webhook-attempts-kept-over-retry': 'attempts made before a retry count for the run after it',
    },
  ),
  // Breakers, brakes and locks
  breaking('1', "When a worker is free, the worker's handler processes the job.", {
    'redelivered-after-an-hour': 'a job still running after an hour is given to a worker once more',
    'failure-pauses-queue': 'after a failure no job is started for thirty seconds',
    'queue-stops-after-five-failures': 'after five failures in a row no job is started any more',
    'queue-stops-after-three-crashes': 'after three crashes no job is started any more',
    'purge-holds-queue-ten-seconds': 'after a purge no job is started for ten seconds',
  }),
  breaking('4.2', 'Returns immediately.', {
    'runsync-blocks-run': 'while a /runsync waits, /run is not answered',
  }),
  breaking('4.6', 'Requeues a job with the same id and original input and removes the previous output.', {
    'retry-answers-when-started': 'the call is answered when a worker has taken the job',
    'retry-answers-at-the-end': 'the call is answered when the job has ended again',
  }),
  breaking('4.7', 'jobs in progress keep running', {
    'purge-waits-for-running': 'the call is answered when the running jobs have ended',
  }),
  breaking('4.5', 'Stops an in-progress job or removes a queued job before it starts', {
    'cancel-finds-run-by-input': 'of running jobs with one input the oldest is stopped, whichever is named',
  }),
  breaking('2.2', 'Maximum time a job may run once a worker has picked it up.', {
    'status-ttl-clears-execution-timeout': 'a ttl given to /status takes the timer of the running job',
  }),
  breaking('2.4', '| `output` | any JSON (object or array) |', {
    'output-over-one-megabyte-fails': 'a job that returns more than 1 MB is FAILED',
    'output-over-one-megabyte-lost': 'an output of more than 1 MB is lost',
  }),
  breaking('2.7', '| `workers.running` | integer |', {
    'health-workers-of-all-endpoints': 'busy workers of all endpoints are counted',
  }),
  breaking('6', 'If the call fails, the service retries up to 2 more times', {
    'webhook-dropped-by-cancel': 'a /cancel of any job stops the repeating of all webhooks',
  }),
  breaking('8', '| `/status` | GET | 2000 requests per 10 seconds | 400 |', {
    'status-limited-per-job': 'a job may be read a hundred times in ten seconds',
  }),
  // Rates
  breaking('8', 'Requests beyond the effective limit receive 429.', {
    'rate-spread-per-second': 'of the rate a tenth may come in each second',
    'concurrency-leaks-when-refused': 'a refused request holds its slot for good',
  }),
] as const;
