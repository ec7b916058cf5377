/**
 * What a shrunk history shows has to be impossible by itself: a history of a conformant endpoint that is made to tell less,
 * by any of the steps that shrinking knows, still fails nothing. `ORACLE_SEED=N` repeats a run, `ORACLE_BATCHES=N` goes on longer.
 */
import { expect, test } from 'vitest';
import { RUNS_PER_BATCH } from '../../src/explore/batch-sizes.js';
import { runBatch, type Environment } from '../../src/explore/index.js';
import { createTestBed, judged } from '../../src/test-bed/test-bed.js';
import type { CallEvent } from '../../src/history/events.js';
import {
  changedNothing,
  cutAfter,
  withReplyLost,
  jobsIn,
  jobsStandAlone,
  without,
  withoutJobs,
  type Events,
  type Knowledge,
} from '../../src/oracle/proof/generalize.js';
import { createRandom, type RandomStream } from '../../src/time/random.js';

const SEED = Number(process.env['ORACLE_SEED'] ?? Date.now() % 1_000_000);
const BATCHES = Number(process.env['ORACLE_BATCHES'] ?? 4);
const KNOWLEDGE: readonly Knowledge[] = ['dedicated', 'worker-count-known', 'webhook-reachable'];

/** Each step with even odds, on an odd part of what it may be taken on. */
function weakened(events: Events, random: RandomStream): Events {
  const perCent = random.intBetween(5, 95);
  const chosen = <T>(all: readonly T[]): readonly T[] =>
    all.filter(() => random.intBetween(1, 100) <= perCent);
  const calls = (of: Events): readonly CallEvent[] => of.filter((event) => event.kind === 'call');
  let left = events;
  if (random.intBetween(0, 1) === 1) left = without(left, chosen(KNOWLEDGE));
  // Whether a call was one too many is told by those before it.
  const limited = calls(left).some(({ reply }) => reply?.status === 429);
  if (random.intBetween(0, 1) === 1 && jobsStandAlone(left)) left = withoutJobs(left, chosen(jobsIn(left)));
  if (!limited) {
    const gone = new Set<unknown>(chosen(calls(left).filter(changedNothing)));
    left = left.filter((event) => !gone.has(event));
  }
  if (random.intBetween(0, 1) === 1) {
    const lost = new Set<unknown>(chosen(calls(left)));
    left = left.map((event) => (event.kind === 'call' && lost.has(event) ? withReplyLost(event) : event));
  }
  const last = calls(left)[random.intBetween(0, Math.max(0, calls(left).length - 1))];
  return last !== undefined && random.intBetween(0, 3) === 0 ? cutAfter(left, last) : left;
}

test(`a conformant history that tells less fails nothing (ORACLE_SEED=${SEED})`, { timeout: 600_000 }, () => {
  const simulatorTestBed = createTestBed({ edition: 'document', mutant: null });
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const random = createRandom(SEED).fork(`${batch}`);
    let seen: { readonly events: Events; readonly environment: Environment } | null = null;
    const { violations } = runBatch(
      { seed: SEED, batch, runs: RUNS_PER_BATCH, coverage: {} },
      {
        ...simulatorTestBed,
        judge: (events, environment) => {
          const found = judged(weakened(events, random), environment);
          if (found.violations.length > 0) seen = { events, environment };
          return found;
        },
      },
    );
    const trace = violations.map(({ requirement, actual, proof }) => [requirement, actual, ...proof]);
    expect(
      trace,
      `batch ${batch}: ${JSON.stringify((seen as { environment: Environment } | null)?.environment)}`,
    ).toEqual([]);
  }
});
