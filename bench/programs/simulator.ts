/**
 * Jobs arrive at random at 8 workers, with a load of 0.9; ttl, executionTimeout and retention run.
 * usage: simulator.js typed|http JOBS
 * `typed`: submissions are values; `http`: they are requests, as a client sends them.
 */
import { createService } from '../../src/core/service.js';
import type { CoreInput } from '../../src/core/api.js';
import { createEventQueue } from '../../src/time/event-queue.js';
import { createRandom } from '../../src/time/random.js';
import { measured } from './measured.js';

const WORKERS = 8;
const SERVICE_MS = 1_000;
const LOAD = 0.9;
const SUBMISSION = {
  input: {},
  webhook: null,
  s3Config: null,
  policy: { executionTimeoutMs: null, lowPriority: null, ttlMs: null },
};
const BODY = '{"input":{}}';

const [how = 'typed', count = '200000'] = process.argv.slice(2);
const jobs = Number(count);

const TYPED: CoreInput = { kind: 'submit', endpoint: 'e', submission: SUBMISSION };
const submission = (callId: number): CoreInput =>
  how === 'typed'
    ? TYPED
    : {
        kind: 'request',
        callId,
        request: {
          method: 'POST',
          path: '/v2/e/run',
          query: {},
          headers: { authorization: 'key', 'content-type': 'application/json' },
          body: BODY,
          bodyBytes: BODY.length,
        },
      };

/** How long each job waited, in ms. */
function simulate(): readonly number[] {
  const random = createRandom(1);
  const exponential = (meanMs: number): number => -Math.log((random.nextUint32() + 1) / 2 ** 32) * meanMs;
  const service = createService({ keys: ['key'], endpoints: [{ id: 'e', workers: WORKERS }] });
  const ends = createEventQueue<number>();
  const waits: number[] = [];
  const obey = (nowMs: number, { effects }: ReturnType<typeof service.apply>): void => {
    for (const effect of effects) {
      if (effect.kind !== 'start') continue;
      waits.push(effect.queuedForMs);
      ends.schedule(nowMs + Math.round(exponential(SERVICE_MS)), 0, effect.attempt);
    }
  };
  const endUntil = (ms: number): void => {
    for (let next = ends.nextAtMs(); next !== null && next <= ms; next = ends.nextAtMs()) {
      const report = { kind: 'success', output: null } as const;
      obey(next, service.apply(next, { kind: 'worker', attempt: ends.pop()!.value, report }));
    }
  };
  let arrivalMs = 0;
  for (let submitted = 0; submitted < jobs; submitted++) {
    arrivalMs += exponential(SERVICE_MS / (WORKERS * LOAD));
    const atMs = Math.round(arrivalMs);
    endUntil(atMs);
    obey(atMs, service.apply(atMs, submission(submitted)));
  }
  endUntil(Infinity);
  if (waits.length !== jobs) throw new Error(`${waits.length} of ${jobs} jobs started`);
  return waits;
}

measured(jobs, simulate);
