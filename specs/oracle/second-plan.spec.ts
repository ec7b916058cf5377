/** Workers that do not share memory may follow the first plan again after a retry; one that never completes explains no COMPLETED. */
import { expect, it } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { TraceBuilder, verdictOf } from './support/trace-builder.js';

const KEEPS_INPUT = '4.6/keeps-input';

/** In real time: a job is retried, and its second run returns this. */
function retried(plan: Json, returned: Json): string | undefined {
  const input = { plan, planOnRetry: [{ echo: true }], text: 'original' };
  const output = returned === 'its input' ? input : returned;
  const findings = new TraceBuilder(null, { clock: 'real' }, false)
    .call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body: { input } })
    .seen(100, 'a', 'FAILED')
    .call(200, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(300, 'a', 'COMPLETED', { output })
    .judged(10_000);
  return verdictOf(findings, KEEPS_INPUT);
}

it.each<[string, Json, Json, string]>([
  ['the input comes back', [{ fail: 'once' }], 'its input', 'pass'],
  ['without its input it cannot be the second run', [{ fail: 'once' }], { echo: {} }, 'fail'],
  ['a first plan that streams may complete', [{ stream: 1 }], { ok: true }, 'not-exercised'],
])('%s', (_, plan, returned, verdict) => {
  expect(retried(plan, returned)).toBe(verdict);
});
