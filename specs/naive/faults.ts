/**
 * Ways in which sensible programmers get the document wrong, one at a time, each with the sentence it breaks.
 * This is a table, hence its length; the code of each stands in the server under `fault === '<id>'`, or, where it only
 * changes a value, in `wrong-values.ts`.
 */
import { breaking, type Group, type IdsOf } from './fault-groups.js';
import { OF_HABIT } from './faults-of-habit.js';
import { WHERE_THINGS_MEET } from './faults-where-things-meet.js';

const GROUPS = [
  // 1 and 2.1: submissions
  breaking('1', 'When no worker is free, the job waits in a queue.', {
    'queue-of-one': 'a job that arrives while another waits is dropped: its id is unknown from then on',
    'queue-refuses-when-busy': 'no worker free: 429 instead of a place in the queue',
    'one-worker-too-many': 'one job more than there are workers runs at the same time',
  }),
  breaking('1', "When a worker is free, the worker's handler processes the job.", {
    'queue-not-woken': 'a worker that gets free does not look at the queue; only the next submission does',
    'one-worker-only': 'however many workers there are, one job runs at a time',
    'job-runs-twice': 'a finished job is run a second time',
    'worker-lost-after-failure': 'a worker whose handler failed takes no more jobs',
    'worker-lost-after-crash': 'a crashed worker is not replaced',
    'worker-lost-after-timeout': 'a worker whose job overran takes no more jobs',
    'worker-lost-after-cancel': 'a worker whose job was cancelled takes no more jobs',
    'worker-lost-after-ttl': 'a worker whose job was deleted by ttl takes no more jobs',
    'worker-doubled-after-cancel': 'cancelling a running job frees its worker twice',
    'input-of-latest-job': 'workers get the input of the job submitted last',
  }),
  breaking('1', '`<endpoint_id>` is a string identifying the endpoint.', {
    'endpoints-share-jobs': 'a job of one endpoint can be read and changed through another',
    'purge-reaches-all-endpoints': '/purge-queue empties the queues of all endpoints',
    'health-of-all-endpoints': '/health adds up all endpoints',
  }),
  breaking('2.1', '| `input` | JSON object | yes |', {
    'input-missing-accepted': 'a body without input is taken as input {}',
    'input-array-accepted': 'an array passes as input',
    'input-string-accepted': 'a string passes as input',
    'input-null-accepted': 'null passes as input',
    'input-empty-refused': '{} is refused as input',
    'body-array-is-500': 'a body that is no object crashes the handler of the call',
  }),
  breaking(
    '2.1',
    "Parameters for the worker's handler. Its content is defined by the worker, not by the service.",
    {
      'input-nulls-dropped': 'members that are null do not reach the worker',
      'input-numbers-as-strings': 'numbers inside objects reach the worker as strings',
      'input-trimmed': 'strings reach the worker without their leading and trailing blanks',
      'input-unicode-mangled': 'characters outside latin-1 reach the worker as question marks',
      'input-empty-arrays-dropped': 'empty arrays do not reach the worker',
    },
  ),
  breaking('2.1', '| `webhook` | string (URL) | no |', {
    'webhook-wrong-type-accepted': 'webhook: 42 is accepted',
    'webhook-required': 'a submission without webhook is refused',
  }),
  breaking('2.1', '| `policy` | object | no | Execution policy (2.2). |', {
    'policy-wrong-type-accepted': 'policy: "fast" is accepted and ignored',
    'policy-ignored': 'the whole policy is ignored',
    'policy-required': 'a submission without policy is refused',
  }),

  // 2.2: executionTimeout
  breaking('2.2', 'Maximum time a job may run once a worker has picked it up.', {
    'execution-timeout-not-enforced': 'nothing ends a job that overruns',
    'execution-timeout-from-submission': 'the time in the queue counts, once the job runs',
    'execution-timeout-in-seconds': 'the value is taken as seconds',
    'execution-timeout-halved': 'fires after half the time',
    'execution-timeout-doubled': 'fires after twice the time',
    'execution-timeout-policy-ignored': 'the default is used whatever the job says',
    'execution-timeout-deletes-job': 'a job that overruns is gone: 404',
    'execution-timeout-completes': 'a job that overruns is COMPLETED',
    'execution-timeout-cancels': 'a job that overruns is CANCELLED',
    'execution-timeout-overwritten':
      'the handler runs on after the timeout, and its late result replaces the state',
    'execution-timeout-restarts-on-chunk': 'every streamed chunk starts the timeout anew',
    'execution-timeout-of-first-run': "the first run's timer lives on and ends the retried run",
  }),
  breaking('2.2', 'Only enforced during execution.', {
    'execution-timeout-in-queue':
      'a job that waits longer than its executionTimeout is timed out in the queue',
  }),
  breaking('2.2', "Overrides the endpoint's default setting for this job only.", {
    'execution-timeout-sticks': "one job's executionTimeout becomes the default of the jobs after it",
  }),
  breaking(
    '2.2',
    '| `executionTimeout` | integer, milliseconds | 600000 (10 minutes) | min 5 seconds, max 7 days |',
    {
      'execution-timeout-default-one-minute': 'the default is one minute',
      'execution-timeout-default-one-hour': 'the default is one hour',
      'execution-timeout-default-none': 'without a policy nothing is enforced',
      'execution-timeout-min-not-enforced': 'values under 5 seconds are accepted and used',
      'execution-timeout-max-not-enforced': 'values over 7 days are accepted and used',
      'execution-timeout-min-too-high': 'values under 10 seconds are refused',
      'execution-timeout-min-exclusive': 'exactly 5000 is refused',
      'execution-timeout-max-too-low': 'values over 1 day are refused',
      'execution-timeout-max-exclusive': 'exactly 604800000 is refused',
      'execution-timeout-fraction-accepted': '5000.5 is accepted',
      'execution-timeout-string-accepted': '"6000" is accepted',
    },
  ),
  breaking('2.2', 'When true, the job does not trigger worker scaling.', {
    'low-priority-never-runs': 'jobs with lowPriority stay in the queue for good',
    'low-priority-refused': 'lowPriority: true is refused',
    'low-priority-string-accepted': 'lowPriority: "yes" is accepted',
  }),

  // 2.2: ttl
  breaking(
    '2.2',
    'The timer starts at submission and covers queue time, execution time and anything between.',
    {
      'ttl-ignored': 'ttl has no effect',
      'ttl-from-start': 'the timer starts when a worker picks the job up; queued jobs do not expire',
      'ttl-restarts-at-start': 'picking the job up starts the timer anew',
      'ttl-from-end': 'the timer starts when the job ends',
      'ttl-in-seconds': 'the value is taken as seconds',
      'ttl-halved': 'expires after half the time',
      'ttl-doubled': 'expires after twice the time',
      'ttl-restarts-on-read': 'every /status starts the timer anew',
      'ttl-sticks': "one job's ttl becomes the default of the jobs after it",
      'ttl-ignored-for-runsync': 'jobs of /runsync do not expire by ttl',
      'ttl-gone-after-retry': 'a retried job has no ttl any more',
    },
  ),
  breaking('2.2', 'When `ttl` expires, the job is deleted whatever its state.', {
    'ttl-ignored-in-queue': 'a waiting job does not expire',
    'ttl-ignored-while-running': 'a running job does not expire, nor its result',
    'ttl-ignored-when-completed': 'a completed job lives its retention',
    'ttl-ignored-when-failed': 'a failed job lives its retention',
    'ttl-ignored-when-cancelled': 'a cancelled job lives its retention',
    'ttl-expired-still-counted': 'an expired job still counts as waiting or running in /health',
    'ttl-expired-still-runs':
      'the expired job is forgotten but its entry in the queue still occupies a worker',
    'ttl-marks-failed': 'a job whose ttl expires becomes FAILED instead of being deleted',
  }),
  breaking('2.2', 'If it expires while the job runs, the job is removed at once', {
    'ttl-waits-for-the-run': 'a running job is removed when its run has ended',
    'ttl-handler-runs-on': 'the job is gone but its handler keeps the worker until it is done',
  }),
  breaking('2.2', 'later status checks return 404 even if the job would have completed', {
    'ttl-result-resurrects': 'the result reported after the expiry brings the job back',
    'expired-is-410': 'expired jobs answer 410',
    'expired-is-200': 'expired jobs answer 200 with status EXPIRED',
    'expired-still-streams': '/stream still answers for a deleted job',
    'expired-still-cancels': '/cancel still answers for a deleted job',
    'runsync-waits-past-ttl':
      'a waiting /runsync is not answered when the job expires, only when wait has elapsed',
  }),
  breaking('2.2', '| `ttl` | integer, milliseconds | 86400000 (24 hours) | min 10 seconds, max 7 days |', {
    'ttl-default-one-hour': 'the default is one hour',
    'ttl-default-seven-days': 'the default is seven days',
    'ttl-default-none': 'without a policy a job never expires',
    'ttl-min-not-enforced': 'values under 10 seconds are accepted and used',
    'ttl-max-not-enforced': 'values over 7 days are accepted and used',
    'ttl-min-too-high': 'values under 1 minute are refused',
    'ttl-min-exclusive': 'exactly 10000 is refused',
    'ttl-max-too-low': 'values over 1 day are refused',
    'ttl-max-exclusive': 'exactly 604800000 is refused',
    'ttl-string-accepted': '"60000" is accepted',
    'ttl-negative-accepted': 'a negative ttl is accepted as the default',
  }),

  // 2.3
  breaking(
    '2.3',
    'The service only passes this information along; the worker must contain the logic that uses it.',
    {
      's3-dropped': 'the worker does not get s3Config',
      's3-secret-masked': 'the worker gets accessSecret as ***',
      's3-renamed': 'the worker gets the members in snake_case',
      's3-dropped-on-retry': 'the retried run gets no s3Config',
      's3-dropped-for-runsync': 'jobs of /runsync get no s3Config',
      's3-of-latest-job': 'workers get the s3Config of the job submitted last',
      's3-of-previous-job': 'a job without s3Config gets that of an earlier one',
      's3-in-record': 'the record shows the s3Config of the job',
      's3-in-cancel': 'the answer of /cancel shows the s3Config of the job',
      's3-in-webhook': 'the webhook is told the whole submission',
      's3-endpoint-url-slash': 'a slash is appended to endpointUrl',
      's3-output-stored': 'the service itself puts the output of a job into its bucket',
      's3-bucket-looked-for': 'the service itself asks the storage for the bucket of a submission',
    },
  ),

  // 2.4: the record
  breaking('2.4', 'Job identifier, assigned by the service. Stays the same across a retry.', {
    'id-is-number': 'id is a JSON number',
    'id-reused': 'the id of a deleted job is given to a later one',
    'id-by-input': 'the id is a digest of the input: the same input gives the same job',
    'id-missing-in-status': '/status does not name the id',
    'retry-new-id': '/retry makes a new job with a new id',
  }),
  breaking('2.4', 'One of the states in section 3.', {
    'status-lower-case': 'status is in lower case',
    'status-running': 'RUNNING for IN_PROGRESS',
    'status-queued': 'QUEUED for IN_QUEUE in /status',
    'status-canceled': 'CANCELED with one L',
    'status-missing-at-end': 'ended jobs have no status',
    'status-error': 'ERROR for FAILED',
  }),
  breaking('2.4', '| `output` | any JSON (object or array) | `/runsync`, `/status` (optional) |', {
    'output-array-lost': 'an output that is an array is lost',
    'output-array-in-object': 'an output that is an array is wrapped in an object',
    'output-stringified': 'output is a string holding JSON',
    'output-nested-twice': 'output is {"output": output}',
    'output-unicode-mangled': 'characters outside latin-1 turn into question marks',
    'output-keys-lost-when-null': 'members that are null are lost',
    'output-floats-rounded': 'fractions in the output are cut off',
    'output-large-lost': 'outputs over 64 kB are lost',
    'output-large-cut': 'strings of the output are cut at 65536 characters',
    'output-of-previous-job': 'a job gets the output of the job that ended before it',
    'output-read-once': 'the output is gone after it has been read',
    'output-missing-in-status': 'only /runsync shows the output',
  }),
  breaking(
    '2.4',
    '| `delayTime` | integer | `/runsync`, `/status` | Time the job waited before execution. Unit: not shown. |',
    {
      'delay-zero': 'delayTime is always 0',
      'delay-includes-execution': 'delayTime counts the execution as well',
      'delay-and-execution-swapped': 'the two times stand in the place of each other',
      'delay-keeps-growing': 'delayTime grows after the job has started',
      'delay-fractional': 'delayTime is no integer',
      'delay-missing': 'completed jobs have no delayTime',
      'delay-as-string': 'delayTime is a string',
    },
  ),
  breaking(
    '2.4',
    '| `executionTime` | integer | `/runsync`, `/status` | Time the job ran. Unit: not shown. |',
    {
      'execution-zero': 'executionTime is always 0',
      'execution-includes-delay': 'executionTime counts from submission',
      'execution-keeps-growing': 'executionTime grows after the job has ended',
      'execution-missing': 'completed jobs have no executionTime',
      'execution-as-string': 'executionTime is a string',
    },
  ),

  // 3
  breaking('3', '| `IN_QUEUE` | a worker becomes available | a worker is free | `IN_PROGRESS` |', {
    'progress-never-shown': 'a running job still shows IN_QUEUE',
    'progress-from-submission': 'a waiting job shows IN_PROGRESS',
  }),
  breaking('3', '| `IN_PROGRESS` | handler finishes | success | `COMPLETED` |', {
    'completed-late': 'the result becomes visible one minute after the end',
    'completed-stays-in-progress': 'a finished job stays IN_PROGRESS',
  }),
  breaking('3', '| `IN_PROGRESS` | handler or worker error | error | `FAILED` | |', {
    'handler-error-completes': 'a handler error is COMPLETED with the message as output',
    'handler-error-stays-in-progress': 'after a handler error the job stays IN_PROGRESS',
    'crash-hangs': 'after a crash the job stays IN_PROGRESS',
    'crash-completes': 'a crashed job is COMPLETED',
    'crash-forgets-job': 'a crashed job is gone: 404',
    'crash-stays-in-queue': 'a crashed job goes back to the queue for good, and no worker takes it again',
    'failed-status-is-500': 'the /status of a failed job answers 500',
    'failed-is-timed-out': 'a handler error is TIMED_OUT',
  }),

  // 4.1
  breaking(
    '4.1',
    'It sets how long the the service waits for completion; it does not set how long results are kept.',
    {
      'wait-ignored': 'the call waits 90 seconds whatever wait says',
      'wait-in-seconds': 'wait is taken as seconds',
      'wait-halved': 'the call waits half as long',
      'wait-endless': 'the call waits until the job has ended',
      'wait-deletes-job': 'the job is deleted when wait elapses',
      'wait-cancels-job': 'the job is cancelled when wait elapses',
      'wait-fails-job': 'the job is FAILED when wait elapses',
      'wait-is-execution-timeout': 'wait becomes the executionTimeout of the job',
      'wait-claims-completed': 'the record given when wait elapses says COMPLETED',
    },
  ),
  breaking('4.1', 'integer, milliseconds, 1000 to 300000, default 90000 (90 seconds)', {
    'wait-default-ten-seconds': 'the default is 10 seconds',
    'wait-default-five-minutes': 'the default is 300 seconds',
    'wait-max-not-enforced': 'a wait over 300000 is accepted and used',
    'wait-min-not-enforced': 'a wait under 1000 is accepted and used',
    'wait-capped-at-one-minute': 'the call never waits longer than 60 seconds',
    'wait-min-exclusive': 'wait=1000 is refused',
    'wait-max-exclusive': 'wait=300000 is refused',
    'wait-malformed-accepted': 'wait=abc is taken as the default',
  }),
  breaking('4.1', 'the complete result in a single response when the job finished', {
    'runsync-returns-at-once': 'the call does not wait',
    'runsync-returns-at-start': 'the call answers when the job starts',
    'runsync-never-early': 'the call answers when wait elapses, never earlier',
    'runsync-one-at-a-time': 'while one call waits, the others are answered at once',
    'runsync-failure-waits-on': 'a failed job does not end the waiting',
    'runsync-cancel-waits-on': 'a cancelled job does not end the waiting',
    'runsync-output-missing': 'the response has no output',
    'runsync-output-only': 'the response is the output alone',
    'runsync-results-crossed': 'a waiting call is answered with the job that ends first',
    'runsync-job-unknown-to-status': 'jobs of /runsync cannot be read through /status',
  }),
  breaking('4.1', 'Result retention: 1 minute after completion (up to 5 minutes with `wait`).', {
    'runsync-retention-thirty-minutes': 'results are kept as long as those of /run',
    'runsync-retention-thirty-seconds': 'results are kept half a minute',
    'runsync-retention-from-submission': 'the minute starts at submission',
    'runsync-retention-none': 'the result is gone as soon as the call has been answered',
    'runsync-retention-ten-minutes-with-wait': 'with wait, results are kept 10 minutes',
    'runsync-retention-never': 'results live until ttl',
  }),
  // 4.2
  breaking(
    '4.2',
    'Response: `{id: string, status: string}` where `status` is `IN_QUEUE`. Returns immediately.',
    {
      'run-waits': 'the call answers when the job has ended',
      'run-shows-current-status': 'the answer has the status of the moment, e.g. IN_PROGRESS',
      'run-answers-id-only': 'the answer has no status',
      'run-answers-wrong-id': 'the id in the answer is not that of the job',
    },
  ),
  breaking('4.2', 'Result retention: 30 minutes after completion.', {
    'run-retention-one-minute': 'results are kept one minute',
    'run-retention-three-minutes': 'results are kept three minutes',
    'run-retention-one-day': 'results are kept a day, at most until ttl',
    'run-retention-never': 'results are kept until ttl',
    'run-retention-from-submission': 'the 30 minutes start at submission',
    'run-retention-from-start': 'the 30 minutes start when a worker picks the job up',
    'run-retention-restarts-on-read': 'every /status starts the 30 minutes anew',
    'retention-drops-output-only': 'after the retention the record stays, without output',
    'retention-streams-on': 'after the retention /stream still answers',
  }),
  // 4.3
  breaking('4.3', 'sets the time-to-live of the individual job (a value of 6000 means 6 seconds)', {
    'status-ttl-ignored': 'the parameter has no effect',
    'status-ttl-in-seconds': 'the value is taken as seconds',
    'status-ttl-for-all-jobs': 'the parameter changes all jobs of the endpoint',
    'status-ttl-deletes-at-once': 'any value deletes the job after this read',
    'status-ttl-min-ten-seconds': 'values under 10000 are refused',
    'status-ttl-not-while-running': 'the parameter has no effect on running jobs',
    'status-ttl-once-finished-only': 'the parameter works on ended jobs only',
    'status-ttl-malformed-accepted': 'ttl=abc is ignored',
  }),
  breaking(
    '4.3',
    'Response: job record with `id`, `status`, `delayTime`, `executionTime` and, when available, `output`.',
    {
      'status-stale': 'the record is cached for five seconds',
      'status-waits': 'the call answers when the job has ended',
      'status-never-answered': 'the call is never answered',
      'status-404-until-ended': 'a job can be read only when it has ended',
      'status-404-while-queued': 'a waiting job cannot be read',
      'status-deletes-ended-job': 'an ended job can be read once',
      'status-of-latest-job': 'the record shown is that of the job submitted last',
    },
  ),
  // 4.4
  breaking('4.4', 'delivering incremental results as produced', {
    'stream-loses-first': 'the first chunk is never delivered',
    'stream-loses-last': 'the last chunk of a finished job is never delivered',
    'stream-latest-only': 'a read delivers the newest chunk only; those before it are lost',
    'stream-duplicates': 'every chunk is delivered twice',
    'stream-reversed': 'the chunks of one read come in reverse order',
    'stream-only-at-end': 'nothing is delivered before the job has ended',
    'stream-gone-at-end': 'nothing is delivered once the job has ended',
    'stream-falsy-lost': 'chunks whose output is 0, false, "" or null are lost',
    'stream-mixes-jobs': 'chunks go to the stream of the job submitted last',
    'stream-lost-on-failure': 'a failed job loses the chunks not yet read',
    'stream-every-tenth-lost': 'every tenth chunk is lost',
  }),
  breaking('4.4', 'Response: JSON array of stream chunks (2.5)', {
    'stream-in-object': 'the array is wrapped in an object',
    'stream-ndjson': 'one chunk per line, no array',
    'stream-single-object': 'a read with one chunk answers the chunk without array',
  }),
  breaking('2.5', 'the incremental result produced by the handler (shape defined by the handler)', {
    'stream-bare-values': 'elements are the values themselves, without `output`',
    'stream-stringified': 'outputs that are no strings are turned into strings',
    'stream-joined': 'the strings of one read are joined into one chunk',
  }),
  breaking('4.4', 'A single streamed chunk is at most 1 MB; larger outputs are split over several chunks.', {
    'stream-not-split': 'a large output is one chunk',
    'stream-cut': 'a large output is cut off at the limit',
    'stream-dropped-when-large': 'a large output is not delivered',
    'stream-split-loses-byte': 'splitting loses one character at each cut',
    'stream-split-overlaps': 'splitting repeats one character at each cut',
    'stream-split-reversed': 'the parts come in reverse order',
    'stream-split-at-two': 'the limit is 2 MB',
    'stream-large-fails-job': 'a large output fails the job',
  }),
  // 4.5
  breaking('4.5', 'Stops an in-progress job or removes a queued job before it starts', {
    'cancel-leaves-in-queue': 'a cancelled queued job is still run, its state overwritten',
    'cancel-does-not-stop': 'the handler runs on and its result replaces CANCELLED',
    'cancel-keeps-worker': 'the handler runs on, silently, and occupies its worker',
    'cancel-queued-only': 'cancelling a running job is refused',
    'cancel-running-only': 'cancelling a queued job is refused',
    'cancel-takes-all': 'all queued jobs are cancelled',
    'cancel-takes-neighbour': 'the next job in the queue is removed as well',
    'cancel-does-nothing': 'the answer says CANCELLED, the job goes on',
    'cancel-unknown-is-200': 'an unknown job id is answered with CANCELLED',
    'cancel-timed-out-later': "the stopped run's timeout lives on and replaces CANCELLED",
  }),
  breaking('4.5', 'with `status` equal to `CANCELLED`', {
    'cancel-answers-old-status': 'the answer has the status before the cancelling',
    'cancel-answers-no-body': '204 without a body',
    'cancel-answers-no-id': 'the answer has no id',
    'cancel-marks-failed': 'a cancelled job shows FAILED afterwards',
    'cancel-marks-completed': 'a cancelled job shows COMPLETED afterwards',
    'cancel-back-to-queue': 'a cancelled running job goes back to the queue',
  }),
  // 4.6
  breaking('4.6', 'Requeues a job with the same id and original input and removes the previous output.', {
    'retry-keeps-output': 'the previous output or error stays visible',
    'retry-keeps-chunks': 'the chunks of the first run are still streamed',
    'retry-loses-input': 'the retried run gets an empty input',
    'retry-wraps-input': 'the retried run gets {"input": input}',
    'retry-loses-policy': 'the retried run has the default executionTimeout',
    'retry-not-queued': 'the job says IN_QUEUE but no worker ever takes it',
    'retry-queued-twice': 'the retried job runs twice',
    'retry-does-nothing': 'the answer says IN_QUEUE, the job stays as it is',
    'retry-old-retention': 'the retention timer of the first run deletes the retried job',
    'retry-deletes-old-record': 'the job is unknown until the retried run has ended',
    'retry-skips-queue': 'the retried job starts at once, though no worker is free',
  }),
  breaking('4.6', 'Only valid for jobs whose status is `FAILED` or `TIMED_OUT`.', {
    'retry-of-completed': 'a COMPLETED job is retried',
    'retry-of-cancelled': 'a CANCELLED job is retried',
    'retry-of-queued': 'a queued job is queued a second time',
    'retry-of-running': 'a running job is started a second time',
    'retry-of-failed-refused': 'a FAILED job is refused',
    'retry-of-timed-out-refused': 'a job that overran is refused',
    'retry-once-only': 'a second retry is refused',
    'retry-unknown-is-200': 'an unknown job id is answered with IN_QUEUE',
  }),
  breaking('4.6', 'Expired jobs cannot be retried.', {
    'retry-of-expired': 'a job deleted by ttl or retention is brought back',
  }),
  breaking('4.6', 'Response: `{id: string, status: string}` with `status` equal to `IN_QUEUE`.', {
    'retry-answers-old-status': 'the answer has the status before the retry',
    'retry-answers-no-body': '204 without a body',
  }),
  // 4.7
  breaking('4.7', 'Removes all jobs waiting in the queue; jobs in progress keep running.', {
    'purge-stops-running': 'running jobs are removed too',
    'purge-keeps-first': 'the first job of the queue stays',
    'purge-keeps-low-priority': 'jobs with lowPriority stay',
    'purge-at-most-ten': 'at most ten jobs are removed',
    'purge-does-nothing': 'the jobs are counted but stay',
    'purge-forgets-results': 'ended jobs are removed too',
    'purge-leaves-record': 'the job leaves the queue but shows IN_QUEUE for good',
    'purge-still-runs': 'purged jobs are unknown to /status, yet workers still run them',
    'purge-closes-queue': 'jobs submitted after a purge are never run',
    'purge-marks-completed': 'purged jobs show COMPLETED',
  }),
  breaking('2.6', '| `removed` | integer (number of queued jobs removed) |', {
    'purge-counts-running': 'running jobs are counted, though not removed',
    'purge-counts-cancelled': 'jobs cancelled in the queue are counted',
    'purge-counts-zero': 'removed is always 0',
    'purge-counts-one-less': 'removed is one too low',
    'purge-counts-all-jobs': 'removed is the number of all known jobs',
    'purge-counts-as-string': 'removed is a string',
    'purge-answers-ids': 'removed is the list of ids',
  }),
  breaking('2.6', '| `status` | string (the value `completed`, lower case) |', {
    'purge-status-upper-case': 'status is COMPLETED',
    'purge-status-ok': 'status is ok',
  }),
  // 4.8, 2.7
  breaking('2.7', '| `jobs.completed` | integer |', {
    'health-completed-zero': 'jobs.completed is always 0',
    'health-completed-counts-all-ended': 'failed and cancelled jobs count as completed',
    'health-completed-twice': 'a completed job counts twice',
  }),
  breaking('2.7', '| `jobs.failed` | integer |', {
    'health-failed-zero': 'jobs.failed is always 0',
    'health-failed-counts-cancelled': 'cancelled jobs count as failed',
  }),
  breaking('2.7', '| `jobs.inProgress` | integer |', {
    'health-progress-zero': 'jobs.inProgress is always 0',
    'health-progress-not-freed': 'jobs that fail still count as running',
    'health-progress-not-freed-on-cancel': 'jobs cancelled while running still count as running',
  }),
  breaking('2.7', '| `jobs.inQueue` | integer |', {
    'health-queue-zero': 'jobs.inQueue is always 0',
    'health-queue-counts-running': 'running jobs count as waiting too',
    'health-queue-not-freed-on-cancel': 'jobs cancelled in the queue still count as waiting',
    'health-queue-not-freed-on-purge': 'purged jobs still count as waiting',
    'health-queue-misses-retried': 'retried jobs that wait are not counted',
  }),
  breaking('2.7', '| `workers.idle` | integer |', {
    'health-idle-is-all': 'workers.idle counts busy workers as well',
    'health-idle-zero': 'workers.idle is always 0',
    'health-workers-swapped': 'idle and running stand in the place of each other',
  }),
  breaking('2.7', '| `workers.running` | integer |', {
    'health-running-zero': 'workers.running is always 0',
    'health-running-counts-queue': 'workers.running counts waiting jobs',
    'health-flat': 'the members are not nested: jobsCompleted and so on',
    'health-strings': 'all numbers are strings',
    'health-without-workers': 'there is no member workers',
    'health-stale': 'the record is cached for ten seconds',
  }),
  // 5
  breaking('5', 'A missing or wrong key, or a key without permission, yields 401 (section 7).', {
    'auth-off': 'no key is asked for',
    'auth-missing-accepted': 'a call without the header passes',
    'auth-missing-is-403': 'a missing key yields 403',
    'auth-missing-is-400': 'a missing key yields 400',
    'auth-missing-is-500': 'a missing key crashes the handler of the call',
    'auth-wrong-accepted': 'any key passes',
    'auth-wrong-is-403': 'a wrong key yields 403',
    'auth-wrong-is-404': 'a wrong key yields 404',
    'auth-permission-not-checked': 'a key without permission passes',
    'auth-permission-for-submissions-only': 'a key without permission is refused by /run and /runsync alone',
    'auth-permission-is-403': 'a key without permission yields 403',
    'auth-prefix-of-key': 'a beginning of the key passes',
    'auth-key-with-tail': 'the key followed by anything passes',
    'auth-case-ignored': 'the key passes in another case',
    'auth-empty-accepted': 'an empty key passes',
    'auth-any-bearer': 'any key after Bearer passes',
    'auth-same-length': 'any key of the right length passes',
    'auth-acts-anyway': 'the answer is 401, but the call has taken effect',
    'auth-redirects': 'a missing key is redirected to a login page',
  }),
  breaking('4', 'All operations require authentication (section 5).', {
    'auth-not-on-health': '/health needs no key',
    'auth-not-on-status': '/status needs no key',
    'auth-not-on-stream': '/stream needs no key',
    'auth-not-on-cancel': '/cancel needs no key',
    'auth-not-on-retry': '/retry needs no key',
    'auth-not-on-purge': '/purge-queue needs no key',
    'auth-not-on-run': '/run needs no key',
    'auth-not-on-runsync': '/runsync needs no key',
    'auth-not-on-other-paths': '/openai/* and /requests need no key',
  }),
  // 6
  breaking('6', 'Address called when the job completes', {
    'webhook-never': 'no webhook is ever called',
    'webhook-on-submission': 'the webhook is called at submission',
    'webhook-on-start': 'the webhook is called when the job starts',
    'webhook-a-minute-late': 'the webhook is called a minute after completion',
    'webhook-run-only': 'jobs of /runsync call no webhook',
    'webhook-runsync-only': 'jobs of /run call no webhook',
    'webhook-not-after-retry': 'a job that completes after a retry calls no webhook',
    'webhook-first-job-only': 'only the first job of an endpoint calls its webhook',
    'webhook-twice': 'two calls at once',
    'webhook-without-query': 'the query string of the URL is dropped',
    'webhook-path-lower-case': 'the path of the URL is turned to lower case',
  }),
  breaking('6', "URL in the submission's `webhook` field", {
    'webhook-of-latest-job': 'the URL called is that of the job submitted last',
    'webhook-origin-only': 'the path of the URL is dropped',
  }),
  breaking('6', '`webhook` was supplied', {
    'webhook-sticks': 'jobs without webhook call that of an earlier job',
  }),
  breaking('6', 'The receiving server should answer with status 200.', {
    'webhook-retries-after-200': 'all three calls are made, whatever the answer',
    'webhook-stops-on-any-answer': 'any HTTP answer counts as success',
    'webhook-200-is-failure': 'only 204 counts as success',
  }),
  breaking(
    '6',
    'If the call fails, the service retries up to 2 more times, waiting 10 seconds between attempts.',
    {
      'webhook-one-attempt': 'no retry',
      'webhook-two-attempts': 'one retry',
      'webhook-four-attempts': 'three retries',
      'webhook-endless-attempts': 'retries until the call succeeds',
      'webhook-pause-one-second': 'the pause is 1 s',
      'webhook-pause-ten-milliseconds': 'the pause is 10 ms',
      'webhook-pause-none': 'the retries follow at once',
      'webhook-pause-one-minute': 'the pause is 60 s',
      'webhook-pause-doubles': 'the pauses are 10 s and 20 s',
      'webhook-refused-not-retried': 'a call that could not connect is not made again',
      'webhook-4xx-not-retried': 'an answer 4xx is not retried',
      'webhook-5xx-not-retried': 'an answer 5xx is not retried',
      'webhook-one-at-a-time': 'while one webhook is being retried, all others wait',
      'webhook-holds-job': 'the job stays IN_PROGRESS until the webhook is done',
      'webhook-holds-worker': 'the worker is not free until the webhook is done',
      'webhook-failure-fails-job': 'the job becomes FAILED when the webhook fails',
      'webhook-failure-requeues-job': 'the job is run again when the webhook fails',
    },
  ),
  // 7
  breaking('7', '| 400 | Bad the service | Malformed the service or parameters. |', {
    'malformed-json-is-500': 'a body that is no JSON crashes the handler of the call',
    'malformed-json-accepted': 'a body that is no JSON is taken as input {}',
    'malformed-is-422': 'malformed bodies and parameters yield 422',
    'malformed-is-200': 'malformed bodies yield 200 with an error inside',
    'malformed-json-makes-job': 'the answer is 400, but a job has been queued',
  }),
  breaking(
    '7',
    '| 404 | Not Found | Wrong endpoint id; also a job whose `ttl` expired or whose result expired. |',
    {
      'wrong-endpoint-is-500': 'an unknown endpoint id yields 500',
      'wrong-endpoint-is-400': 'an unknown endpoint id yields 400',
      'wrong-endpoint-is-401': 'an unknown endpoint id yields 401',
      'wrong-endpoint-accepted': 'an unknown endpoint id is served by some endpoint',
      'wrong-endpoint-created': 'an unknown endpoint id makes a new endpoint',
      'unknown-job-is-500': 'an unknown job id yields 500',
      'unknown-job-is-200': 'an unknown job id yields 200 with an empty record',
      'unknown-job-streams-empty': '/stream of an unknown job id yields an empty array',
      'unknown-job-is-204': 'an unknown job id yields 204',
    },
  ),
  breaking('7', '| 500 | Internal Server Error | Endpoint-side failure; the worker may have crashed. |', {
    'crash-breaks-endpoint': 'after a worker crash every call of the endpoint yields 500',
  }),
  // 8
  breaking('8', '| `/run` payload | 10 MB |', {
    'run-limit-missing': 'any size is accepted',
    'run-limit-twenty': 'the limit of /runsync is used',
    'run-limit-one': 'the limit is 1 MB',
    'run-limit-five': 'the limit is 5 MB',
    'run-oversize-is-500': 'too large a body yields 500',
    'run-oversize-hangs-up': 'too large a body closes the connection without an answer',
    'run-oversize-makes-job': 'the answer refuses, but a job has been queued',
  }),
  breaking('8', '| `/runsync` payload | 20 MB |', {
    'runsync-limit-missing': 'any size is accepted',
    'runsync-limit-ten': 'the limit of /run is used',
    'runsync-limit-one': 'the limit is 1 MB',
  }),
  breaking('8', 'Requests beyond the effective limit receive 429.', {
    'rate-missing': 'no rate is limited',
    'rate-missing-on-run': '/run is not limited',
    'rate-missing-on-runsync': '/runsync is not limited',
    'rate-missing-on-status': '/status is not limited',
    'rate-missing-on-stream': '/stream is not limited',
    'rate-missing-on-cancel': '/cancel is not limited',
    'rate-missing-on-purge': '/purge-queue is not limited',
    'rate-missing-on-openai': '/openai/* is not limited',
    'rate-missing-on-requests': '/requests is not limited',
    'rate-one-too-low': 'the last request of the allowance is refused',
    'rate-one-too-high': 'one request too many passes',
    'rate-halved': 'half the allowance',
    'rate-is-503': 'the answer is 503',
    'rate-is-403': 'the answer is 403',
    'rate-acts-anyway': 'the answer is 429, but the call has taken effect',
    'rate-retry-limited-as-purge': '/retry is limited like /purge-queue',
    'rate-health-limited-as-purge': '/health is limited like /purge-queue',
  }),
  breaking('8', '2000 requests per 10 seconds', {
    'rate-never-resets': 'an allowance once used up is gone for good',
    'rate-window-one-minute': 'the window is one minute',
    'rate-window-one-second': 'the window is one second',
    'rate-refusals-prolong': 'every refused request starts the window anew',
  }),
  breaking('8', 'Rate limits, enforced per endpoint and per operation:', {
    'rate-shared-by-operations': 'all operations draw from one allowance',
    'rate-shared-status-stream': '/status and /stream draw from one allowance',
    'rate-shared-by-endpoints': 'all endpoints draw from one allowance',
    'rate-per-job': 'the allowance is per job id, so it is never used up',
  }),
  breaking('8', '| `/runsync` | POST | 2000 requests per 10 seconds | 400 |', {
    'concurrency-missing': 'any number of /runsync calls may wait',
    'concurrency-halved': 'the 201st waiting /runsync is refused',
    'concurrency-leaks': 'the slot of a call that ends in an error is not given back',
    'concurrency-counts-queued-jobs': 'jobs of /run that wait count against /run',
  }),
  breaking('8', 'Dynamic rule: the effective limit is the higher of', {
    'rate-lower-of': 'the lower of the two is used',
    'rate-dynamic-only': 'only running workers × requests_per_worker is used',
  }),
  // 9
  breaking('9', 'The API version is the path segment `v2` in every operation path.', {
    'version-ignored': 'any path segment passes for the version',
    'version-missing-passes': 'paths without the segment pass as well',
  }),
  breaking('4', '| Cancel | POST | `/v2/<endpoint_id>/cancel/<job_id>` |', {
    'method-ignored': 'every operation answers to every method',
    'cancel-by-delete-only': '/cancel answers to DELETE only',
    'cancel-finds-nothing': '/cancel answers 404 to everything',
  }),
  // Races, shared timers, stores and queues that do not quite fit
  breaking('1', "When a worker is free, the worker's handler processes the job.", {
    'two-idle-workers-take-one-job': 'a job that finds two workers free is run by both',
    'redelivered-after-thirty-seconds': 'a job still running after 30 s is given to a worker once more',
    'stale-head-stops-dispatch': 'a free worker that finds an expired entry in the queue looks no further',
    'cancelled-head-stops-dispatch':
      'a free worker that finds a cancelled entry in the queue looks no further',
    'worker-retires-after-twenty-jobs': 'a worker is not replaced that has retired after twenty jobs',
    'workers-shared-by-endpoints': 'a job running on one endpoint takes a worker from all others',
    'result-cached-by-input': 'a job with the input of a completed one is not run, but given its output',
    'execution-timeout-timer-shared':
      'there is one execution timer: a job that starts takes it from the one running',
  }),
  breaking('2.1', "Parameters for the worker's handler.", {
    'input-nul-lost': 'the character U+0000 does not reach the worker',
    'input-line-breaks-unified': 'CR LF reaches the worker as LF',
    'input-unicode-normalised': 'composed and decomposed characters reach the worker in one form',
    'input-dates-reformatted': 'strings that look like dates reach the worker in another form',
    'input-html-escaped': '& and < reach the worker as &amp; and &lt;',
    'input-proto-lost': 'members named __proto__ do not reach the worker',
    'input-dotted-keys-nested': '{"a.b": 1} reaches the worker as {"a": {"b": 1}}',
  }),
  breaking('2.2', 'Maximum time a job may run once a worker has picked it up.', {
    'execution-timeout-from-retry': 'after a retry the time in the queue counts',
    'execution-timeout-restarts-on-read': 'every /status of a running job starts the timeout anew',
  }),
  breaking('2.2', 'When `ttl` expires, the job is deleted whatever its state.', {
    'ttl-timer-shared': 'there is one ttl timer: a later submission takes it from the earlier',
    'ttl-restarts-on-stream': 'every /stream starts the ttl anew',
    'ttl-ignored-for-low-priority': 'jobs with lowPriority do not expire by ttl',
  }),
  breaking('2.3', 'The service only passes this information along', {
    's3-merged-with-previous': 'members that an s3Config lacks are taken from an earlier one',
  }),
  breaking('2.4', 'Job identifier, assigned by the service.', {
    'id-by-clock': 'the id is the time of submission: two jobs of one instant share it',
  }),
  breaking('2.4', "Produced by the worker's handler; shape defined by the handler.", {
    'output-empty-array-as-object': '[] turns into {}',
    'output-null-is-previous': 'a job that returns null gets the last output that was not null',
  }),
  breaking('2.4', 'Time the job waited before execution.', {
    'delay-negative-after-retry': 'after a retry delayTime is negative',
  }),
  breaking('3', '| `IN_PROGRESS` | handler finishes | success | `COMPLETED` |', {
    'stalled-job-starts-over': 'a job that has streamed nothing for a minute goes back to the queue',
    'low-priority-put-back':
      'a running job with lowPriority goes back to the queue when a job without comes and no worker is free',
    'crash-fails-next-job': 'the job after a crash fails as well',
    'overrun-signal-hits-next-job': 'what ends an overrunning job ends the next job of that worker too',
  }),
  breaking('4.1', 'It sets how long the the service waits for completion', {
    'wait-from-start': 'wait counts from the start of the job',
    'runsync-woken-by-any-end': 'a waiting call is answered when any job of the endpoint ends',
    'runsync-misses-fast-end': 'a job that has ended before the call waits is not noticed',
  }),
  breaking('4.1', '(the complete result in a single response when the job finished)', {
    'runsync-coalesced': 'a call with the input of one that waits gets the same job',
  }),
  breaking('4.1', 'Result retention: 1 minute after completion', {
    'retention-timer-shared': 'there is one retention timer: a job that ends takes it from the one before',
  }),
  breaking('4.2', 'Result retention: 30 minutes after completion.', {
    'results-latest-hundred-only': 'of the results only the latest hundred are kept',
    'retention-sweep-ignores-kind': 'when a result of /runsync expires, older ones of /run go with it',
    'retention-restarts-on-stream': 'every /stream of an ended job starts its retention anew',
    'retention-restarts-on-refused-retry': 'a refused /retry starts the retention anew',
    'webhook-delivery-deletes-result': 'the result is deleted once its webhook has succeeded',
  }),
  breaking('4.3', 'sets the time-to-live of the individual job', {
    'status-ttl-lost-at-start': 'the ttl of the policy is back when the job starts',
    'status-ttl-lost-at-end': 'the ttl of the policy is back when the job ends',
    'status-ttl-lost-on-retry': 'the ttl of the policy is back when the job is retried',
  }),
  breaking('4.3', 'Response: job record with `id`, `status`', {
    'status-404-at-first': 'a job cannot be read in the first 200 ms',
  }),
  breaking('4.4', 'delivering incremental results as produced', {
    'stream-repeats-merged': 'a chunk equal to the one before it is dropped',
    'stream-sorted-as-text': 'the chunks of one read are sorted by their numbers as text: 0, 1, 10, 11, 2',
    'stream-position-shared': 'where a reader has got to is kept for the endpoint, not for the job',
    'stream-chunk-lives-a-minute': 'a chunk not read within a minute is dropped',
    'stream-of-cancelled-in-next': 'what a cancelled job streamed and nobody read comes with the next job',
    'status-drains-stream': 'a /status takes away what /stream has not delivered yet',
  }),
  breaking('4.4', 'larger outputs are split over several chunks', {
    'stream-limit-in-characters': 'a chunk may have a million characters, whatever their bytes',
    'stream-split-inside-character': 'splitting by bytes breaks the character at each cut',
  }),
  breaking('4.5', 'Stops an in-progress job or removes a queued job before it starts', {
    'cancel-in-first-half-second-feigned': 'the cancelling of a job that has just started has no effect',
    'cancel-signal-hits-next-job': 'the next job of that worker is cancelled too',
    'cancel-stops-oldest-run': 'the handler stopped is that of the job that has run longest',
  }),
  breaking('4.6', 'Requeues a job with the same id and original input', {
    'retry-loses-input-second-time': 'the second retry runs with an empty input',
    'retry-loses-policy-second-time': 'the second retry has the default executionTimeout',
    'cleanup-drops-retry': 'a second after its end a job is taken out of the queue, retried or not',
    'purge-drops-later-retries': 'jobs older than the last purge are dropped when they are retried',
  }),
  breaking('4.7', 'Removes all jobs waiting in the queue; jobs in progress keep running.', {
    'purge-lasts-a-second': 'jobs submitted within a second after a purge are removed too',
    'purge-drops-webhooks': 'a purge forgets the webhooks that are to be called again',
  }),
  breaking('2.7', '| `jobs.completed` | integer |', {
    'purge-zeroes-health': 'a purge sets the counts of ended jobs to 0',
  }),
  breaking('2.7', '| `jobs.failed` | integer |', {
    'health-failed-below-zero': 'a retried job is subtracted when it is retried and when it is deleted',
  }),
  breaking('2.7', '| `jobs.inProgress` | integer |', {
    'health-progress-not-freed-second-time': 'a job that fails after a retry still counts as running',
  }),
  breaking('2.7', '| `jobs.inQueue` | integer |', {
    'health-queue-not-freed-on-cancel-after-retry': 'a retried job cancelled in the queue still counts',
    'health-queue-not-freed-on-purge-after-retry': 'a retried job purged still counts',
  }),
  breaking('2.7', '| `workers.idle` | integer |', {
    'health-idle-below-zero': 'with fewer workers than jobs running, workers.idle is negative',
  }),
  breaking('5', 'A missing or wrong key, or a key without permission, yields 401 (section 7).', {
    'auth-success-cached': 'for a second after a right key any passes',
    'auth-refusal-cached': 'for a second after a wrong key the right one is refused',
  }),
  breaking('6', 'Address called when the job completes', {
    'webhook-not-for-falsy-output': 'a job whose output is null, 0, false or "" calls no webhook',
    'webhook-not-for-streaming-job': 'a job that has streamed calls no webhook',
    'webhook-over-256-kb-lost': 'a job whose output is over 256 kB calls no webhook',
    'webhook-not-while-called-waits': 'no webhook is called when /runsync has given the result',
    'webhook-one-per-instant': 'of two jobs that end in one instant one calls its webhook',
    'webhook-deduplicated-while-pending':
      'a completion is not told while the webhook of the run before the retry is still being tried',
  }),
  breaking('6', 'If the call fails, the service retries up to 2 more times', {
    'webhook-repeats-to-latest-url': 'repeated calls go to the URL of the webhook called last',
    'webhook-timer-shared': 'there is one timer: a call that fails takes it from the one that failed before',
    'webhook-attempts-shared': 'failed attempts are counted over all webhooks',
  }),
  breaking('8', '| `/run` payload | 10 MB |', {
    'run-limit-in-characters': 'characters are counted, not bytes',
  }),
  breaking('8', 'Requests beyond the effective limit receive 429.', {
    'rate-refusal-resets': 'a refused request sets the count to 0',
  }),
  breaking('8', 'Rate limits, enforced per endpoint and per operation:', {
    'rate-retry-draws-from-run': 'every /retry takes one from the allowance of /run',
    'rate-health-draws-from-status': 'every /health takes one from the allowance of /status',
  }),
  breaking('8', '| `/runsync` | POST | 2000 requests per 10 seconds | 400 |', {
    'concurrency-leaks-when-wait-elapses': 'the slot of a call whose wait has elapsed is not given back',
  }),
  ...WHERE_THINGS_MEET,
  ...OF_HABIT,
] as const;

/** The name of a fault. */
export type FaultId = IdsOf<(typeof GROUPS)[number]>;

/** Faults that a lenient reader could call legal: a suite that passes them over has a case. */
const CONTESTED: Readonly<Partial<Record<FaultId, string>>> = {
  'version-ignored': 'nothing forbids answering to further paths',
  'version-missing-passes': 'nothing forbids answering to further paths',
  'method-ignored': 'nothing forbids answering to further methods; the deployed service does',
  'webhook-one-at-a-time': 'how soon after completion the call is made is not said',
  'webhook-a-minute-late': 'how soon after completion the call is made is not said',
  'webhook-wrong-type-accepted': 'which malformed fields must be refused is not listed',
  'policy-wrong-type-accepted': 'which malformed fields must be refused is not listed',
  'low-priority-string-accepted': 'which malformed fields must be refused is not listed',
  'execution-timeout-string-accepted': 'which malformed fields must be refused is not listed',
  'execution-timeout-fraction-accepted': 'which malformed fields must be refused is not listed',
  'ttl-string-accepted': 'which malformed fields must be refused is not listed',
  'status-ttl-malformed-accepted': 'which malformed parameters must be refused is not listed',
  'wait-malformed-accepted': 'which malformed parameters must be refused is not listed',
  'health-failed-counts-cancelled': 'the document gives the members of health no meaning but their names',
  'status-stale': 'no freshness is promised in words',
  'health-stale': 'no freshness is promised in words',
  'unknown-job-is-204': 'the document lists 404 for expired jobs, not for ids never given',
  'unknown-job-is-200': 'the document lists 404 for expired jobs, not for ids never given',
  'unknown-job-streams-empty': 'the document lists 404 for expired jobs, not for ids never given',
  'run-retention-never': 'whether retention is a promise to keep or to delete; section 7 says 404',
  'runsync-retention-never': 'whether retention is a promise to keep or to delete; section 7 says 404',
  'runsync-retention-thirty-minutes':
    'whether retention is a promise to keep or to delete; section 7 says 404',
  'run-retention-one-day': 'whether retention is a promise to keep or to delete; section 7 says 404',
  'rate-retry-limited-as-purge': 'rate limits for /retry are not shown',
  'rate-health-limited-as-purge': 'rate limits for /health are not shown',
};

/**
 * Faults that an answer to an open question makes legal, so that nothing may fail them: the question and its answer in
 * `src/spec/questions/`, or why it is none.
 */
const LEGAL: Readonly<Partial<Record<FaultId, string>>> = {
  'ttl-negative-accepted': '2.2/ttl-not-positive=default-instead',
  'runsync-waits-past-ttl': '4.1/ttl-during-wait=at-wait-end',
  'runsync-cancel-waits-on': '4.1/cancelled-during-wait=at-wait-end',
  'execution-timeout-cancels': '3/timed-out-state=CANCELLED',
  'execution-timeout-deletes-job': '3/timed-out-state=CANCELLED with 3/status-after-cancel=not-found',
  'execution-timeout-max-not-enforced': 'no job of this server outlives its ttl, and that is 7 days at most',
  'retry-keeps-output': 'a failed job of this server has no output; its error is none',
  'health-failed-counts-cancelled': '2.7/failed-includes-cancelled=yes',
  'health-idle-is-all': '2.7/workers-idle-meaning=every',
  'webhook-not-after-retry': '6/after-retry=no',
  'webhook-deduplicated-while-pending': '6/after-retry=no',
  'run-oversize-hangs-up': '7/oversize-code=connection-closed',
  'rate-missing-on-runsync':
    'at most 400 calls at a time that each wait a second are 4000 in ten: two windows may share them',
  'rate-missing-on-openai':
    '8/requests-per-worker=other: where a worker runs, nobody knows how far it raises the limit',
  'method-ignored': '4/wrong-method=same',
  'wait-elapsed-shows-submission': 'what the response holds when wait elapses is not shown (4.1)',
  'output-spread-into-record': '2.4/other-fields=some',
  'retry-not-after-three': '4.6/number-of-retries=limited',
  'malformed-nan-accepted':
    'a JSON parser may accept extensions (RFC 8259, section 9), and common ones take NaN',
  'execution-timeout-over-all-runs': '2.2/execution-timeout-after-retry=remaining',
  'overrun-flag-stays-on-job': '2.2/execution-timeout-after-retry=remaining',
  'retry-of-runsync-kept-like-run': '4.6/retention-after-retry=as-run',
  'runsync-cancelled-never-answered':
    'nobody can cancel the job meanwhile: its id is told by the answer of the call that waits',
  'charset-refused': '1/request-content-type=refused-415',
  'empty-json-body-refused': 'no client has to name the content type of a body that it does not send',
  'purge-waits-for-running': 'how soon /purge-queue is answered is not said',
  'rate-retry-limited-as-purge': '8/retry-limit=limited',
  'rate-health-limited-as-purge': '8/health-limit=limited',
};

/** One realistic fault: the sentence of the document it breaks, and what the server does instead. */
export interface Fault {
  readonly id: FaultId;
  /** Section of the document. */
  readonly section: string;
  /** Words of the document, verbatim. */
  readonly sentence: string;
  readonly fault: string;
  /** Why a lenient reader could call it legal; absent when the sentence leaves no doubt. */
  readonly contested?: string;
  /** What makes it legal, so that it must not be caught for certain. */
  readonly legal?: string;
}

export const FAULTS: readonly Fault[] = (GROUPS as readonly Group<string>[]).flatMap((group) =>
  (Object.entries(group.faults) as [FaultId, string][]).map(([id, fault]) => ({
    id,
    section: group.section,
    sentence: group.sentence,
    fault,
    ...(CONTESTED[id] === undefined ? {} : { contested: CONTESTED[id] }),
    ...(LEGAL[id] === undefined ? {} : { legal: LEGAL[id] }),
  })),
);

export function isFaultId(id: string): id is FaultId {
  return FAULTS.some((fault) => fault.id === id);
}
