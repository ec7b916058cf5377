/**
 * Checks one job to the end of its observations: its violations and decisions go to the ledger, and what is
 * known of it is kept for the later checks.
 *
 * After a violation the job is checked again without what may have been violated: every unsatisfied rule,
 * and the observation itself, which may have been untrue. What is decided or contradicted then is so
 * whatever the violation was.
 */
import { checkJob, type Violation, type JobVerdict } from './proof/violation.js';
import type { RequirementId } from '../spec/index.js';
import { isLarge, type Job } from './jobs/observed-jobs.js';
import { countedSinceMs } from './observed/session.js';
import { attribute } from './attribution/attribute.js';
import { hasRequeued, narrowByReads, statesAt } from './model/states-at-counts.js';
import type { RuleSet } from './model/rule-set.js';
import { HeldDecisions } from './model/held-decisions.js';
import { decide } from './model/decide.js';
import { transitionsSince } from './model/lifecycle/certain-transitions.js';
import type { JobState } from './model/hypothesis.js';
import { statesDuring } from './model/operations.js';
import { ANY_STATE, type StateSet } from './model/state-set.js';
import { withoutObservation, explainJob, type ObservedJob } from './model/observed-job.js';
import { Contradicted, Unknown, type Explanations } from './model/explanations.js';
import type { OnStep } from './model/linearize.js';
import { isAboutReportedTimes, REPORTED_TIME_RULES } from './model/reported-times.js';
import type { JudgingContext } from './context/judging-context.js';
import type { JobKnowledge } from './context/life.js';
import { replay, withStartWindow, type JobStart } from './jobs/start-windows.js';

/** Violations of one job that are reported; then it is not checked further. */
const VIOLATIONS_MAX = 3;
/** A job with more operations is not checked again after a violation: that would cost too much. */
const OPERATIONS_MAX = 100;

const NO_STATES: JobKnowledge['statesAtCounts'] = new Map();
const NONE_REQUEUED: JobKnowledge['requeued'] = new Map();

function noKnowledge(why: string): JobKnowledge {
  const explanations = new Unknown(why);
  return {
    explanations,
    whileThere: () => explanations,
    statesAtCounts: NO_STATES,
    requeued: NONE_REQUEUED,
    statesLater: () => ANY_STATE,
  };
}

/**
 * What is known of the job without the reads that did not find it: those date its end only if it was kept
 * as promised.
 */
function whileThere(rules: RuleSet, job: ObservedJob, explanations: Explanations): Explanations {
  if (explanations.kind !== 'explained') return explanations;
  const operations = job.operations.filter(({ kind, code }) => kind !== 'status' || code !== 404);
  if (operations.length === job.operations.length) return explanations;
  return explainJob(rules, { ...job, operations });
}

export function judgeJob(
  context: JudgingContext,
  plain: RuleSet,
  job: Job,
  { window, recorded }: JobStart,
): JobKnowledge {
  if (job.isGivenTwice) {
    const verdict = new Unknown(job.notJudged!);
    context.watch?.({ context, job, observed: job, rules: plain, verdict });
    return noKnowledge(verdict.reason);
  }
  let observed = withStartWindow(job, window);
  const decisions = new HeldDecisions();
  let broken: Set<RequirementId> | null = null;
  const violationsMax = isLarge(context.callIndex) ? 1 : VIOLATIONS_MAX;
  let rules = plain;
  // Created only when needed: for most jobs there is nothing to keep, and there are many jobs.
  let statesAtCounts: Map<number, StateSet> | null = null;
  let requeued: Map<number, boolean> | null = null;
  const known = (found: Explanations): JobKnowledge => ({
    explanations: found,
    whileThere: () => whileThere(rules, observed, found),
    statesAtCounts: found.kind === 'contradicted' ? NO_STATES : (statesAtCounts ?? NO_STATES),
    requeued: requeued ?? NONE_REQUEUED,
    statesLater: (at, during) => statesDuring(rules, observed.model, at, during),
  });
  let goneByMs = Infinity;
  let state: JobState = 'queued';
  const step: OnStep = (op, before, after) => {
    if (op.kind === 'status' && op.code === 404) goneByMs = Math.min(goneByMs, op.byMs);
    if (op.kind === 'health' || op.kind === 'purge') {
      const sinceMs = countedSinceMs(context.session, op.call!);
      (statesAtCounts ??= new Map()).set(
        op.call!.call,
        statesAt(rules, observed.model, op, after, sinceMs, goneByMs),
      );
    }
    if (op.kind === 'health') return;
    if (op.kind === 'retry') {
      const effect = hasRequeued(observed, op, after);
      if (effect !== null) (requeued ??= new Map()).set(op.call!.call, effect);
    }
    decide(decisions, { rules, job: observed, op, before, after });
    const since = transitionsSince(state, op, before, after);
    decisions.moved(since.made);
    ({ state } = since);
  };
  const contradicted = (): Contradicted => {
    context.ledger.jobsNotJudgedFurther += 1;
    return new Contradicted();
  };
  let isOnlyMismeasured = true;
  let last: Violation | null = null;
  for (let violations = 0; ; violations += 1) {
    const verdict: JobVerdict =
      recorded === null || violations > 0 ? checkJob(rules, observed, step, last) : replay(recorded, step);
    context.watch?.({ context, job, observed, rules, verdict });
    if (verdict.kind !== 'violation' && verdict.kind !== 'same violation') {
      if (statesAtCounts !== null)
        narrowByReads(observed, statesAtCounts, (count) => countedSinceMs(context.session, count));
      decisions.count(context, broken);
      if (verdict.kind === 'unknown') context.ledger.warn(verdict.reason, job.id);
      if (job.notJudged !== null) return known(new Unknown(job.notJudged));
      if (!isOnlyMismeasured) return known(contradicted());
      return known(verdict);
    }
    decisions.drop();
    statesAtCounts = requeued = null;
    goneByMs = Infinity;
    state = 'queued';
    const violation: Violation | null = verdict.kind === 'violation' ? verdict.violation : null;
    if (violation !== null) report(context, job, violation);
    // If only a reported time is wrong, the job itself may still be correct.
    const isMismeasured: boolean = violation !== null && isAboutReportedTimes(violation.requirement);
    const isTooLong = !isMismeasured && observed.operations.length > OPERATIONS_MAX;
    if (violation === null || isTooLong || violations + 1 === violationsMax) {
      decisions.count(context);
      return known(contradicted());
    }
    broken ??= new Set();
    broken.add(violation.requirement);
    // Reported times are not compared with reads that may have been untrue.
    const suspectRules = isMismeasured
      ? violation.suspectRules.filter(isAboutReportedTimes)
      : [...violation.suspectRules, ...REPORTED_TIME_RULES];
    for (const rule of suspectRules) broken.add(rule);
    rules = rules.without(suspectRules);
    if (!isMismeasured) observed = withoutObservation(observed, violation.op);
    isOnlyMismeasured &&= isMismeasured;
    last = isMismeasured ? null : violation;
  }
}

function report(context: JudgingContext, job: Job, violation: Violation): void {
  const attributed = attribute(context, job, violation);
  const { actual, calls, suspectRules, explains } = violation;
  const proofBy = (id: RequirementId) => {
    const { lines: proof, contradiction, later } = violation.proofBy(id);
    return { proof, contradiction, later };
  };
  const others = attributed.suspects
    .map(({ id }) => id)
    .filter((id) => id !== attributed.id && suspectRules.includes(id) && explains(id));
  const proofs = new Map(others.map((id) => [id, proofBy(id)]));
  context.failAttributed(
    job,
    attributed,
    { script: job.script, actual, calls, ...proofBy(attributed.id) },
    proofs,
  );
}
