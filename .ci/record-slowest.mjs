// `npm run slowest`: records from the JSON report of a run of all specs how long its slowest files took. By that the
// next runs begin with them.
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const SECONDS_MIN = 5;

const { testResults } = JSON.parse(readFileSync('reports/specs.json', 'utf8'));
const slowest = testResults
  .map(({ name, startTime, endTime }) => [
    relative('.', name).replaceAll('\\', '/'),
    Math.round((endTime - startTime) / 1_000),
  ])
  .filter(([, seconds]) => seconds >= SECONDS_MIN)
  .sort((a, b) => b[1] - a[1]);
writeFileSync('specs/slowest.json', `${JSON.stringify(Object.fromEntries(slowest), null, 2)}\n`);
