/**
 * The sentences of the document that are neither a requirement nor an open question, each with the reason.
 * Together with the quotes of requirements and questions they cover every sentence of sections 1 to 9.
 */
import type { QuestionId } from '../../src/spec/questions/index.js';
import type { RequirementId } from '../../src/spec/requirements/index.js';

export interface Excluded {
  readonly section: string;
  /** A fragment copied from the document, within one line. */
  readonly quote: string;
  readonly reason: string;
  /** Where the substance of the sentence is judged, if anywhere. */
  readonly see: readonly (RequirementId | QuestionId)[];
}

const REPEATED = 'Repeats or announces what another sentence requires.';
const INTRODUCES = 'Introduces the topic and states nothing that could be checked.';
const OTHERS = 'Binds clients, owners or operators, not the service.';
const NOT_SHOWN = 'Names a gap that no call through the API could fill.';

export const EXCLUDED: readonly Excluded[] = [
  // 1
  {
    section: '1',
    quote: 'The service exposes HTTP operations on a queue-based endpoint.',
    reason: INTRODUCES,
    see: [],
  },
  {
    section: '1',
    quote: "A client submits a job (a unit of work holding the the service's input data).",
    reason: REPEATED,
    see: ['3/submission-creates-job-run', '3/submission-creates-job-runsync'],
  },
  {
    section: '1',
    quote: 'Workers process jobs with a handler function defined by the endpoint owner.',
    reason: REPEATED,
    see: ['3/success-completes-run', '3/handler-error-fails-run', '2.4/output-of-this-job'],
  },
  {
    section: '1',
    quote: 'A job is submitted synchronously (`/runsync`: the call waits for the result)',
    reason: REPEATED,
    see: ['4.1/wait-not-early', '4.1/wait-answers-on-completion'],
  },
  {
    section: '1',
    quote:
      'the call returns a job id immediately, and the client reads results through `/status` or `/stream`',
    reason: REPEATED,
    see: ['4.2/returns-at-once', '2.4/output-in-status', '4.4/chunks-not-lost'],
  },
  {
    section: '1',
    quote:
      'Other operations cancel a job, requeue a failed or timed-out job, purge the queue, and report endpoint health.',
    reason: REPEATED,
    see: ['4/operation-cancel', '4/operation-retry', '4/operation-purge-queue', '4/operation-health'],
  },
  {
    section: '1',
    quote: 'This document applies only to queue-based endpoints.',
    reason: INTRODUCES,
    see: [],
  },
  {
    section: '1',
    quote: 'Endpoints that route requests straight to worker HTTP servers (load balancing endpoints)',
    reason: INTRODUCES,
    see: [],
  },
  { section: '1', quote: 'those are out of scope', reason: INTRODUCES, see: [] },
  {
    section: '1',
    quote:
      'Addresses: the service address is {base_url}. Every operation path below starts with `/v2/<endpoint_id>`',
    reason: REPEATED,
    see: ['4/operation-run', '9/other-version-not-served'],
  },
  // 2
  {
    section: '2.1',
    quote: 'Address called when the job completes (see Events).',
    reason: REPEATED,
    see: ['6/called-on-completion-run', '6/called-on-completion-runsync'],
  },
  {
    section: '2.1',
    quote: 'Execution policy (2.2).',
    reason: REPEATED,
    see: ['2.2/execution-timeout-accepted', '2.2/ttl-accepted', '2.2/low-priority-accepted-true'],
  },
  {
    section: '2.1',
    quote: 'Storage settings passed to the worker (2.3).',
    reason: REPEATED,
    see: ['2.3/passed-along-run', '2.3/passed-along-runsync'],
  },
  { section: '2.2', quote: 'Rules:', reason: INTRODUCES, see: [] },
  {
    section: '2.3',
    quote: 'the worker must contain the logic that uses it',
    reason: OTHERS,
    see: ['2.3/service-does-not-use-it'],
  },
  {
    section: '2.4',
    quote: '| `executionTime` | integer | `/runsync`, `/status` | Time the job ran. Unit: not shown. |',
    reason: 'Both times share one open question about the unit.',
    see: ['2.4/time-unit'],
  },
  {
    section: '2.5',
    quote: 'Its fields depend on the worker.',
    reason: OTHERS,
    see: ['2.5/metrics-optional-object'],
  },
  // 3
  {
    section: '3',
    quote: 'Job `status` values: `IN_QUEUE`, `IN_PROGRESS`, `COMPLETED`, `FAILED`, `CANCELLED`, `TIMED_OUT`.',
    reason: REPEATED,
    see: [
      '2.4/status-known-runsync',
      '2.4/status-known-run',
      '2.4/status-known-status',
      '2.4/status-known-cancel',
      '2.4/status-known-retry',
    ],
  },
  {
    section: '3',
    quote: 'The handler processes the job; `executionTimeout` is enforced from here.',
    reason: REPEATED,
    see: [
      '1/free-worker-takes-job',
      '2.2/execution-timeout-not-in-queue',
      '2.2/execution-timeout-full-after-queue',
    ],
  },
  {
    section: '3',
    quote: '`output` becomes readable; retained 30 minutes (`/run`) or 1 minute (`/runsync`).',
    reason: REPEATED,
    see: ['2.4/output-in-status', '2.4/output-in-runsync', '4.2/retention-kept', '4.1/retention-kept'],
  },
  {
    section: '3',
    quote: 'Same job id, original input, previous output removed.',
    reason: REPEATED,
    see: ['2.4/id-kept-across-retry', '4.6/keeps-input', '4.6/removes-output'],
  },
  {
    section: '3',
    quote:
      '| `IN_QUEUE` | `/purge-queue` | job is waiting | (job removed) | Counted in `removed`. Jobs already in progress are unaffected. |',
    reason: REPEATED,
    see: ['4.7/removes-all-waiting', '2.6/removed-counts-queued', '4.7/keeps-running'],
  },
  {
    section: '3',
    quote: '| any | `ttl` expires | always | (job deleted) | Status checks then return 404. |',
    reason: REPEATED,
    see: [
      '2.2/ttl-removes-queued',
      '2.2/ttl-removes-running',
      '2.2/ttl-removes-completed',
      '2.2/ttl-removes-failed',
      '2.2/ttl-removes-timed-out',
      '2.2/ttl-removes-cancelled',
      '7/ttl-expired-status',
    ],
  },
  // 4
  {
    section: '4',
    quote: 'Paths are relative to {base_url}. `<job_id>` is the `id` returned at submission.',
    reason: REPEATED,
    see: ['3/submission-creates-job-run', '3/submission-creates-job-runsync', '2.4/id-matches-status'],
  },
  {
    section: '4.2',
    quote: 'Response: `{id: string, status: string}`',
    reason: REPEATED,
    see: ['2.4/id-in-run', '2.4/status-in-run'],
  },
  {
    section: '4.2',
    quote: 'Results are read via `/status` (or `/stream`).',
    reason: REPEATED,
    see: ['2.4/output-in-status', '4/operation-stream', '4.4/chunks-after-end'],
  },
  { section: '4.3', quote: '- No body.', reason: REPEATED, see: ['4/operation-status', '4/unneeded-body'] },
  {
    section: '4.3',
    quote:
      'Response: job record with `id`, `status`, `delayTime`, `executionTime` and, when available, `output`.',
    reason: REPEATED,
    see: [
      '2.4/id-in-status',
      '2.4/status-in-status',
      '2.4/delay-time-in-status',
      '2.4/execution-time-in-status',
      '2.4/output-in-status',
    ],
  },
  { section: '4.4', quote: '- No body.', reason: REPEATED, see: ['4/operation-stream', '4/unneeded-body'] },
  {
    section: '4.7',
    quote: '- No body.',
    reason: REPEATED,
    see: ['4/operation-purge-queue', '4/unneeded-body'],
  },
  {
    section: '4.7',
    quote: 'Response: purge result (2.6).',
    reason: REPEATED,
    see: ['2.6/removed-integer', '2.6/status-completed'],
  },
  // 5
  {
    section: '5',
    quote: 'How keys are issued and the permission scopes a key can hold: not shown.',
    reason: NOT_SHOWN,
    see: ['5/key-without-permission'],
  },
  // 6
  { section: '6', quote: 'Rules:', reason: INTRODUCES, see: [] },
  // 7
  {
    section: '7',
    quote: '| 401 | Unauthorized | API key wrong or lacking permission. |',
    reason: REPEATED,
    see: ['5/wrong-key-run', '5/missing-key-run', '5/key-without-permission'],
  },
  {
    section: '7',
    quote: '| 429 | Too Many Requests | Rate limit exceeded;',
    reason: REPEATED,
    see: ['8/rate-purge-queue-above', '8/rate-cancel-above', '8/rate-run-above'],
  },
  { section: '7', quote: 'clients should retry with exponential backoff', reason: OTHERS, see: [] },
  { section: '7', quote: 'Job-level situations:', reason: INTRODUCES, see: [] },
  {
    section: '7',
    quote: '| Job stays in queue | No free worker, or maximum workers reached |',
    reason: REPEATED,
    see: ['1/waits-when-no-worker-free'],
  },
  {
    section: '7',
    quote: 'Raise max workers; check `/health`.',
    reason: OTHERS,
    see: ['4.8/counts-in-queue'],
  },
  {
    section: '7',
    quote: '| Timeout | Job ran longer than `executionTimeout` | Raise `policy.executionTimeout`. |',
    reason: REPEATED,
    see: ['2.2/execution-timeout-stops-run', '2.2/execution-timeout-long-run', '3/timed-out-state'],
  },
  {
    section: '7',
    quote: '| Failed job | Worker error or invalid input |',
    reason: REPEATED,
    see: ['3/handler-error-fails-run', '3/worker-crash-fails'],
  },
  { section: '7', quote: 'Inspect endpoint logs; check input.', reason: OTHERS, see: [] },
  {
    section: '7',
    quote: '| Missing result | Result retention elapsed |',
    reason: REPEATED,
    see: ['7/result-expired-status', '7/result-expired-run-status'],
  },
  {
    section: '7',
    quote: 'Read within 30 minutes (`/run`) or 1 minute (`/runsync`).',
    reason: OTHERS,
    see: ['4.2/retention-kept', '4.1/retention-kept'],
  },
  // 8
  {
    section: '8',
    quote: '| `/runsync` payload | 20 MB |',
    reason: REPEATED,
    see: ['4.1/payload-up-to-limit-accepted', '4.1/payload-above-limit-refused'],
  },
  { section: '8', quote: '| Streamed chunk | 1 MB |', reason: REPEATED, see: ['4.4/chunk-size'] },
  {
    section: '8',
    quote: '| `/runsync` `wait` | 1000 to 300000 ms, default 90000 |',
    reason: REPEATED,
    see: [
      '4.1/wait-min-accepted',
      '4.1/wait-max-accepted',
      '4.1/wait-min-enforced',
      '4.1/wait-max-enforced',
      '4.1/wait-default-answers',
    ],
  },
  {
    section: '8',
    quote: '| Result retention | 30 minutes (`/run`); 1 minute (`/runsync`), up to 5 minutes with `wait` |',
    reason: REPEATED,
    see: ['4.2/retention-kept', '4.2/retention-gone', '4.1/retention-kept', '4.1/retention-gone'],
  },
  {
    section: '8',
    quote: '| `executionTimeout` | default 600000 ms; min 5 s; max 7 days |',
    reason: REPEATED,
    see: [
      '2.2/execution-timeout-default-enforced',
      '2.2/execution-timeout-min-enforced',
      '2.2/execution-timeout-max-enforced',
    ],
  },
  {
    section: '8',
    quote: '| `ttl` | default 86400000 ms; min 10 s; max 7 days |',
    reason: REPEATED,
    see: ['2.2/ttl-default-removes', '2.2/ttl-min-enforced', '2.2/ttl-max-enforced'],
  },
  // 9
  {
    section: '9',
    quote: 'Deprecation, compatibility and change policy: not shown.',
    reason: NOT_SHOWN,
    see: [],
  },
];
