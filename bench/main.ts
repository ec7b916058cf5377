/** `npm run bench`: observations judged per second of one core, and judging beside simulating. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { judge } from '../src/oracle/index.js';
import { costMs, explored, onOneEndpoint, type Recorded } from './histories.js';

const REPEATS = 5;

function measure({ name, events, calls, jobs, simulatedMs }: Recorded): object {
  const costs = Array.from({ length: REPEATS }, () => costMs(() => judge(events))).sort((a, b) => a - b);
  const judgedMs = costs[REPEATS >> 1]!;
  const perSecond = Math.round((calls / judgedMs) * 1000);
  const ratio = judgedMs / simulatedMs;
  process.stdout.write(
    `${name}: ${calls} observations of ${jobs} jobs; ${perSecond} judged per second of one core; ` +
      `judging / simulating ${ratio.toFixed(2)}\n`,
  );
  return { name, calls, jobs, simulatedMs, judgedMs, perSecond, ratio };
}

const results = [
  explored(Number(process.argv[2] ?? 500)),
  ...[500, 2_000, 4_000].map((jobs) => onOneEndpoint(jobs, 4)),
].map(measure);
mkdirSync('reports', { recursive: true });
writeFileSync('reports/bench.json', `${JSON.stringify(results, null, 2)}\n`);
