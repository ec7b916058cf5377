/** One exploration: plays random scripts in rounds until one of its bounds is reached, and shrinks what failed. */
import { Exploration, type ExplorationSummary, type FoundViolation } from '../../explore/index.js';
import type { ExitCode } from '../../report/index.js';
import { SHRUNK_MAX, type ExploreOutcome, type ShrunkFailure } from '../../exploring/outcome-files.js';
import type { ExplorePool } from '../../exploring/pool.js';
import type { TestBedSettings } from '../../test-bed/test-bed.js';

/** What to explore, and how far. */
export interface ExploreWish {
  readonly seed: number;
  readonly shard: { readonly index: number; readonly count: number };
  /** Of all shards together; Infinity: until `timeMs`. */
  readonly runs: number;
  /** Runs were asked for: to reach the time before them is not to have done it. */
  readonly runsGiven: boolean;
  readonly timeMs?: number | undefined;
  readonly testBed: TestBedSettings;
}

/** The world of an exploration. */
export interface ExploreContext {
  readonly pool: ExplorePool;
  readonly interrupted: AbortSignal;
  readonly monotonicMs: () => number;
  readonly progress: {
    draw(summary: () => ExplorationSummary): void;
    shrinking(done: number, of: number): void;
  };
}

export async function explored(wish: ExploreWish, context: ExploreContext): Promise<ExploreOutcome> {
  const { seed, shard, runs, testBed: settings } = wish;
  const { pool, interrupted, progress } = context;
  const exploration = new Exploration({ seed, runs, shard });
  const ending = await playRounds(exploration, wish, context);
  const { violations, breachCounts } = exploration.summary();
  let done = 0;
  const failures = await Promise.all(
    violations.map(async (found, index): Promise<ShrunkFailure> => {
      const shrunk =
        index < SHRUNK_MAX ? await pool.run({ kind: 'shrink', settings, found }, interrupted) : null;
      progress.shrinking((done += 1), violations.length);
      return { found, runs: breachCounts[found.requirement] ?? 0, shrunk };
    }),
  );
  const summary = exploration.summary();
  const exitCode = exitCodeOf(ending, summary.violations, summary.runs);
  return { seed, shard, settings, summary, failures, exitCode };
}

type Ending = 'finished' | 'time' | 'budget' | 'interrupted';

async function playRounds(
  exploration: Exploration,
  { testBed: settings, timeMs, runsGiven }: ExploreWish,
  { pool, interrupted, monotonicMs, progress }: ExploreContext,
): Promise<Ending> {
  const startMs = monotonicMs();
  const isLate = (): boolean => timeMs !== undefined && monotonicMs() - startMs >= timeMs;
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    const waiting = round[Symbol.iterator]();
    // A round may be long: a batch is handed out when a thread has finished one.
    const playWaiting = async (): Promise<void> => {
      for (const task of waiting) {
        if (interrupted.aborted || isLate()) return;
        const result = await pool.run({ kind: 'batch', settings, task }, interrupted);
        if (result !== null) exploration.take(result);
        progress.draw(() => exploration.summary());
      }
    };
    await Promise.all(Array.from({ length: pool.threads * 2 }, playWaiting));
    if (interrupted.aborted) return 'interrupted';
    if (isLate()) return runsGiven ? 'budget' : 'time';
  }
  return 'finished';
}

function exitCodeOf(ending: Ending, violations: readonly FoundViolation[], runs: number): ExitCode {
  if (ending === 'interrupted') return 130;
  if (violations.some(({ level }) => level === 'must')) return 1;
  if (ending === 'budget') return 7;
  return runs === 0 ? 6 : 0;
}
