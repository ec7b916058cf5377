/** The simulator with typed submissions: Poisson arrivals at 8 workers, load 0.9, three timers running. */
import { createService } from '../../src/core/service.js';
import { createRandom } from '../../src/time/random.js';
import { createEventQueue } from '../../src/time/event-queue.js';

const WORKERS = 8;
const SERVICE_MS = 1_000;
const LOAD = 0.9;

const jobs = Number(process.argv[2] ?? 200_000);
const random = createRandom(1);
const exponential = (meanMs: number): number => -Math.log((random.nextUint32() + 1) / 2 ** 32) * meanMs;
const submission = {
  input: {},
  webhook: null,
  s3Config: null,
  policy: { executionTimeoutMs: null, lowPriority: null, ttlMs: null },
};
const service = createService({ keys: [], endpoints: [{ id: 'e', workers: WORKERS, jobsPerWorker: 1 }] });
const ends = createEventQueue<number>();
const waits = new Float64Array(jobs);
let waited = 0;

function obey(nowMs: number, effects: ReturnType<typeof service.apply>['effects']): void {
  for (const effect of effects)
    if (effect.kind === 'start') {
      waits[waited++] = effect.queuedForMs;
      ends.schedule(nowMs + Math.round(exponential(SERVICE_MS)), 0, effect.attempt);
    }
}

const before = process.cpuUsage();
let arrivalMs = 0;
for (let submitted = 0; submitted < jobs; submitted++) {
  arrivalMs += exponential(SERVICE_MS / (WORKERS * LOAD));
  const atMs = Math.round(arrivalMs);
  for (let next = ends.nextAtMs(); next !== null && next <= atMs; next = ends.nextAtMs()) {
    const attempt = ends.pop()!.value;
    obey(next, service.apply(next, { kind: 'worker', attempt, report: { kind: 'success', output: null } }).effects);
  }
  obey(atMs, service.apply(atMs, { kind: 'submit', endpoint: 'e', submission }).effects);
}
const { user, system } = process.cpuUsage(before);
const mean = waits.subarray(0, waited).reduce((sum, ms) => sum + ms, 0) / waited;
process.stdout.write(`${JSON.stringify({ jobs, cpuMs: (user + system) / 1000, meanWaitMs: mean })}\n`);
