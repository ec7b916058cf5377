/**
 * Requirements on which the judgement of others depends. If a root failed in every decision, the requirements that depend
 * on it do not fail as well: they are inconclusive, because of the root.
 */
import { idsFor } from './ids.js';
import { JOB_OPERATIONS, MAIN_OPERATIONS, RECORD_OPERATIONS, SUBMISSIONS } from './operations.js';
import type { MainOperation } from './operations.js';
import type { JobStatus } from './types.js';
import { REQUIREMENTS, type RequirementId, type Section } from './requirements/index.js';

export interface Prerequisite {
  readonly root: RequirementId;
  /** What depends on it; a root never depends on itself. */
  readonly dependents: ReadonlySet<string>;
}

/** The requirements of a family, by operation. */
type ByOperation = { readonly [Op in MainOperation]?: RequirementId };

const KEY_ACCEPTED = idsFor('5/key-accepted-*', MAIN_OPERATIONS);
const MISSING_KEY = idsFor('5/missing-key-*', MAIN_OPERATIONS);
const UNKNOWN_ENDPOINT = idsFor('7/unknown-endpoint-*', MAIN_OPERATIONS);
const BODY = idsFor('1/json-body-*', MAIN_OPERATIONS);

/** What the answers of an operation themselves show. */
const SHOWN_BY_ANSWERS: readonly ByOperation[] = [
  BODY,
  idsFor('1/json-content-type-*', MAIN_OPERATIONS),
  idsFor('2.4/id-in-*', RECORD_OPERATIONS),
  idsFor('2.4/id-matches-*', ['status', 'cancel', 'retry']),
  idsFor('2.4/status-in-*', RECORD_OPERATIONS),
  idsFor('2.4/status-known-*', RECORD_OPERATIONS),
  idsFor('2.4/output-in-*', ['runsync', 'status']),
  idsFor('2.4/delay-time-in-*', ['runsync', 'status']),
  idsFor('2.4/delay-time-integer-*', ['runsync', 'status']),
  idsFor('2.4/execution-time-in-*', ['runsync', 'status']),
  idsFor('2.4/execution-time-integer-*', ['runsync', 'status']),
  KEY_ACCEPTED,
  MISSING_KEY,
  idsFor('5/wrong-key-*', MAIN_OPERATIONS),
  UNKNOWN_ENDPOINT,
  idsFor('1/endpoints-isolated-*', JOB_OPERATIONS),
  idsFor('7/ttl-expired-*', JOB_OPERATIONS),
  idsFor('7/result-expired-*', JOB_OPERATIONS),
  idsFor('7/result-expired-run-*', JOB_OPERATIONS),
  idsFor('7/unknown-job-*', JOB_OPERATIONS),
];

/** What is required of submissions, and of the jobs that they create. */
const OF_SUBMISSIONS: readonly ByOperation[] = [
  idsFor('2.1/input-missing-refused-*', SUBMISSIONS),
  idsFor('2.1/input-null-refused-*', SUBMISSIONS),
  idsFor('2.1/input-array-refused-*', SUBMISSIONS),
  idsFor('2.1/input-scalar-refused-*', SUBMISSIONS),
  idsFor('2.1/input-object-accepted-*', SUBMISSIONS),
  idsFor('2.1/input-empty-accepted-*', SUBMISSIONS),
  idsFor('2.1/input-reaches-worker-*', SUBMISSIONS),
  idsFor('2.1/webhook-accepted-*', SUBMISSIONS),
  idsFor('2.1/policy-accepted-*', SUBMISSIONS),
  idsFor('2.1/policy-type-checked-*', SUBMISSIONS),
  idsFor('2.1/s3config-accepted-*', SUBMISSIONS),
  idsFor('2.2/execution-timeout-stops-*', SUBMISSIONS),
  idsFor('2.3/passed-along-*', SUBMISSIONS),
  idsFor('3/submission-creates-job-*', SUBMISSIONS),
  idsFor('3/success-completes-*', SUBMISSIONS),
  idsFor('3/handler-error-fails-*', SUBMISSIONS),
  idsFor('5/unauthorized-submission-creates-nothing-*', SUBMISSIONS),
  idsFor('6/called-on-completion-*', SUBMISSIONS),
  idsFor('7/malformed-json-*', SUBMISSIONS),
  idsFor('7/body-not-object-*', SUBMISSIONS),
  idsFor('7/no-body-*', SUBMISSIONS),
];

/** What else is about one operation. */
const ALSO_ABOUT: { readonly [Op in MainOperation]?: readonly RequirementId[] } = {
  runsync: ['2.2/ttl-removes-runsync', '4.7/removes-waiting-runsync'],
  status: ['4.1/answer-agrees-with-status'],
  stream: ['4.6/removes-stream'],
  cancel: ['4.1/wait-answers-on-cancel'],
  retry: [
    '2.3/kept-across-retry',
    '2.4/id-kept-across-retry',
    '4.1/retention-after-retry',
    '4.2/retention-after-retry',
  ],
  health: ['1/endpoints-isolated-health'],
};

const idsOf = (families: readonly ByOperation[], op: MainOperation): readonly RequirementId[] =>
  families.flatMap((ids) => ids[op] ?? []);

/** The requirements about the calls of an operation. */
const about = (op: MainOperation): readonly RequirementId[] => [
  ...idsOf(SHOWN_BY_ANSWERS, op),
  ...idsOf(OF_SUBMISSIONS, op),
  ...(ALSO_ABOUT[op] ?? []),
];

const SHOWN_BY_SUBMISSIONS = SUBMISSIONS.flatMap((op) => idsOf(SHOWN_BY_ANSWERS, op));

/** What a call without a valid key must not do or show. */
const UNAUTHORIZED: readonly RequirementId[] = [
  ...Object.values(idsFor('5/unauthorized-submission-creates-nothing-*', SUBMISSIONS)),
  ...Object.values(idsFor('5/unauthorized-*-has-no-effect', ['cancel', 'retry', 'purge'])),
  '5/unauthorized-reveals-nothing',
];
/** What is required of the valid key. */
const OF_THE_KEY: readonly RequirementId[] = [
  ...Object.values(KEY_ACCEPTED),
  '5/key-only-in-header',
  '5/key-compared-whole',
  '5/key-without-permission',
];
/** Requirements of section 5 that are shown by calls of /health. */
const KEYS_SHOWN_BY_HEALTH: readonly RequirementId[] = [
  '5/empty-key',
  '5/key-compared-whole',
  '5/key-only-in-header',
  '5/other-scheme',
];
const RETENTION_OF_RUN = idsFor('4.2/retention-*', [
  'kept',
  'gone',
  'from-completion',
  'after-retry',
  'not-restarted-by-reading',
]);
const RETENTION_OF_RUNSYNC = idsFor('4.1/retention-*', [
  'kept',
  'gone',
  'with-wait-gone',
  'from-completion',
  'after-retry',
  'not-restarted-by-reading',
]);

/** The sections that need a job with a known id. */
const JOBS: readonly Section[] = [
  '1',
  '2.1',
  '2.2',
  '2.3',
  '2.4',
  '3',
  '4.3',
  '4.4',
  '4.5',
  '4.6',
  '4.7',
  '6',
];
/** The sections of which nothing can be judged without /run. */
const RUN: readonly Section[] = [...JOBS, '2.5', '2.6', '4.2', '4.8', '7', '8'];

function root(
  id: RequirementId,
  sections: readonly Section[] | 'all',
  ids: readonly RequirementId[] = [],
  except: readonly RequirementId[] = [],
): Prerequisite {
  const ofSections = REQUIREMENTS.filter(
    ({ section }) => sections === 'all' || (sections as readonly string[]).includes(section),
  ).map((one) => one.id);
  const without = new Set([id, ...except]);
  return { root: id, dependents: new Set([...ofSections, ...ids].filter((one) => !without.has(one))) };
}

const COMPARED: readonly RequirementId[] = ['4.1/answer-agrees-with-status'];
const INPUT: readonly RequirementId[] = [
  '2.1/input-nested-unchanged',
  '2.1/input-unicode-unchanged',
  '4.6/keeps-input',
];

/** What one requirement demands, others presuppose: where it failed, theirs cannot be seen. */
export interface Presupposed extends Prerequisite {
  /** Some pass although they do not show it: it is enough if one in four decisions failed. */
  readonly isSeldomShown?: true;
  /** Only of jobs that were retried. */
  readonly ofRetried?: true;
  /** Only where an answer with this state shows each failure, and one of the root. */
  readonly state?: JobStatus;
}

const CROSSED: readonly RequirementId[] = [
  ...Object.values(idsFor('2.4/output-*-unchanged', ['array', 'object'])),
  ...Object.values(idsFor('2.1/input-reaches-worker-*', SUBMISSIONS)),
  '2.1/input-not-mixed-between-jobs',
  ...INPUT,
];
/** What becomes of a retried job is for its input to say. */
const OF_RETRIED: readonly RequirementId[] = [
  '4.6/retried-job-runs',
  '4.6/retried-job-not-expired',
  '4.4/chunks-not-lost',
  '2.2/execution-timeout-not-in-queue',
];

export const PRESUPPOSED: readonly Presupposed[] = [
  root('2.4/output-in-status', [], COMPARED),
  ...SHOWN_BY_ANSWERS.flatMap(({ runsync }) =>
    runsync?.startsWith('2.4/')
      ? [root(runsync, [], ['4.1/complete-result-in-one-answer', ...COMPARED])]
      : [],
  ),
  ...Object.values(idsFor('2.1/input-reaches-worker-*', SUBMISSIONS)).map((id) => root(id, [], INPUT)),
  { ...root('2.4/output-of-this-job', [], CROSSED), isSeldomShown: true },
  { ...root('4.6/keeps-input', [], OF_RETRIED), isSeldomShown: true, ofRetried: true },
  {
    ...root(
      '3/completed-stays',
      [],
      ['2.2/execution-timeout-not-in-queue', '2.2/execution-timeout-not-after-end'],
    ),
    state: 'TIMED_OUT',
  },
  root('3/cancel-queued', [], ['4.5/cancels-retried-job', '2.6/removed-counts-queued']),
  root('3/cancel-running', [], ['4.5/cancels-retried-job']),
];

/** The roots, those with the most dependents first. */
export const PREREQUISITES: readonly Prerequisite[] = [
  root('5/bare-or-bearer', 'all'),
  root('4/operation-run', RUN, [...about('run'), ...OF_THE_KEY, ...UNAUTHORIZED]),
  root('1/json-body-run', RUN, [
    '4/operation-run',
    ...about('run'),
    ...Object.values(MISSING_KEY),
    ...UNAUTHORIZED,
  ]),
  root(
    '4/operation-status',
    ['1', '2.2', '2.3', '2.4', '3', '4.3', '4.4', '4.5', '4.6', '4.7', '6'],
    [
      ...about('status'),
      ...Object.values(RETENTION_OF_RUNSYNC),
      ...Object.values(RETENTION_OF_RUN),
      ...UNAUTHORIZED,
      ...Object.values(idsFor('7/ttl-expired-*', JOB_OPERATIONS)),
      ...Object.values(idsFor('7/result-expired-*', JOB_OPERATIONS)),
      ...Object.values(idsFor('7/result-expired-run-*', JOB_OPERATIONS)),
      '7/status-ttl-not-integer',
    ],
    SHOWN_BY_SUBMISSIONS,
  ),
  root(
    '1/json-body-status',
    ['1', '2.2', '2.3', '2.4', '3', '4.3', '4.6'],
    ['4/operation-status', ...about('status'), ...Object.values(RETENTION_OF_RUN)],
    SHOWN_BY_SUBMISSIONS,
  ),
  root('4/operation-runsync', ['4.1'], [...about('runsync'), '7/wait-not-integer']),
  root('1/json-body-runsync', ['4.1'], ['4/operation-runsync', ...about('runsync')]),
  root(
    '4/operation-purge-queue',
    ['2.6', '4.7'],
    [
      ...about('purge-queue'),
      ...Object.values(idsFor('8/rate-purge-queue-*', ['below', 'above', 'recovers'])),
    ],
  ),
  root('1/json-body-purge-queue', ['2.6', '4.7'], ['4/operation-purge-queue', ...about('purge-queue')]),
  root('4/operation-health', ['2.7', '4.8'], [...about('health'), ...KEYS_SHOWN_BY_HEALTH]),
  root('4/operation-stream', ['2.5', '4.4'], about('stream')),
  root(
    '4/operation-cancel',
    ['4.5'],
    [
      ...about('cancel'),
      ...Object.values(idsFor('3/cancel-*', ['queued', 'running', 'frees-worker'])),
      ...Object.values(
        idsFor('3/cancelled-*', [
          'never-starts',
          'leaves-queue',
          'never-completes',
          'stops-streaming',
          'stays',
        ]),
      ),
    ],
  ),
  root(
    '4/operation-retry',
    ['4.6'],
    [...about('retry'), '3/retry-requeues-failed', '3/retry-requeues-timed-out'],
  ),
  root(
    '1/json-body-health',
    ['2.7', '4.8'],
    [
      '4/operation-health',
      ...about('health'),
      ...KEYS_SHOWN_BY_HEALTH,
      ...OF_THE_KEY,
      ...Object.values(UNKNOWN_ENDPOINT),
    ],
  ),
  root('1/json-body-stream', ['2.5', '4.4'], ['4/operation-stream', ...about('stream')]),
  root('4.4/answer-is-array', ['2.5', '4.4'], ['4/operation-stream']),
  root('1/json-body-cancel', [], ['4/operation-cancel', ...about('cancel')]),
  root('1/json-body-retry', [], ['4/operation-retry', ...about('retry')]),
];
