import type { RuleCases } from './rule-cases.js';
import {
  again,
  answered,
  failed,
  GONE,
  LIMITED,
  run,
  session,
  status,
  stopped,
  stream,
  succeeded,
  times,
  told,
} from './session-of.js';

const waiting = status(told('IN_PROGRESS'));
const gone = status(GONE);
const CHUNK = [{ output: 'a' }];
const tight = { after: 1, took: 1 };

/** A client that reads each of its jobs so often, at this distance. */
const polls = (everyMs: number, jobs: number, reads: number) =>
  session({
    calls: [
      run(),
      ...Array.from({ length: jobs * reads }, (_, at) =>
        status(told('IN_PROGRESS'), {
          job: `j${at % jobs}`,
          at: 500 + Math.floor(at / jobs) * everyMs + ((at % jobs) * everyMs) / jobs,
          took: 1,
        }),
      ),
    ],
    end: stopped(9),
  });

export const POLLING_CASES: readonly RuleCases[] = [
  {
    rule: 'client/gone-is-gone',
    kept: {
      'ends at once': session({ weather: 'no-worker', calls: [run(), waiting, gone], end: failed }),
      'makes sure': session({
        weather: 'no-worker',
        calls: [run(), waiting, ...times(6, gone)],
        end: failed,
      }),
      'sees it come back': session({ calls: [run(), waiting, gone, gone, gone, waiting, gone, gone, gone] }),
    },
    violated: {
      'polls on': [
        session({
          weather: 'no-worker',
          calls: [run(), waiting, ...times(5, { ...gone, after: 2_000 })],
          end: stopped(9),
        }),
        'read 4 more times',
      ],
      'streams on': [
        session({ calls: [run(), stream(answered(200, [])), ...times(13, stream(GONE))], end: stopped(9) }),
        'read 12 more times',
      ],
      'takes 404 for not yet started': [
        session({
          weather: 'result-gone',
          calls: [run(), ...times(20, { ...gone, after: 500 })],
          end: stopped(9),
        }),
        '19 more times',
      ],
    },
    open: {
      'is never answered 404': session({ calls: [run(), waiting, status(told('COMPLETED'))] }),
      'waits until the service knows the job': session({
        weather: 'known-a-second-late',
        calls: [run(), ...times(20, gone), waiting, status(told('COMPLETED'))],
      }),
      'reads a stream that the handler does not have': session({
        calls: [run(), ...times(5, stream(GONE)), status(told('COMPLETED'))],
      }),
    },
  },
  {
    rule: 'client/poll-pause',
    kept: {
      pauses: session({ calls: [run(), ...times(40, waiting)] }),
      'pauses sometimes': session({
        calls: [
          run(),
          ...times(10, { ...waiting, ...tight }),
          waiting,
          ...times(12, { ...waiting, ...tight }),
        ],
      }),
      'fetches one chunk after the other': session({
        calls: [run(), ...times(40, { ...stream(answered(200, CHUNK)), ...tight })],
      }),
      'lets the service hold the reads back, on a clock that runs faster': session({
        calls: [run(), ...times(300, { ...waiting, ...tight, path: '/v2/ep/status-sync/j1?wait=1000' })],
      }),
      'polls every 250 ms on a slow machine': polls(250, 1, 60),
      'polls every 100 ms': polls(100, 1, 100),
      'polls 25 jobs every 250 ms': polls(250, 25, 20),
      'waits longer and longer': session({
        calls: [
          run(),
          ...Array.from({ length: 40 }, (_, at) => ({ ...waiting, after: Math.min(1_000, 30 * 1.3 ** at) })),
        ],
      }),
      'reads the stream and the status in turn': session({
        calls: [
          run(),
          ...times(20, { ...stream(answered(200, [])), after: 300 }).flatMap((read) => [
            read,
            { ...waiting, after: 1 },
          ]),
        ],
      }),
      'has forty jobs': session({
        calls: [
          run(),
          ...Array.from({ length: 120 }, (_, at) =>
            status(told('IN_PROGRESS'), { job: `j${at % 40}`, ...tight }),
          ),
        ],
      }),
    },
    violated: {
      'does not pause': [
        session({ calls: [run(), ...times(100, { ...waiting, ...tight })], end: stopped(9) }),
        '100 times in a row',
      ],
      'reads with curl, one call after the other': [polls(60, 1, 60), '60 times within'],
      'reads every 50 ms, on a machine that often is late': [
        session({
          calls: [
            run(),
            ...times(40, waiting).map((each, at) => ({ ...each, after: at % 2 === 0 ? 45 : 150 })),
          ],
        }),
        '40 times within',
      ],
      'reads 25 jobs in turn, without a pause': [polls(130, 25, 30), 'and 24 more'],
      'does not pause on a slow machine': [
        session({
          calls: [
            run(),
            ...times(5, waiting).flatMap((slow) => [...times(10, { ...waiting, ...tight }), slow]),
          ],
        }),
        'of 55 times that it read a job, 49',
      ],
      'does not pause between empty streams': [
        session({ calls: [run(), ...times(30, { ...stream(answered(200, [])), ...tight })] }),
        '30 times in a row',
      ],
      'does not pause while it is refused': [
        session({ calls: [run(), ...times(50, { ...status(LIMITED), ...tight })] }),
        '50 times in a row',
      ],
    },
    open: {
      'reads twice': session({ calls: [run(), waiting, status(told('COMPLETED'))] }),
      'reads nothing': session({ calls: [run()] }),
    },
  },
  {
    rule: 'client/no-overlapping-polls',
    kept: {
      'waits for each reply': session({ calls: [run(), waiting, waiting] }),
      'has two threads': session({
        calls: [run(), { ...waiting, at: 300, took: 900 }, { ...waiting, at: 310, took: 900 }],
      }),
      'has many jobs': session({
        calls: [
          run(),
          ...[0, 1, 2, 0, 1, 2].map((job, at) =>
            status(told('IN_QUEUE'), { job: `j${job}`, at: at < 3 ? 300 : 2_000, took: 900 }),
          ),
        ],
      }),
    },
    violated: {
      'asks every 200 ms, whatever comes': [
        session({
          weather: 'late-replies',
          calls: [
            run(),
            ...times(5, waiting).map((each, at) => ({ ...each, at: 300 + 200 * at, took: 1_500 })),
          ],
        }),
        '5 reads',
      ],
    },
    open: { 'reads once': session({ calls: [run(), status(told('COMPLETED'))] }) },
  },
  {
    rule: 'client/waits-end',
    kept: {
      'gives up': session({ weather: 'gateway-down', calls: [run(answered(502))], end: failed }),
      'gives up on a job that does not start': session({
        weather: 'job-never-starts',
        calls: [run(), waiting, status(told('IN_QUEUE'))],
        jobs: [{ state: 'IN_QUEUE' }],
        end: failed,
      }),
      'gives up on a webhook': session({
        weather: 'webhook-never',
        calls: [run()],
        jobs: [{ webhook: 'http://127.0.0.1:4000/' }],
        end: failed,
      }),
    },
    violated: {
      'tries for ever': [
        session({ weather: 'rate-limited-for-ever', calls: times(9, run(LIMITED)), end: stopped(20_000) }),
        'allow more with --limit',
      ],
      'waits for a worker before it submits': [
        session({ calls: times(9, { ...waiting, operation: 'health', job: null }), end: stopped(9_000) }),
        'had submitted no job',
      ],
      'waits for its webhook alone, as long as for a job': [
        session({
          weather: 'webhook-never',
          calls: [run()],
          jobs: [{ webhook: 'http://127.0.0.1:4000/' }],
          patienceMs: 120_000,
          end: stopped(20_000),
        }),
        'had not given up',
      ],
      'tries for longer than it waits for a job': [
        session({
          weather: 'gateway-down',
          calls: times(9, run(answered(502))),
          patienceMs: 5_000,
          end: stopped(28_000),
        }),
        'had not given up',
      ],
      'waits for a job for ever': [
        session({
          weather: 'job-never-starts',
          calls: [run(), ...times(9, status(told('IN_QUEUE')))],
          jobs: [{ state: 'IN_QUEUE' }],
          end: stopped(20_000),
        }),
        'had not given up',
      ],
      'waits for a job for ever, on a machine that is late': [
        session({
          weather: 'job-never-starts',
          calls: [run(), ...again(waiting, [...Array.from({ length: 90 }, () => 250), 600])],
          jobs: [{ state: 'IN_QUEUE' }],
          end: stopped(900),
        }),
        'had not given up',
      ],
      'waits for a reply for ever': [
        session({
          weather: 'no-reply-to-read',
          calls: [run(), status({ kind: 'open' }, { took: 70_000 })],
          end: stopped(0),
        }),
        'had not given up',
      ],
      'waits for a webhook for ever': [
        session({
          weather: 'webhook-never',
          calls: [run()],
          jobs: [{ webhook: 'http://127.0.0.1:4000/' }],
          end: stopped(20_000),
        }),
        'had not given up',
      ],
    },
    open: {
      'is stopped on a machine that stood still for seconds': session({
        weather: 'rate-limited-for-ever',
        calls: times(9, run(LIMITED)),
        lags: [{ fromMs: 1_000, toMs: 9_000, lostMs: 6_500 }],
        end: stopped(20_000),
      }),
      'calls nothing': session({ weather: 'gateway-down', end: stopped(20_000) }),
      'waits longer each time': session({
        weather: 'rate-limited-for-ever',
        calls: again(run(LIMITED), [2_000, 4_000, 8_000]),
        end: stopped(15_000),
      }),
      'is stopped in a weather that passes': session({ calls: [run(), waiting], end: stopped(20_000) }),
      'has a deadline for its job that is not over': session({
        weather: 'gateway-down',
        calls: times(9, run(answered(502))),
        patienceMs: 120_000,
        end: stopped(28_000),
      }),
      'gave its job a ttl that ended it': session({
        weather: 'job-never-starts',
        calls: [run(), waiting, gone],
        jobs: [{ state: 'GONE', ttlMs: 10_000 }],
        end: failed,
      }),
      'gives no webhook': session({ weather: 'webhook-never', calls: [run()], end: stopped(20_000) }),
      'polls as well': session({
        weather: 'webhook-never',
        calls: [run(), status(told('COMPLETED'))],
        jobs: [{ webhook: 'http://127.0.0.1:4000/' }],
        end: succeeded,
      }),
      'is not ours to end': session({
        weather: 'gateway-down',
        calls: [run(answered(502))],
        end: (atMs) => ({ kind: 'attached', atMs }),
      }),
    },
  },
];
