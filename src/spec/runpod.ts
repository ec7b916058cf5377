/** What the deployed services and clients of this API are known to do where the document is silent or differs. */
import type { Amendment } from './editions.js';
import { SECOND_MS } from './limits.js';

export const RUNPOD_AMENDMENTS: readonly Amendment[] = [
  {
    id: 'times-in-milliseconds',
    changes: [
      { kind: 'fix', question: '2.4/time-unit', reading: 'milliseconds' },
      { kind: 'fix', question: '2.4/execution-time-in-queue', reading: 'absent' },
      { kind: 'fix', question: '2.4/execution-time-in-progress', reading: 'absent' },
    ],
    evidence: [
      {
        grade: 'live',
        sentence: 'delayTime and executionTime are in milliseconds; executionTime is absent until the end.',
      },
    ],
  },
  {
    id: 'record-by-state',
    changes: [
      { kind: 'drop', requirement: '2.4/times-in-every-state' },
      { kind: 'fix', question: '2.4/delay-time-in-queue', reading: 'absent' },
      { kind: 'fix', question: '2.4/delay-time-in-progress', reading: 'final' },
      { kind: 'fix', question: '2.4/output-before-end', reading: 'progress' },
      { kind: 'fix', question: '2.4/other-fields', reading: 'some' },
      { kind: 'fix', question: '2.4/failure-reason', reading: 'error-string' },
    ],
    evidence: [
      {
        grade: 'live',
        sentence:
          'IN_QUEUE: id and status. IN_PROGRESS: delayTime, id, status, workerId, and output contains the last progress update. Ended: plus executionTime and output or error, a string.',
      },
    ],
  },
  {
    id: 'job-ids',
    changes: [
      { kind: 'fix', question: '2.4/id-shape', reading: 'uuid-with-suffix' },
      { kind: 'fix', question: '2.4/runsync-id-prefix', reading: 'sync' },
    ],
    evidence: [
      { grade: 'live', sentence: 'Ids are a UUID with the suffix -u1, -u2 or -e1; /runsync prefixes sync-.' },
    ],
  },
  {
    id: 'error-in-result-fails',
    changes: [
      {
        kind: 'reword',
        requirement: '2.4/output-object-unchanged',
        text: 'An `output` that is an object without a member `error` is returned as the handler produced it.',
      },
      {
        kind: 'reword',
        requirement: '3/success-completes-run',
        text: 'A job submitted by /run whose handler finishes with success, and whose result has no member `error` becomes COMPLETED.',
      },
      {
        kind: 'reword',
        requirement: '3/success-completes-runsync',
        text: 'A job submitted by /runsync whose handler finishes with success and whose result has no member `error` becomes COMPLETED.',
      },
    ],
    evidence: [
      {
        grade: 'run',
        sentence:
          'A handler result with a member error makes the job FAILED; the rest of the object stays the output.',
      },
    ],
  },
  {
    id: 'oversized-output-dropped',
    changes: [
      { kind: 'fix', question: '2.4/output-size-limit', reading: 'dropped' },
      { kind: 'drop', requirement: '2.4/large-output-whole' },
      {
        kind: 'reword',
        requirement: '2.4/output-in-status',
        text: 'A /status answer for a COMPLETED job contains `output`, unless it was over the size limit.',
      },
      {
        kind: 'reword',
        requirement: '2.4/output-in-runsync',
        text: 'A /runsync answer for a COMPLETED job contains `output`, unless it was over the size limit.',
      },
    ],
    evidence: [{ grade: 'live', sentence: 'An output over the limit: COMPLETED without output.' }],
  },
  {
    id: 'empty-input-never-runs',
    changes: [{ kind: 'add', text: 'A worker that gets an empty input stops responding.' }],
    evidence: [
      {
        grade: 'live',
        sentence: 'An empty input is accepted, yet no worker can run it: run again once, then FAILED.',
      },
    ],
  },
  {
    id: 'timeout-fails',
    changes: [
      { kind: 'fix', question: '3/timed-out-state', reading: 'FAILED' },
      { kind: 'fix', question: '6/called-on-timed-out', reading: 'yes' },
      { kind: 'allow-lateness', timer: 'executionTimeout', lateMs: 12 * SECOND_MS },
    ],
    evidence: [
      {
        grade: 'live',
        sentence:
          'A job that overruns executionTimeout becomes FAILED, 3 to 12 s late; TIMED_OUT was never seen.',
      },
    ],
  },
  {
    id: 'dead-worker-re-dispatch',
    changes: [{ kind: 'fix', question: '3/worker-crash', reading: 're-dispatched' }],
    evidence: [
      {
        grade: 'live',
        sentence:
          'A worker that takes a job and goes silent: one re-dispatch after 42 to 46 s, then FAILED; health counts retried and failed.',
      },
    ],
  },
  {
    id: 'worker-restarts',
    changes: [
      { kind: 'fix', question: '4.5/worker-after-cancel', reading: 'later' },
      { kind: 'allow-lateness', timer: 'dispatch', lateMs: 60 * SECOND_MS },
    ],
    evidence: [
      {
        grade: 'live',
        sentence:
          'A cancel may restart the worker: the next job waited about 60 s. A cold start takes 40 to 46 s.',
      },
    ],
  },
  {
    id: 'fresh-id-may-be-unknown',
    changes: [
      { kind: 'level', requirement: '3/submission-creates-job-run', level: 'should' },
      { kind: 'level', requirement: '3/submission-creates-job-runsync', level: 'should' },
    ],
    evidence: [
      { grade: 'live', sentence: '/status may answer 404 for a moment after /run returned the id; rare.' },
    ],
  },
  {
    id: 'wrapped-stream',
    changes: [
      { kind: 'fix', question: '4.4/answer-shape', reading: 'wrapped' },
      { kind: 'fix', question: '4.4/second-read', reading: 'only-new' },
      { kind: 'fix', question: '4.4/drained', reading: 'empty-array' },
      {
        kind: 'reword',
        requirement: '4.4/answer-is-array',
        text: 'A successful /stream answer is an object with `status` and `stream`, an array of chunks.',
      },
      {
        kind: 'reword',
        requirement: '2.5/chunk-is-object',
        text: 'Each element of `stream` in a /stream answer is an object.',
      },
    ],
    evidence: [
      {
        grade: 'live',
        sentence:
          '/stream answers an object with status and stream; each read drains; after the end stream is empty.',
      },
      { grade: 'run', sentence: 'A bare array crashes the official Python and JavaScript clients.' },
    ],
  },
  {
    id: 'wait-elapsed-record',
    changes: [
      { kind: 'fix', question: '4.1/wait-elapsed-body', reading: 'record-as-it-stands' },
      { kind: 'fix', question: '4.1/wait-elapsed-code', reading: '200' },
    ],
    evidence: [{ grade: 'src', sentence: '/runsync past its wait: 200 with the record as it stands.' }],
  },
  {
    id: 'status-sync',
    changes: [
      {
        kind: 'add',
        text: '/status-sync/<job_id>?wait= waits like /runsync and shares the limit of /status.',
      },
    ],
    evidence: [
      {
        grade: 'src',
        sentence: 'The synchronous run of the JavaScript and Go clients requires /status-sync.',
      },
    ],
  },
  {
    id: 'post-for-reading',
    changes: [{ kind: 'add', text: '/status, /status-sync and /stream answer POST as they answer GET.' }],
    evidence: [{ grade: 'src', sentence: 'The Go client uses POST for status and stream.' }],
  },
  {
    id: 'success-is-200',
    changes: [
      { kind: 'fix', question: '4/success-code-runsync', reading: '200' },
      { kind: 'fix', question: '4/success-code-run', reading: '200' },
      { kind: 'fix', question: '4/success-code-status', reading: '200' },
      { kind: 'fix', question: '4/success-code-stream', reading: '200' },
      { kind: 'fix', question: '4/success-code-cancel', reading: '200' },
      { kind: 'fix', question: '4/success-code-retry', reading: '200' },
      { kind: 'fix', question: '4/success-code-purge-queue', reading: '200' },
      { kind: 'fix', question: '4/success-code-health', reading: '200' },
    ],
    evidence: [{ grade: 'src', sentence: 'Clients require exactly 200 for success.' }],
  },
  {
    id: 'bearer-key',
    changes: [
      { kind: 'fix', question: '5/key-forms', reading: 'both' },
      { kind: 'level', requirement: '5/bearer-accepted', level: 'must' },
    ],
    evidence: [{ grade: 'src', sentence: 'Clients send Bearer KEY, workers the bare key.' }],
  },
  {
    id: 'policy-without-maximum',
    changes: [
      { kind: 'fix', question: '2.2/execution-timeout-above-max', reading: 'as-given' },
      { kind: 'fix', question: '2.2/ttl-above-max', reading: 'as-given' },
      { kind: 'fix', question: '2.2/ttl-below-execution-timeout', reading: 'accepted' },
      { kind: 'drop', requirement: '2.2/execution-timeout-max-enforced' },
      { kind: 'drop', requirement: '2.2/ttl-max-enforced' },
    ],
    evidence: [
      {
        grade: 'docs',
        sentence:
          'Only the minimums of policy are enforced; there is no maximum; ttl may be below executionTimeout.',
      },
    ],
  },
  {
    id: 'problem-details',
    changes: [{ kind: 'fix', question: '7/error-body', reading: 'problem-details' }],
    evidence: [
      { grade: 'live', sentence: 'Errors contain a numeric status, a title and a detail, as in RFC 9457.' },
    ],
  },
  {
    id: 'binary-megabytes',
    changes: [
      { kind: 'fix', question: '8/megabyte', reading: 'binary' },
      { kind: 'fix', question: '7/oversize-code', reading: '400' },
    ],
    evidence: [
      {
        grade: 'live',
        sentence: '/run over 10 · 2^20 bytes: 400 with a detail; at times 502 from the edge.',
      },
    ],
  },
  {
    id: 'more-worker-counters',
    changes: [{ kind: 'fix', question: '2.7/other-fields', reading: 'some' }],
    evidence: [
      {
        grade: 'live',
        sentence: '/health has the workers idle, initializing, ready, running, throttled and unhealthy.',
      },
    ],
  },
  {
    id: 'openai-to-the-worker',
    changes: [
      {
        kind: 'add',
        text: '/openai/* passes the call to the worker as an input of openai_route and openai_input, and answers its output.',
      },
    ],
    evidence: [
      { grade: 'docs', sentence: '/openai/* passes to the worker as input: {openai_route, openai_input}.' },
    ],
  },
  {
    id: 'webhook-as-seen',
    changes: [
      { kind: 'fix', question: '6/method', reading: 'POST' },
      { kind: 'fix', question: '6/content-type', reading: 'json' },
      { kind: 'fix', question: '6/payload-shape', reading: 'record-with-input' },
      { kind: 'fix', question: '6/signature', reading: 'none' },
      { kind: 'fix', question: '6/called-on-failed', reading: 'yes' },
      { kind: 'fix', question: '6/success-status', reading: 'any-2xx' },
    ],
    evidence: [
      {
        grade: 'live',
        sentence:
          'POST, JSON, the status record plus input and webhook; no signature; on COMPLETED and FAILED; three attempts in total; any 2xx ends it.',
      },
    ],
  },
  {
    id: 'webhook-pauses-as-seen',
    changes: [
      {
        kind: 'reword',
        requirement: '6/pause-not-shorter',
        text: 'At least 5 s pass between attempts.',
      },
      {
        kind: 'reword',
        requirement: '6/pause-not-longer',
        text: 'The next attempt follows a failed one after 15 s, plus at most the allowed lateness.',
      },
      { kind: 'add', text: 'The pauses between webhook attempts are about 5 s and 15 s.' },
    ],
    evidence: [{ grade: 'live', sentence: 'The pauses were measured at 5 s and 15 s.' }],
  },
];
