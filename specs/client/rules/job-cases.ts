import type { Reply } from '../call-of.js';
import type { ClientJob } from '../../../src/client/session.js';
import type { JobStatus } from '../../../src/spec/index.js';
import type { RuleCases } from './rule-cases.js';
import {
  ABANDONED,
  answered,
  cancel,
  failed,
  GONE,
  LIMITED,
  LOST,
  REFUSED,
  retry,
  run,
  runsync,
  session,
  status,
  stopped,
  succeeded,
  times,
  told,
} from './session-of.js';

const BODY = { input: { n: 1 } };
const OTHER = { input: { n: 2 } };

/** A client that submits and then sends this. */
const afterLoss = (reply: Reply, ...later: Parameters<typeof session>[0]['calls'] & {}) =>
  session({
    weather: 'reply-of-submission-lost',
    calls: [run(reply, { sent: BODY }), ...later],
    end: failed,
  });

/** A client that gives up while its job is in this state. */
const givesUp = (
  state: JobStatus | 'GONE',
  calls: Parameters<typeof session>[0]['calls'] & {},
  more: Parameters<typeof session>[0] = {},
) => session({ weather: 'long-queue', calls, jobs: [{ state }], end: failed, ...more });

const waiting = status(told('IN_QUEUE'));

/** A client that creates one job in clear conditions, and here two, with these calls between their submissions. */
const second = (
  state: ClientJob['state'],
  between: Parameters<typeof session>[0]['calls'] & {},
  more: Parameters<typeof session>[0] & { readonly job?: Partial<ClientJob> } = {},
) =>
  session({
    weather: 'reads-fail-for-ever',
    jobsWhenClear: 1,
    calls: [
      run(told('IN_QUEUE'), { sent: BODY }),
      ...between,
      run(told('IN_QUEUE', { id: 'j2' }), { sent: OTHER }),
    ],
    jobs: [
      { state, ...more.job },
      { id: 'j2', call: 2 + between.length },
    ],
    end: failed,
    ...more,
  });

export const JOB_CASES: readonly RuleCases[] = [
  {
    rule: 'client/looks-before-next-retry',
    kept: {
      'reads the job before': session({
        calls: [run(), status(told('FAILED')), retry(LOST), status(told('FAILED')), retry(told('IN_QUEUE'))],
      }),
      'is told by a webhook before': session({
        calls: [run(), status(told('FAILED')), retry(LOST), retry(told('IN_QUEUE'), { at: 9_000 })],
        webhooks: [{ state: 'FAILED', startedMs: 8_000, endedMs: 8_010 }],
      }),
      'does not retry again': session({ calls: [run(), status(told('FAILED')), retry(LOST)], end: failed }),
    },
    violated: {
      'sends it again': [
        session({ calls: [run(), status(told('FAILED')), retry(LOST), retry(told('IN_QUEUE'))] }),
        'both were accepted',
      ],
      'sends it again after 502, and is refused': [
        session({ calls: [run(), status(told('FAILED')), retry(answered(502)), retry(REFUSED)] }),
        'the first may run',
      ],
      'reads in vain before': [
        session({
          calls: [run(), status(told('FAILED')), retry(LOST), status(LOST), retry(told('IN_QUEUE'))],
        }),
        'both were accepted',
      ],
    },
    open: { 'is refused for its rate': session({ calls: [run(), retry(LIMITED), retry(told('IN_QUEUE'))] }) },
  },
  {
    rule: 'client/retry-only-ended',
    kept: {
      'was told FAILED': session({ calls: [run(), status(told('FAILED')), retry(told('IN_QUEUE'))] }),
      'was told TIMED_OUT by a webhook': session({
        calls: [run(), retry(told('IN_QUEUE'), { at: 3_000 })],
        webhooks: [{ state: 'TIMED_OUT' }],
      }),
      'sends it again as the reply was lost': session({
        calls: [run(), status(told('FAILED')), retry(LOST), retry(told('IN_QUEUE'))],
      }),
      'has a thread with an older answer': session({
        calls: [
          run(),
          status(told('FAILED'), { at: 500, took: 10 }),
          status(told('IN_PROGRESS'), { at: 495, took: 20 }),
          retry(told('IN_QUEUE')),
        ],
      }),
    },
    violated: {
      'retries a running job': [
        session({ calls: [run(), status(told('IN_PROGRESS')), retry(answered(400))] }),
        'last told IN_PROGRESS',
      ],
      'retries a completed job': [
        session({ calls: [runsync(), retry(answered(400))] }),
        'last told COMPLETED',
      ],
      'retries twice': [
        session({ calls: [run(), status(told('FAILED')), retry(told('IN_QUEUE')), retry(answered(400))] }),
        'last told IN_QUEUE',
      ],
    },
    open: {
      'retries nothing': session({ calls: [run(), status(told('FAILED'))] }),
      'was told nothing of the job': session({ calls: [retry(told('IN_QUEUE'))] }),
      'may have had a webhook': session({
        calls: [run(), retry(told('IN_QUEUE'), { at: 3_000 })],
        webhooks: [{ state: 'COMPLETED', status: null }],
      }),
    },
  },
  {
    rule: 'client/cancel-only-live',
    kept: {
      'cancels a job that waits': session({ calls: [run(), waiting, cancel(told('CANCELLED'))] }),
      'cancels a job that others have retried': session({
        calls: [run(), status(told('FAILED')), waiting, cancel(told('CANCELLED'))],
      }),
    },
    violated: {
      'cancels a completed job': [
        session({ calls: [run(), status(told('COMPLETED')), cancel(answered(400))] }),
        'had been told COMPLETED',
      ],
      'cleans up after a failed /runsync': [
        session({ calls: [runsync(told('FAILED')), cancel(answered(400))], end: failed }),
        'had been told FAILED',
      ],
    },
    open: {
      'is on a machine that stood still meanwhile': session({
        calls: [run(), status(told('COMPLETED')), cancel(answered(400))],
        lags: [{ fromMs: 10, toMs: 9_000, lostMs: 8_900 }],
      }),
      'cancels nothing': session({ calls: [run(), waiting] }),
      'cancels a job of which it was told nothing': session({
        calls: [run(LOST), cancel(told('CANCELLED'))],
      }),
      'repeats its cancel': session({
        calls: [run(), cancel(told('CANCELLED')), cancel(told('CANCELLED'))].slice(1),
      }),
      'may not have the answer yet that tells of the end': session({
        calls: [
          run(),
          status(told('IN_PROGRESS')),
          status(told('COMPLETED'), { at: 600, took: 10 }),
          cancel(answered(400), { at: 609 }),
        ],
      }),
      'may have retried it with a call that was lost': session({
        calls: [run(), status(told('FAILED')), retry(LOST), status(told('FAILED')), cancel(answered(400))],
        end: failed,
      }),
      'was refused the retry of a job that others had retried': session({
        calls: [run(), status(told('FAILED')), retry(answered(400)), cancel(told('CANCELLED'))],
        end: failed,
      }),
      'has a thread that cancelled it at the same time': session({
        calls: [
          run(LOST),
          status(told('COMPLETED'), { at: 500, took: 10 }),
          status(told('IN_PROGRESS'), { at: 495, took: 20 }),
          cancel(answered(400)),
        ],
      }),
    },
  },
  {
    rule: 'client/retries-few-times',
    kept: {
      'retries three times': session({ calls: [run(), ...times(3, retry(told('IN_QUEUE')))] }),
      'is refused often': session({ calls: [run(), retry(told('IN_QUEUE')), ...times(9, retry(LIMITED))] }),
    },
    violated: {
      'retries until it is stopped': [
        session({
          weather: 'job-fails',
          calls: [
            run(),
            ...times(8, status(told('FAILED'))).flatMap((each) => [each, retry(told('IN_QUEUE'))]),
          ],
          end: stopped(9),
        }),
        'retried job j1 8 times',
      ],
    },
    open: { 'retries nothing': session({ calls: [run(), status(told('FAILED'))] }) },
  },
  {
    rule: 'client/one-job',
    kept: {
      ends: afterLoss(LOST),
      'submits something else': afterLoss(LOST, run(told('IN_QUEUE'), { sent: OTHER })),
      'ends after 504': afterLoss(answered(504)),
    },
    violated: {
      'submits again': [afterLoss(LOST, run(told('IN_QUEUE'), { sent: BODY })), 'whose reply was lost'],
      'submits again after 504': [
        afterLoss(answered(504), run(told('IN_QUEUE'), { sent: BODY })),
        'answered with 504',
      ],
      'made two jobs': [
        session({
          calls: [run(LOST), run()],
          jobs: [
            { id: 'j0', call: 1 },
            { id: 'j1', call: 2 },
          ],
        }),
        'it created 2 jobs',
      ],
      'cannot read its job, and submits another': [
        second('IN_PROGRESS', times(3, status(answered(500)))),
        'it created 2 jobs',
      ],
      'loses the reply of /runsync, and uses /run': [
        session({
          weather: 'reply-of-submission-lost',
          jobsWhenClear: 1,
          calls: [runsync(LOST), run(told('IN_QUEUE', { id: 'j2' }))],
          jobs: [{}, { id: 'j2', call: 2 }],
        }),
        'it created 2 jobs',
      ],
      'waits long, and submits another': [
        second('IN_QUEUE', [waiting, waiting]),
        'where nothing goes wrong it creates 1',
      ],
      'finds its result gone, and submits another': [
        second('GONE', [status(GONE)], { job: { endedMs: 400 } }),
        'job j1 had ended',
      ],
      'has a job that is gone while it ran, and submits another': [
        second('GONE', [status(told('IN_PROGRESS')), status(GONE)]),
        'it created 2 jobs',
      ],
      'waits for a late reply, and submits again': [
        session({
          weather: 'no-reply-to-submission',
          calls: [run(ABANDONED, { took: 9_000, reached: false, fault: 'no reply came' }), run()],
        }),
        'whose reply was lost',
      ],
      'does not wait for the reply, and submits again': [
        session({
          calls: [runsync(ABANDONED, { took: 900 }), runsync(ABANDONED, { took: 900 })],
          end: stopped(2_000),
        }),
        'whose reply was lost',
      ],
    },
    open: {
      'submits another once it was told that the first has failed': second('FAILED', [
        status(told('FAILED')),
      ]),
      'submits another once it has cancelled the first': second('CANCELLED', [
        waiting,
        cancel(told('CANCELLED')),
      ]),
      'submits another once the first was removed from the queue': second('GONE', [waiting, status(GONE)]),
      'submits its next job once the first is completed': second('COMPLETED', [status(told('COMPLETED'))]),
      'submits two jobs in clear conditions, too': second('IN_PROGRESS', [waiting], { jobsWhenClear: 2 }),
      'loses nothing': session({ calls: [run(), status(told('COMPLETED'))] }),
      'submits again after 429': afterLoss(LIMITED, run(told('IN_QUEUE'), { sent: BODY })),
      'submits again after 503': afterLoss(answered(503), run(told('IN_QUEUE'), { sent: BODY })),
      'submits again as its connection was refused': session({
        weather: 'connection-refused',
        calls: [run(REFUSED, { reached: false }), run()],
      }),
      'submits many of the same': session({ calls: [run(), run(), run(LOST), run(), run()] }),
      'submits many of the same, the last but one of which is lost': session({
        calls: [run(), run(), run(LOST), run()],
      }),
      'submits many of the same, the first of which is lost': session({
        calls: [run(LOST), run(), run(), run()],
      }),
      'submits with several threads': session({
        calls: [run(LOST, { at: 100, took: 50 }), run(told('IN_QUEUE'), { at: 120, took: 50 })],
      }),
      'ends while its call is open': session({
        calls: [runsync(ABANDONED)],
        end: (atMs) => ({ kind: 'ended', success: false, how: 'exit code 1', atMs: atMs + 5 }),
      }),
    },
  },
  {
    rule: 'client/leaves-no-job',
    kept: {
      'cancels it': givesUp('CANCELLED', [run(), waiting, cancel(told('CANCELLED'))]),
      'tried to cancel it': givesUp('IN_QUEUE', [run(), waiting, cancel(answered(500))]),
      'purges the queue': givesUp('IN_QUEUE', [
        run(),
        waiting,
        { operation: 'purge-queue', method: 'POST', path: '/v2/ep/purge-queue' },
      ]),
      'gives up when its job has failed': givesUp('FAILED', [run(), status(told('FAILED'))]),
    },
    violated: {
      'gives up while it waits': [givesUp('IN_QUEUE', [run(), waiting, waiting]), 'left job j1 IN_QUEUE'],
      'gives up at an error': [
        givesUp('IN_PROGRESS', [run(), status(answered(500))]),
        'left job j1 IN_PROGRESS',
      ],
      'purges the queue while its job runs': [
        givesUp('IN_PROGRESS', [
          run(),
          waiting,
          { operation: 'purge-queue', method: 'POST', path: '/v2/ep/purge-queue' },
        ]),
        'left job j1 IN_PROGRESS',
      ],
      'does not wait for /runsync': [
        givesUp('IN_PROGRESS', [runsync(ABANDONED)]),
        'whose id it does not know',
      ],
      'ends while it waits for /runsync': [
        givesUp('IN_PROGRESS', [runsync({ kind: 'open' })]),
        'whose id it does not know',
      ],
      'gives up an unfinished /runsync': [
        givesUp('IN_PROGRESS', [runsync(told('IN_PROGRESS'))]),
        'left job j1',
      ],
    },
    open: {
      'ends with success': givesUp('IN_QUEUE', [run(), waiting], { end: succeeded }),
      'is stopped': givesUp('IN_QUEUE', [run(), waiting], { end: stopped(100) }),
      'could cancel nothing': givesUp('IN_QUEUE', [run(), ...times(3, status(answered(401)))]),
      'has a key that is no longer accepted': givesUp('IN_QUEUE', [run(), waiting, status(answered(401))]),
      'never knew its job': givesUp('IN_QUEUE', [run(LOST)]),
      'was told that its job had failed, before others retried it': givesUp('IN_QUEUE', [
        run(),
        status(told('FAILED')),
      ]),
      'was told that its job was gone': givesUp('IN_QUEUE', [run(), status(GONE)]),
      'has no job': givesUp('IN_QUEUE', [run(answered(400))], { jobs: [] }),
    },
  },
  {
    rule: 'client/knows-its-ids',
    kept: {
      'uses the id of the reply': session({ calls: [run(), waiting] }),
      'uses the id of a webhook': session({
        calls: [run(LOST), status(told('COMPLETED'), { job: 'j9' })],
        webhooks: [{ job: 'j9' }],
      }),
      'uses the id of a reply that broke': session({
        calls: [run({ kind: 'lost', why: 'half' }), status(told('COMPLETED'), { job: 'j9' })],
        jobs: [{ id: 'j9' }],
      }),
    },
    violated: {
      'asks for undefined': [session({ calls: [run(), status(GONE, { job: 'undefined' })] }), '`undefined`'],
      'cuts the id': [session({ calls: [run(), status(GONE, { job: 'j' })] }), '`j`'],
    },
    open: { 'asks for no job': session({ calls: [run()] }) },
  },
  {
    rule: 'client/follows-unfinished-runsync',
    kept: {
      'polls it': session({ calls: [runsync(told('IN_PROGRESS')), status(told('COMPLETED'))] }),
      'cancels it': session({ calls: [runsync(told('IN_QUEUE')), cancel(told('CANCELLED'))], end: failed }),
      'waits for its webhook': session({
        calls: [runsync(told('IN_PROGRESS'))],
        jobs: [{ webhook: 'http://127.0.0.1:4000/' }],
      }),
    },
    violated: {
      'takes it for the result': [
        session({ calls: [runsync(told('IN_PROGRESS'))] }),
        'answered with IN_PROGRESS',
      ],
      'gives it up': [session({ calls: [runsync(told('IN_QUEUE'))], end: failed }), 'never asked'],
      'submits it again': [
        session({ calls: [runsync(told('IN_QUEUE')), runsync(told('COMPLETED', { id: 'j2' }))] }),
        'never asked',
      ],
    },
    open: {
      'has its result': session({ calls: [runsync()] }),
      'uses /run': session({ calls: [run(), status(told('COMPLETED'))] }),
      'is stopped': session({ calls: [runsync(told('IN_PROGRESS'))], end: stopped(10) }),
    },
  },
];
