/**
 * CPU time until the explorer finds a fault, the median of those that it finds. usage: faults.js [FOLDER], with FOLDER the
 * compiled `src` of another version.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createTestBed } from '../../src/test-bed/test-bed.js';
import type * as Explore from '../../src/explore/index.js';
import type * as Mutants from '../../src/mutants/index.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { costMs } from '../histories.js';
import { print } from './measured.js';

/** By name, so that the row tries the same ones when the list of faults grows. */
const NAMES = new Set([
  'freed-worker-stays-idle',
  's3-config-lost-on-retry',
  'timeout-default-five-minutes',
  'chunk-misnamed',
  'cancel-keeps-worker',
  'wait-max-refused',
  'no-key-403',
  'webhook-error-is-success',
  'rate-purge-thrice',
  'input-of-the-last-submission',
  'output-falsy-left-out',
  'status-ttl-not-while-waiting',
  'health-queue-misses-retried',
  'webhook-501-is-final',
  'rate-status-half',
  'queue-of-hundred',
  'now-and-then-purge-spares',
]);
/** A fault counts as found if one of its own requirements is violated within so many runs. */
const RUNS = 320;
const SEEDS = [1, 2, 3];
const folder = resolve(process.argv[2] ?? 'dist/src');

/** Its places, the newest first: each commit that is measured has one of them. */
const PLACES = ['test-bed/test-bed.js', 'app/explore/test-bed.js', 'cli/explore-laboratory.js'];

const load = <T>(file: string): Promise<T> => import(pathToFileURL(join(folder, file)).href) as Promise<T>;
const { Exploration, runBatch } = await load<typeof Explore>('explore/index.js');
const { MUTANTS: known } = await load<typeof Mutants>('mutants/index.js');
const createBed = await loadTestBed();

/** An earlier version does not have all of them. */
const faults = MUTANTS.filter(({ id }) => NAMES.has(id) && known.some((each) => each.id === id));
// The first pass is for the compiler, which would be most of the time.
search();
const found = search().toSorted((a, b) => a - b);
print(1, found[found.length >> 1]!);

/** Of each fault that every seed finds, the time that a seed takes on average. */
function search(): readonly number[] {
  return faults.flatMap(({ id, breaks }) => {
    let foundBy = 0;
    const ms = costMs(() => {
      foundBy = SEEDS.filter((seed) => finds(id, breaks, seed)).length;
    });
    return foundBy === SEEDS.length ? [ms / SEEDS.length] : [];
  });
}

function finds(mutant: string, own: readonly string[], seed: number): boolean {
  const testBed = createBed({ edition: 'document', mutant });
  const exploration = new Exploration({ seed, runs: RUNS });
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound())
    for (const batch of round) {
      const result = runBatch(batch, testBed);
      exploration.take(result);
      // Their name at 6b96c30.
      const { breaches } = result as Partial<{ readonly breaches: typeof result.violations }>;
      if ((breaches ?? result.violations).some(({ requirement }) => own.includes(requirement))) return true;
    }
  return false;
}

async function loadTestBed(): Promise<typeof createTestBed> {
  for (const place of PLACES)
    try {
      const found = await load<{
        createTestBed?: typeof createTestBed;
        createLaboratory?: typeof createTestBed;
      }>(place);
      const create = found.createTestBed ?? found.createLaboratory;
      if (create !== undefined) return create;
    } catch {
      // Not of this commit.
    }
  throw new Error(`none of ${PLACES.join(', ')} is built`);
}
