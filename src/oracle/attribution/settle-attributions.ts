/**
 * Settles violations that both the job's own history and outside events may explain: which one it was shows
 * only in comparison with the other violations of the run, so this happens at its end.
 */
import type { ObservedFailure, ObservedProof, Suspect, Suspicion } from '../ledger/unsettled.js';
import type { RequirementId } from '../../spec/index.js';
import { READING } from './alternatives.js';
import { isAboutRetention } from '../model/lifecycle/lifecycle.js';
import { isSelected, WHOLE, type RunSelection } from '../../history/selection.js';
import type { Ledger } from '../ledger/ledger.js';

/** Requirements that jobs are created: if no job of the kind was ever observed, nothing else shows them. */
const CREATES: ReadonlySet<RequirementId> = new Set([
  '3/submission-creates-job-run',
  '3/submission-creates-job-runsync',
]);

export function settleAttributions(ledger: Ledger, selection: RunSelection = WHOLE): void {
  const suspicions = ledger.suspicions.filter((one) => !settleReportedTime(ledger, one));
  /** By call number: the jobs it may have affected, if one of them was outlived by another. */
  const reached = new Map<number, Set<string>>();
  for (const { suspects } of suspicions)
    for (const { call, isOutlived } of suspects)
      if (call !== null && isOutlived) reached.set(call, new Set());
  for (const { job, suspects } of suspicions)
    for (const { call } of suspects) if (call !== null) reached.get(call)?.add(job);
  // What was known before does not change while these are reported.
  const kept = new Set<RequirementId>();
  const failed = new Set<RequirementId>();
  for (const [id, entry] of ledger.entries) {
    if (entry.decided > entry.failed) kept.add(id);
    if (entry.failed > 0) failed.add(id);
    // What a second run explains as well, of jobs on which nothing was called, proves it for those on which something was.
    for (const { or = [] } of entry.failures) for (const other of or) failed.add(other as RequirementId);
  }
  // Where no other job shows that reads are old, calls had no effect: that is certain, and helps to name the rest.
  const rest = suspicions.filter((one) => !one.isUnexplained && !isUnlessOld(one));
  if (!fewestViolated(failed, rest).has(OLD_READS))
    for (const one of suspicions) if (isUnlessOld(one)) failed.add(one.id);
  const reachOf = ({ call }: Suspect): number => (call === null ? 0 : (reached.get(call)?.size ?? 0));
  const isLikely = ({ id }: Suspicion, suspect: Suspect): boolean => {
    if (suspect.call === null)
      return failed.has(suspect.id) || ((kept.has(id) || CREATES.has(suspect.id)) && !kept.has(suspect.id));
    if (suspect.isAlone) return true;
    return reachOf(suspect) > 1;
  };
  const likelyOf = (one: Suspicion): Suspect | undefined => {
    const suspects = one.suspects.filter(({ needsProof }) => !needsProof);
    const likely = one.isUnexplained
      ? suspects.filter((suspect, _, all) => suspect.isOfScript || !all.some(({ isOfScript }) => isOfScript))
      : suspects.filter((suspect) => isLikely(one, suspect));
    const own = one.isUnexplained ? undefined : likely.find(({ call }) => call === null);
    if (own !== undefined) return own;
    // The cause that explains most violations.
    const most = Math.max(...likely.map(reachOf));
    return likely.find((suspect) => reachOf(suspect) === most);
  };
  const likely = suspicions.map(likelyOf);
  const reaching = likely.flatMap((one) => (one !== undefined && reachOf(one) > 1 ? [one.id] : []));
  const shown = new Set([...reaching, ...reachingAll(suspicions)]);
  const culprits = suspicions.map((one, index) => likely[index] ?? suspectOf(one, shown));
  // A rule that is violated where nothing else explains it is the likely cause elsewhere.
  const named = culprits.flatMap((one) => (one?.call === null ? one.id : []));
  const violated = fewestViolated(
    new Set([...failed, ...named]),
    suspicions.filter(({ isUnexplained }, index) => !isUnexplained && culprits[index] === undefined),
  );
  // If results of one kind are not kept, and nothing else explains it, those of other kinds are not kept
  // either.
  const isNotKept = [...violated].some(isAboutRetention);
  const isViolated = (rule: RequirementId): boolean =>
    violated.has(rule) || (isNotKept && isAboutRetention(rule));
  suspicions.forEach((one, index) => {
    const { id, isUnexplained, failure, proofs } = one;
    const own = isUnexplained ? undefined : explanationsOf(one).find(isViolated);
    const culprit = own === undefined ? culprits[index] : undefined;
    const best = own ?? culprit?.id ?? id;
    const asked = failed.has(best) ? undefined : askedAbout(one, best, selection);
    const named = asked?.id ?? best;
    const or = failed.has(named) ? [] : explainAsWell(one, named).filter((other) => !kept.has(other));
    const proven = { ...withProof(failure, proofs.get(named)), ...(or.length === 0 ? {} : { or }) };
    ledger.fail(named, withCall(proven, (asked ?? culprit)?.call ?? null));
  });
}

/** What happened to other jobs, and is known by now to affect more than those. */
const suspectOf = ({ suspects }: Suspicion, shown: ReadonlySet<RequirementId>): Suspect | undefined =>
  suspects.find(({ id, call, needsProof }) => call !== null && !needsProof && shown.has(id));

/** Of one job it may be chance that something else happened at that time; of so many, and of all alike, it is not. */
const JOBS_REACHED_MIN = 3;

/** Kinds of outside events of which each reached one job only, and that explain every job of which the same was observed. */
function reachingAll(suspicions: readonly Suspicion[]): readonly RequirementId[] {
  const ofOthers = suspicions.flatMap(({ suspects }) =>
    suspects.filter(({ call, isOutlived }) => call !== null && isOutlived),
  );
  return [...new Set(ofOthers.map(({ id }) => id))].filter((id) => {
    const isBy = ({ suspects }: Suspicion): boolean =>
      suspects.some((one) => one.id === id && one.call !== null);
    const reached = suspicions.filter(isBy);
    const alike = new Set(reached.map((one) => one.id));
    return (
      new Set(reached.map(({ job }) => job)).size >= JOBS_REACHED_MIN &&
      suspicions.every((one) => isBy(one) || !alike.has(one.id))
    );
  });
}

const OLD_READS: RequirementId = '4.3/shows-current-state';

/** Nothing but an old read explains it as well. */
const isUnlessOld = ({ suspects }: Suspicion): boolean =>
  suspects.length > 0 && suspects.every(({ id, needsProof }) => needsProof && id === OLD_READS);

const FINER_UNIT = 'the times were read in ms, and others of the run show a finer unit';

/** Whether it is settled: a reported time to which nothing else may have led, or one in a unit that showed only later. */
function settleReportedTime(ledger: Ledger, { id, isReadInMs, suspects, failure }: Suspicion): boolean {
  if (!isReadInMs) return false;
  if (ledger.timesAreFine) ledger.inconclusive(id, FINER_UNIT);
  else if (suspects.length === 0) ledger.fail(id, failure);
  else return false;
  return true;
}

/**
 * A run of a few scenarios may not show which of several requirements is violated: one that it was asked about
 * is named before one that it was not. `named`: the likeliest of all.
 */
function askedAbout(
  { suspects }: Suspicion,
  named: RequirementId,
  selection: RunSelection,
): Suspect | undefined {
  if (isSelected(selection, named)) return undefined;
  return suspects.find(({ id, needsProof }) => !needsProof && isSelected(selection, id));
}

/** Of the rules that explain the job without any other, so many are told beside the one that is named. */
const OR_MAX = 2;

/** The most likely first. */
const explainAsWell = ({ suspects, proofs }: Suspicion, named: RequirementId): readonly RequirementId[] =>
  suspects
    .map(({ id }) => id)
    .filter((id, index, all) => id !== named && proofs.has(id) && all.indexOf(id) === index)
    .slice(0, OR_MAX);

/** Its own requirements, the most likely first. */
function explanationsOf({ id, suspects }: Suspicion): readonly RequirementId[] {
  return [id, ...suspects.filter(({ needsProof }) => needsProof).map((suspect) => suspect.id)];
}

/**
 * The fewest violated rules that explain everything: the known ones, and then, one by one, the one that explains most of the
 * rest and is itself the nearest explanation of a job. That reads are untrue would explain anything: two jobs have to show it.
 */
function fewestViolated(
  known: ReadonlySet<RequirementId>,
  suspicions: readonly Suspicion[],
): Set<RequirementId> {
  const violated = new Set(known);
  const nearest = new Map<RequirementId, number>();
  for (const { id } of suspicions) nearest.set(id, (nearest.get(id) ?? 0) + 1);
  for (;;) {
    const explained = new Map<RequirementId, number>();
    for (const one of suspicions) {
      const explanations = explanationsOf(one);
      if (explanations.some((id) => violated.has(id))) continue;
      for (const id of explanations)
        if (id === one.id || (nearest.get(id) ?? 0) >= (READING.includes(id) ? 2 : 1))
          explained.set(id, (explained.get(id) ?? 0) + 1);
    }
    // Among equals, the one that is the nearest explanation of more; then the first.
    const [next] = [...explained].sort(
      ([left, jobs], [right, others]) => others - jobs || nearest.get(right)! - nearest.get(left)!,
    );
    if (next === undefined) return violated;
    violated.add(next[0]);
  }
}

function withProof(failure: ObservedFailure, by: ObservedProof | undefined): ObservedFailure {
  if (by === undefined) return failure;
  const { contradiction: _, later: _later, ...seen } = failure;
  return {
    ...seen,
    proof: by.proof,
    ...(by.contradiction === null ? {} : { contradiction: by.contradiction }),
    ...(by.later === null ? {} : { later: by.later }),
  };
}

/** The call that affected another job is listed before the one that revealed the effect on this job. */
function withCall(failure: ObservedFailure, call: number | null): ObservedFailure {
  if (call === null || failure.calls.includes(call)) return failure;
  return { ...failure, calls: [...failure.calls.slice(0, -1), call, ...failure.calls.slice(-1)] };
}
