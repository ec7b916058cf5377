/** Histories of correct endpoints that take a lifespan in a way somebody may not have thought of. Each was failed once. */
import { TraceBuilder } from './trace-builder.js';

const hang = [{ hang: true }];
const trace = (workers: number | null = 1): TraceBuilder => new TraceBuilder(workers);
const record = (id: string, status: string) => ({ id, status, delayTime: 0, executionTime: 0 });
const ttl = (value: string) => ({ query: { ttl: value }, illegal: `ttl-${value}` });

export const LEGAL_LIFESPANS: readonly (readonly [string, TraceBuilder])[] = [
  [
    'a ttl of -1 given by /status is raised to 10 s, which are over',
    trace(0).submitted(0, 'a', hang).call(10_200, 'status', 'a', 404, { error: 'gone' }, ttl('-1')),
  ],
  [
    'a ttl of -1 given by /status is raised to 10 s, which go on',
    trace()
      .submitted(0, 'a', hang)
      .call(5_000, 'status', 'a', 200, record('a', 'IN_PROGRESS'), ttl('-1'))
      .seen(10_200, 'a', 'GONE'),
  ],
  [
    'a ttl of 1.5 given by /status is ignored',
    trace()
      .submitted(0, 'a', hang)
      .call(5_000, 'status', 'a', 200, record('a', 'IN_PROGRESS'), ttl('1.5'))
      .seen(10_200, 'a', 'IN_PROGRESS'),
  ],
  [
    'a ttl of 6000 given by /status stands for the default of 24 hours, from then on',
    trace(0)
      .submitted(0, 'a', hang, { ttl: 20_000 })
      .call(5_000, 'status', 'a', 200, record('a', 'IN_QUEUE'), { query: { ttl: '6000' } })
      .seen(25_000, 'a', 'IN_QUEUE'),
  ],
  [
    'the worker of a stopped job takes one that is deleted while it runs, and another waits all the while',
    trace()
      .submitted(0, 'a', hang, { executionTimeout: 600_000, ttl: 604_800_000 })
      .submitted(0, 'b', hang, { executionTimeout: 604_800_000 })
      .submitted(0, 'c', hang)
      .seen(86_000_000, 'c', 'IN_QUEUE')
      .seen(86_405_000, 'c', 'GONE')
      .seen(86_405_000, 'a', 'TIMED_OUT', { executionTime: 600_000 })
      .seen(172_899_000, 'b', 'GONE'),
  ],
  [
    'a job that is stopped tells of its run in nanoseconds',
    trace()
      .submitted(0, 'a', hang, { executionTimeout: 55_000 })
      .seen(56_000, 'a', 'TIMED_OUT', { executionTime: 55_000_000_000 }),
  ],
  [
    'a failed job is cancelled, which changes nothing, then retried and cancelled while it runs',
    trace()
      .submitted(0, 'a', [{ sleepMs: 20_000 }, { fail: 'broken' }])
      .seen(20_100, 'a', 'FAILED', { executionTime: 20_000 })
      .call(20_200, 'cancel', 'a', 200, { id: 'a', status: 'FAILED' })
      .seen(20_300, 'a', 'FAILED', { executionTime: 20_000 })
      .call(20_400, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(25_000, 'a', 'IN_PROGRESS')
      .call(25_100, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
      .seen(25_200, 'a', 'CANCELLED'),
  ],
  [
    'a ttl above the most stands for the default, in edition runpod',
    new TraceBuilder(0, { edition: 'runpod' })
      .submitted(0, 'a', hang, { ttl: 700_000_000 })
      .seen(86_000_000, 'a', 'IN_QUEUE')
      .seen(87_000_000, 'a', 'GONE'),
  ],
];
