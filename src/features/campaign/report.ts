/** What a campaign found: the same folder as one machine writes with `explore` and the same seed. */
import { summaryOf, type SummaryOf } from '../../explore/tally.js';
import type { ViolationRef } from '../../explore/index.js';
import type { ExitCode } from '../../report/index.js';
import {
  SHRUNK_MAX,
  writeOutcome,
  type ExploreOutcome,
  type Written,
} from '../../exploring/outcome-files.js';
import type { ExplorePool } from '../../exploring/pool.js';
import { UsageError } from '../../util/errors.js';
import type { Proof } from '../../test-bed/worker.js';
import { NOTHING_YET, type Alarm, type Aside, type Campaign } from './campaign.js';
import { reproduced } from './work.js';

/** The state of a campaign, for `watch` and `list`. */
export interface CampaignState {
  readonly name: string;
  readonly runs: number;
  readonly summary: SummaryOf<ViolationRef>;
  readonly epoch: number;
  readonly epochs: number;
  /** Chunks that wait or are played. */
  readonly undone: number;
  readonly workers: number;
  readonly aside: readonly Aside[];
  readonly alarms: readonly Alarm[];
  /** Which known faults were found; null if the campaign explores one endpoint. */
  readonly proofs: readonly Proof[] | null;
  readonly state: 'ended' | 'stopped' | 'running';
  /**
   * The chance that the next call shows a combination of phase, operation and outcome that was never seen: the
   * share of those seen once (Good and Turing's estimate). Null before the first call.
   */
  readonly discovery: number | null;
}

export async function stateOf(campaign: Campaign): Promise<CampaignState> {
  const { work, record, epochs } = campaign;
  const notes = await campaign.finished();
  const { tally, aside, proofs } = notes.at(-1) ?? NOTHING_YET;
  const seenOnce = Object.values(tally.coverage).filter((count) => count === 1).length;
  const state = (await campaign.hasEnded()) ? 'ended' : (await work.isPaused()) ? 'stopped' : 'running';
  return {
    name: record.name,
    runs: record.runs,
    summary: summaryOf(tally),
    epoch: notes.length,
    epochs: epochs.length,
    undone: await campaign.undone(),
    workers: await work.getWorkersCount(),
    aside,
    alarms: await campaign.alarms(),
    proofs: campaign.mutants === null ? null : proofs,
    state,
    discovery: tally.calls === 0 ? null : seenOnce / tally.calls,
  };
}

/**
 * Writes the folder. Failures that no worker has reproduced yet are reproduced here.
 *
 * @throws {UsageError} if the folder cannot be written
 */
export async function writeReport(
  campaign: Campaign,
  state: CampaignState,
  folder: string,
  cwd: string,
  pool: ExplorePool,
  signal: AbortSignal,
): Promise<{ readonly outcome: ExploreOutcome; readonly written: Written }> {
  const { seed, testBed } = campaign.record;
  const { violations: refs, breachCounts } = state.summary;
  const done = await campaign.failures();
  const failures = await Promise.all(
    refs.map(async (violation, index) => {
      const shrink = index < SHRUNK_MAX;
      const failure = done[index] ?? (await reproduced(campaign, violation, shrink, pool, signal));
      return { ...failure, runs: breachCounts[violation.requirement] ?? 0 };
    }),
  );
  const summary = { ...state.summary, violations: failures.map(({ found }) => found) };
  const outcome: ExploreOutcome = {
    seed,
    shard: { index: 1, count: 1 },
    settings: testBed,
    summary,
    failures,
    exitCode: exitCodeOf(state),
  };
  return { outcome, written: writeOutcome(outcome, folder, cwd) };
}

/** How a finding compares with earlier campaigns of the same endpoint. */
export interface FindingChange {
  readonly requirement: string;
  /**
   * `regressed`: not in the campaign before, but in an earlier one. `resolved`: in the campaign before, and not any
   * more. Only campaigns that have ended count.
   */
  readonly change: 'new' | 'ongoing' | 'resolved' | 'regressed';
}

/** @param all every campaign of the server, the oldest first */
export async function findingChanges(
  campaign: Campaign,
  { summary, state }: CampaignState,
  all: readonly Campaign[],
): Promise<readonly FindingChange[]> {
  const { testBed, startedAt } = campaign.record;
  const earlier: ReadonlySet<string>[] = [];
  for (const other of all) {
    const { record } = other;
    const isAlike = JSON.stringify(record.testBed) === JSON.stringify(testBed);
    if (!isAlike || record.startedAt >= startedAt || !(await other.hasEnded())) continue;
    const notes = await other.finished().catch((error: unknown) => {
      // What is known of that one is damaged; this one is reported all the same.
      if (error instanceof UsageError) return [];
      throw error;
    });
    const { tally } = notes.at(-1) ?? NOTHING_YET;
    earlier.push(new Set(tally.violations.map(({ requirement }) => requirement)));
  }
  const before = earlier.at(-1);
  if (before === undefined) return [];
  const now = summary.violations.map(({ requirement }) => requirement);
  const resolved = state === 'ended' ? [...before].filter((requirement) => !now.includes(requirement)) : [];
  return [
    ...now.map((requirement): FindingChange => {
      const wasEver = earlier.some((found) => found.has(requirement));
      return { requirement, change: before.has(requirement) ? 'ongoing' : wasEver ? 'regressed' : 'new' };
    }),
    ...resolved.sort().map((requirement): FindingChange => ({ requirement, change: 'resolved' })),
  ];
}

/** Alarms and work set aside count as undecided: what was not found says nothing then. */
function exitCodeOf({ summary, aside, alarms, runs }: CampaignState): ExitCode {
  if (summary.violations.some(({ level }) => level === 'must')) return 1;
  if (alarms.length > 0 || aside.length > 0 || summary.runs === 0) return 6;
  return summary.runs < runs ? 7 : 0;
}
