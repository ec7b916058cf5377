/** Histories of correct endpoints that do what somebody may not have thought of. Each was failed once. */
import { TraceBuilder } from './trace-builder.js';

const hang = [{ hang: true }];
const trace = (workers: number | null = 1): TraceBuilder => new TraceBuilder(workers);
const record = (id: string, status: string) => ({ id, status, delayTime: 0, executionTime: 0 });

const fails = [{ fail: 'x' }];
const lostRetry = (history: TraceBuilder, ms: number): TraceBuilder =>
  history.call(ms, 'retry', 'a', null, null, { receivedMs: ms });
const byGet = { method: 'GET', illegal: 'wrong-method' };

export const LEGAL: readonly (readonly [string, TraceBuilder])[] = [
  [
    'each of three retries whose answers were lost took effect',
    [300, 600, 900].reduce(
      (history, ms) => lostRetry(history.seen(ms - 100, 'a', 'FAILED'), ms).seen(ms + 10, 'a', 'IN_PROGRESS'),
      trace().submitted(0, 'a', fails, undefined, { planOnRetry: fails }),
    ),
  ],
  [
    'a retry and a cancel by GET are performed like those by POST',
    trace()
      .submitted(0, 'a', fails)
      .seen(200, 'a', 'FAILED')
      .call(300, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' }, byGet)
      .seen(310, 'a', 'IN_PROGRESS')
      .call(320, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }, byGet)
      .seen(330, 'a', 'CANCELLED')
      .call(2_000, 'health', null, 200, {
        jobs: { completed: 0, failed: 1, inProgress: 0, inQueue: 0, retried: 1 },
        workers: { idle: 1, running: 0 },
      }),
  ],
  [
    'the worker of a job whose id nobody learned died, and the job was run again',
    trace(1)
      .call(
        0,
        'runsync',
        null,
        408,
        { error: 'wait' },
        {
          body: { input: { plan: [{ sleepMs: 100 }, { crash: true }] } },
          query: { wait: '1000' },
          receivedMs: 1_000,
        },
      )
      .call(2_000, 'health', null, 200, {
        jobs: { completed: 0, failed: 1, inProgress: 0, inQueue: 0, retried: 1 },
        workers: { idle: 1, running: 0 },
      }),
  ],
  [
    'the error of a job that ran out of time is its last chunk',
    trace()
      .submitted(0, 'a', [{ stream: 1 }, { sleepMs: 9_000 }, { stream: 2 }], { executionTimeout: 5_000 })
      .seen(5_200, 'a', 'TIMED_OUT', { executionTime: 5_000 })
      .call(5_300, 'stream', 'a', 200, [{ output: 1 }, { output: { error: 'too long' } }]),
  ],
  [
    'the result of a job that streams is its last chunk, and the same as an earlier one',
    trace()
      .submitted(0, 'a', [{ stream: 1 }, { stream: 2 }, { return: 1 }])
      .seen(200, 'a', 'COMPLETED', { output: [1, 2] })
      .call(300, 'stream', 'a', 200, [{ output: 1 }, { output: 2 }, { output: 1 }]),
  ],
  [
    'every failed job is told by 400, and no other one waits',
    ['a', 'b', 'c'].reduce(
      (history, id, at) =>
        history.call(
          at,
          'runsync',
          null,
          400,
          { ...record(id, 'FAILED'), error: 'x' },
          {
            body: { input: { plan: fails } },
          },
        ),
      trace(),
    ),
  ],
  [
    'a result with an error is a failure in edition runpod, told by 400 and nothing else',
    new TraceBuilder(1, { edition: 'runpod' }).call(
      0,
      'runsync',
      null,
      400,
      { error: 'mine' },
      {
        body: { input: { plan: [{ echo: true }], error: 'mine' } },
      },
    ),
  ],
  [
    'a ttl is set that is over, and the job keeps its worker until then',
    trace(1)
      .submitted(0, 'a', hang)
      .submitted(60_000, 'b', hang)
      .seen(61_000, 'a', 'IN_PROGRESS')
      .seen(199_000, 'b', 'IN_QUEUE')
      .call(200_000, 'status', 'a', 200, record('a', 'IN_PROGRESS'), { query: { ttl: '20000' } })
      .seen(200_000, 'a', 'GONE'),
  ],
  [
    'a completed job is cancelled, still counts as completed, and is kept as long as cancelled ones are',
    trace(1)
      .submitted(0, 'a', [{ return: 1 }])
      .seen(200, 'a', 'COMPLETED', { output: 1 })
      .call(1_000, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
      .call(2_000, 'health', null, 200, {
        jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
        workers: { idle: 1, running: 0 },
      })
      .seen(1_900_000, 'a', 'CANCELLED'),
  ],
  [
    'a failed job is cancelled while its webhook is being retried, which is told beside',
    trace()
      .submitted(0, 'a', fails, undefined, { webhook: 'http://here/1' })
      .webhook(10, 'http://here/1', 500)
      .call(10_000, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
      .webhook(10_001, 'http://here/1', 500)
      .webhook(10_010, 'http://here/1', 500)
      .webhook(20_001, 'http://here/1', 500)
      .webhook(20_010, 'http://here/1', 200),
  ],
  [
    'the first of two webhook calls may have come before it was noticed',
    trace()
      .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: 'http://here/1' })
      .webhook(700, 'http://here/1', 500, {}, 100)
      .seen(1_000, 'a', 'COMPLETED', { output: 1 })
      .webhook(10_400, 'http://here/1', 200, {}, 10_000),
  ],
  [
    'a job completes, and is told to have, after it was counted and before the count arrived',
    trace()
      .call(
        0,
        'runsync',
        null,
        200,
        { ...record('a', 'COMPLETED'), executionTime: 5_000, output: 1 },
        {
          body: { input: { plan: [{ sleepMs: 5_000 }, { return: 1 }] } },
          receivedMs: 5_000,
          ticks: [0, 5],
        },
      )
      .call(
        4_900,
        'health',
        null,
        200,
        {
          jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 },
          workers: { idle: 0, running: 1 },
        },
        { receivedMs: 5_100, ticks: [4, 6] },
      ),
  ],
  [
    'a completed job is removed by a cancel, and still counts as completed',
    trace(1)
      .submitted(0, 'a', [{ return: 1 }])
      .seen(200, 'a', 'COMPLETED', { output: 1 })
      .call(1_000, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
      .seen(1_100, 'a', 'GONE')
      .call(2_000, 'health', null, 200, {
        jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
        workers: { idle: 1, running: 0 },
      }),
  ],
  [
    'a job whose worker died has the rest of its executionTimeout for its second run',
    trace(null)
      .submitted(
        0,
        'a',
        [{ sleepMs: 4_000 }, { crash: true }],
        { executionTimeout: 10_000 },
        { planOnRetry: hang },
      )
      .seen(10, 'a', 'IN_PROGRESS')
      .seen(9_900, 'a', 'IN_PROGRESS')
      .seen(10_050, 'a', 'TIMED_OUT', { executionTime: 10_000 }),
  ],
  [
    'the rate is looked at before the key',
    [0, 1, 2].reduce(
      (history, n) =>
        history.call(n, 'purge-queue', null, n < 2 ? 401 : 429, { error: 'no' }, { auth: 'missing' }),
      trace(),
    ),
  ],
  [
    'a job cancelled after its completion tells its webhook of both',
    trace()
      .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: 'http://here/1' })
      .seen(200, 'a', 'COMPLETED', { output: 1 })
      .webhook(200, 'http://here/1', 200)
      .call(300, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
      .webhook(310, 'http://here/1', 200),
  ],
  [
    'a job whose worker died waits for good where the workers were taken away',
    trace()
      .submitted(0, 'a', [{ sleepMs: 1_000 }, { crash: true }])
      .seen(500, 'a', 'IN_PROGRESS')
      .staffed(600, 0)
      .seen(30_000, 'a', 'IN_QUEUE')
      .seen(8_000_000, 'a', 'IN_QUEUE'),
  ],
  [
    'a cancelled job delivered a result that it would have repeated',
    trace()
      .submitted(0, 'a', [{ stream: 1 }, ...[2, 3, 1].flatMap((n) => [{ sleepMs: 4_000 }, { stream: n }])])
      .seen(10, 'a', 'IN_PROGRESS')
      .call(1_000, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
      .seen(1_100, 'a', 'CANCELLED')
      .call(60_000, 'stream', 'a', 200, [{ output: 1 }]),
  ],
  [
    'a job begins at the instant at which the workers were taken away, twice',
    trace(2)
      .submitted(1_000, 'a', hang)
      .staffed(1_000, 0)
      .staffed(1_000, 0)
      .seen(1_100, 'a', 'IN_PROGRESS')
      .call(1_100, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }),
  ],
  ...(['us', 'ns'] as const).map((unit): readonly [string, TraceBuilder] => {
    const perMs = unit === 'us' ? 1_000 : 1_000_000;
    return [
      `times are in ${unit}`,
      trace()
        .submitted(0, 'a', [{ sleepMs: 4_000 }])
        .submitted(10, 'b', [{ sleepMs: 1_000 }])
        .seen(4_200, 'a', 'COMPLETED', { output: { ok: true }, executionTime: 4_000 * perMs })
        .seen(5_300, 'b', 'COMPLETED', {
          output: { ok: true },
          delayTime: 3_990 * perMs,
          executionTime: 1_000 * perMs,
        }),
    ];
  }),
  [
    'a wait that has elapsed is answered with nothing',
    trace().call(0, 'runsync', null, 204, null, {
      body: { input: { plan: hang } },
      query: { wait: '1000' },
      receivedMs: 1_000,
    }),
  ],
  [
    'a worker that has just completed a job is neither running nor idle for a while',
    trace()
      .submitted(0, 'a', [{ sleepMs: 1_000 }])
      .seen(500, 'a', 'IN_PROGRESS')
      .seen(1_010, 'a', 'COMPLETED', { output: { ok: true }, executionTime: 1_000 })
      .call(1_020, 'health', null, 200, {
        jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
        workers: { idle: 0, running: 0 },
      }),
  ],
];
