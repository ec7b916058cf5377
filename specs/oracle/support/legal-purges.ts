/** Histories of correct endpoints whose purges do what somebody may not have thought of. Each was failed once. */
import { TraceBuilder } from './trace-builder.js';

const hang = [{ hang: true }];
const byGet = { method: 'GET', illegal: 'wrong-method' };
const trace = (workers: number | null = 1): TraceBuilder => new TraceBuilder(workers);

export const LEGAL_PURGES: readonly (readonly [string, TraceBuilder])[] = [
  [
    'a purged job is told as FAILED, and retried like one',
    trace(0)
      .submitted(0, 'a', hang)
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(200, 'a', 'FAILED')
      .call(300, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(400, 'a', 'IN_QUEUE'),
  ],
  [
    'a purged job is told as purged for good, by a code of its own',
    trace(0)
      .submitted(0, 'a', hang, { ttl: 10_000 })
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .call(200, 'status', 'a', 410, { error: 'purged' })
      .call(20_000, 'status', 'a', 410, { error: 'purged' })
      .call(20_000, 'retry', 'a', 410, { error: 'purged' }),
  ],
  [
    'a purged job is told as FAILED, retried, and runs for the first time',
    trace(null)
      .submitted(0, 'a', [{ sleepMs: 2_000 }, { fail: 'x' }], undefined, { planOnRetry: [{ return: 1 }] })
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(200, 'a', 'FAILED')
      .call(300, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(400, 'a', 'IN_PROGRESS')
      .seen(2_500, 'a', 'FAILED', { executionTime: 2_000 }),
  ],
  [
    'a purge is notified of as a cancellation, and the job is not found any more',
    trace(0)
      .submitted(0, 'a', hang, undefined, { webhook: 'http://here/1' })
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .webhook(100, 'http://here/1', 200, { id: 'a', status: 'CANCELLED' })
      .seen(200, 'a', 'GONE'),
  ],
  [
    'a purged job is told as unknown before the key is looked at',
    trace(0)
      .submitted(0, 'a', hang)
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .call(200, 'status', 'a', 404, { error: 'unknown' }, { auth: 'empty-bearer' }),
  ],
  [
    'a purged job is told as FAILED by the refusal of a cancel only, and retried like one',
    trace(0)
      .submitted(0, 'a', hang)
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .call(400, 'cancel', 'a', 410, { error: 'it is FAILED' })
      .call(500, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(600, 'a', 'IN_QUEUE'),
  ],
  [
    'a purge that nobody waited for takes effect later',
    trace(0)
      .call(0, 'purge-queue', null, null, null, { receivedMs: 0 })
      .submitted(1, 'a', hang)
      .seen(5_000, 'a', 'GONE'),
  ],
  [
    'the stream of a purged job that is told as CANCELLED, with its reason as output, is closed by that',
    trace(0)
      .submitted(0, 'a', [{ stream: 'one' }, { stream: 'two' }, { hang: true }])
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(200, 'a', 'CANCELLED', { output: { error: 'purged' } })
      .call(300, 'stream', 'a', 200, [{ output: { error: 'purged' } }]),
  ],
  [
    'the stream of a purged job that is told by an error is closed by it',
    trace(0)
      .submitted(0, 'a', [{ stream: 1 }])
      .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(200, 'a', 'CANCELLED', { error: 'purged' })
      .call(300, 'stream', 'a', 200, [{ output: { error: 'purged' } }]),
  ],
  [
    'a purge by GET is performed, and counted by the limit',
    trace(0)
      .call(0, 'purge-queue', null, 202, { removed: 0, status: 'completed' }, byGet)
      .call(10, 'purge-queue', null, 200, { removed: 0, status: 'completed' })
      .call(1_000, 'purge-queue', null, 429, { error: 'too many' }),
  ],
  [
    'a purge spares the running job of a call that waits; another one removes it when it was retried',
    trace(1)
      .call(
        0,
        'runsync',
        null,
        200,
        { id: 'a', status: 'TIMED_OUT', delayTime: 0, executionTime: 5_000 },
        {
          body: { input: { plan: hang }, policy: { executionTimeout: 5_000 } },
          receivedMs: 5_000,
          ticks: [0, 9],
        },
      )
      .call(600, 'purge-queue', null, 200, { removed: 0, status: 'completed' }, { ticks: [3, 4] })
      .staffed(700, 0)
      .call(5_100, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .call(5_200, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(5_300, 'a', 'GONE'),
  ],
];
