/**
 * The simulator without HTTP: jobs arrive at random at 8 workers, with a load of 0.9; ttl, executionTimeout and
 * retention run. usage: simulator.js JOBS
 */
import { createService } from '../../src/core/service.js';
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

const jobs = Number(process.argv[2] ?? 200_000);

/** The mean time that a job waited, in ms. */
function simulate(): number {
  const random = createRandom(1);
  const exponential = (meanMs: number): number => -Math.log((random.nextUint32() + 1) / 2 ** 32) * meanMs;
  const service = createService({ keys: [], endpoints: [{ id: 'e', workers: WORKERS }] });
  const ends = createEventQueue<number>();
  let waitedMs = 0;
  const obey = (nowMs: number, { effects }: ReturnType<typeof service.apply>): void => {
    for (const effect of effects) {
      if (effect.kind !== 'start') continue;
      waitedMs += effect.queuedForMs;
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
    obey(atMs, service.apply(atMs, { kind: 'submit', endpoint: 'e', submission: SUBMISSION }));
  }
  endUntil(Infinity);
  return waitedMs / jobs;
}

measured(jobs, simulate);
