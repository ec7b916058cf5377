/** `npm run bench [-- ratios]`: speed beside peers; observations judged per second of one core, judging beside simulating, and the memory it takes. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from '../src/app/explore/pool.js';
import { retained } from './memory.js';
import { measureRatios, ratioText, writeRatios } from './ratios.js';
import { REPEATS, WARM_UP, type Speed, type Wanted } from './speed.js';

/** Jobs of the endpoint that lives long. */
const JOBS = 20_000;

/** A thread for each: a heap full of other histories, and code compiled for them, is not what is measured. */
async function measured(wanted: Wanted): Promise<Speed> {
  const thread = new Worker(new URL('./speed.js', import.meta.url), {
    workerData: wanted,
    resourceLimits: THREAD_LIMITS,
  });
  const [speed] = (await once(thread, 'message')) as [Speed];
  process.stdout.write(
    `${speed.name}: ${speed.calls} observations of ${speed.jobs} jobs; ${speed.perSecond} judged per second of one core ` +
      `(median of ${REPEATS} after ${WARM_UP} to warm up; at best ${speed.bestPerSecond}); ` +
      `judging / simulating ${speed.ratio.toFixed(2)}\n`,
  );
  return speed;
}

const ratios = measureRatios((ratio) => process.stdout.write(`${ratioText(ratio)}\n`));
writeRatios(ratios);
if (process.argv[2] === 'ratios') process.exit(0);

const WANTED: readonly Wanted[] = [
  { history: 'explored', size: Number(process.argv[2] ?? 500) },
  ...[500, 2_000, 4_000].map((size) => ({ history: 'one-endpoint', size }) as const),
  { history: 'many-scripts', size: 4_000 },
];
const speed: Speed[] = [];
for (const wanted of WANTED) speed.push(await measured(wanted));
const memory = retained(Number(process.argv[3] ?? JOBS));
for (const { jobs, judgingBytes } of memory.points)
  process.stdout.write(
    `one endpoint, many scripts: after ${jobs} jobs judging holds ${(judgingBytes / 1e6).toFixed(1)} MB\n`,
  );
process.stdout.write(`memory held per finished job: ${memory.bytesPerJob} bytes\n`);
mkdirSync('reports', { recursive: true });
writeFileSync('reports/bench.json', `${JSON.stringify({ ratios, speed, memory }, null, 2)}\n`);
