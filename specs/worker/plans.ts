import type { Json } from '../../src/history/events.js';
import { scriptedWorker, type WorkerJob } from '../../src/worker/scripted-worker.js';

const STEPS: readonly Json[] = [
  { sleepMs: 0 },
  { sleepMs: 250 },
  { sleepMs: 90_000_000 },
  { sleepMs: 3.0 },
  { sleepMs: -1 },
  { sleepMs: 1.5 },
  { sleepMs: true },
  { sleepMs: '5' },
  { sleepMs: 2 ** 60 },
  { stream: { a: [1, null, 'é'] } },
  { stream: null },
  { stream: false },
  { streamWithMetrics: { output: { a: 1 }, metrics: { tokens: 3, model: 'é', rate: 0.5 } } },
  { streamWithMetrics: { output: null, metrics: {} } },
  { streamWithMetrics: { output: 'a', metrics: { nested: {} } } },
  { streamWithMetrics: { output: 'a', metrics: { flag: true } } },
  { streamWithMetrics: { output: 'a', metrics: [] } },
  { streamWithMetrics: { output: 'a' } },
  { streamWithMetrics: { metrics: {} } },
  { streamWithMetrics: { output: 'a', metrics: {}, more: 1 } },
  { streamWithMetrics: null },
  { streamWithMetrics: 'a' },
  { streamBytes: 3 },
  { streamBytes: 0 },
  { streamBytes: -3 },
  { streamBytes: 2 ** 40 },
  { return: { a: 1 } },
  { return: null },
  { return: [] },
  { return: {} },
  { returnBytes: 5 },
  { returnBytes: '5' },
  { echo: true },
  { echo: false },
  { echo: 1 },
  { s3Config: true },
  { s3Config: null },
  { fail: 'no luck' },
  { fail: 5 },
  { crash: true },
  { crash: 'x' },
  { hang: true },
  { hang: 0 },
  { unknown: 1 },
  {},
  { echo: true, hang: true },
  null,
  'echo',
  ['echo'],
  7,
];

const inputs: readonly Json[] = [
  ...STEPS.map((step) => ({ plan: [step] })),
  ...STEPS.map((step) => ({
    plan: [{ sleepMs: 20 }, { stream: 'first' }, { sleepMs: 30 }, step, { return: 'end' }],
  })),
  { plan: [] },
  { plan: [{ fail: 'once' }], planOnRetry: [{ sleepMs: 5 }, { return: 'again' }] },
  { plan: [{ fail: 'once' }], planOnRetry: 'nonsense' },
  { planOnRetry: [{ return: 'again' }] },
  { plan: {} },
  { plan: null },
  { plan: 'echo' },
  {},
  { prompt: 'é' },
  [],
  [{ plan: [] }],
  'text',
  null,
  5,
];
/** Valid and invalid plans of every kind, for a first run and for a run after a retry. */
export const JOBS: readonly WorkerJob[] = inputs.flatMap((input) => [
  { input, s3Config: null, ranBefore: false },
  { input, s3Config: { accessId: 'a' }, ranBefore: true },
]);

/** What our scripted worker reports: after how many ms, what, and with which output. */
export function expected(job: WorkerJob): Json {
  return scriptedWorker(job).map(({ afterMs, report }) => [
    afterMs,
    report.kind,
    report.kind === 'stream' || report.kind === 'success' ? report.output : null,
    ...(report.kind === 'stream' && report.metrics !== undefined ? [report.metrics] : []),
  ]);
}
