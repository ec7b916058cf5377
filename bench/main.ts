/** `npm run bench`: observations judged per second of one core, judging beside simulating, and the memory it takes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { judge } from '../src/oracle/index.js';
import { costMs, explored, onManyScripts, onOneEndpoint, type Recorded } from './histories.js';
import { retained } from './memory.js';

/** Judged so often before it is measured: until then the compiler is at work, too, on the same clock. */
const WARM_UPS = 10;
const REPEATS = 9;
/** Jobs of the endpoint that lives long. */
const JOBS = 20_000;

function measure({ name, events, calls, jobs, simulatedMs }: Recorded): object {
  for (let round = 0; round < WARM_UPS; round += 1) judge(events);
  const costs = Array.from({ length: REPEATS }, () => costMs(() => judge(events))).sort((a, b) => a - b);
  const judgedMs = costs[REPEATS >> 1]!;
  const perSecond = Math.round((calls / judgedMs) * 1000);
  const bestPerSecond = Math.round((calls / costs[0]!) * 1000);
  const ratio = judgedMs / simulatedMs;
  process.stdout.write(
    `${name}: ${calls} observations of ${jobs} jobs; ${perSecond} judged per second of one core ` +
      `(median of ${REPEATS} after ${WARM_UPS} to warm up; at best ${bestPerSecond}); ` +
      `judging / simulating ${ratio.toFixed(2)}\n`,
  );
  return { name, calls, jobs, simulatedMs, judgedMs, perSecond, bestPerSecond, ratio };
}

const results = [
  explored(Number(process.argv[2] ?? 500)),
  ...[500, 2_000, 4_000].map((jobs) => onOneEndpoint(jobs, 4)),
  onManyScripts(4_000),
].map(measure);
const memory = retained(Number(process.argv[3] ?? JOBS));
for (const { jobs, judgingBytes } of memory.points)
  process.stdout.write(
    `one endpoint, many scripts: after ${jobs} jobs judging holds ${(judgingBytes / 1e6).toFixed(1)} MB\n`,
  );
process.stdout.write(`memory held per finished job: ${memory.bytesPerJob} bytes\n`);
mkdirSync('reports', { recursive: true });
writeFileSync('reports/bench.json', `${JSON.stringify({ speed: results, memory }, null, 2)}\n`);
