/**
 * One job's life, followed to its end: its breaches go to the ledger, what it decided is counted, and what is known of it is
 * kept for the layers above.
 *
 * After a breach the life is followed again with what may have been broken taken out: every rule that stood in the way, and
 * the observation itself, which may have told something untrue. What is decided or contradicted then is so however the
 * breach is read.
 */
import type { Attribution } from './ledger/unsettled.js';
import { judgeLife, type Violation, type LifeVerdict } from './proof/violation.js';
import type { RequirementId } from '../spec/index.js';
import { isLarge, type Job } from './jobs/observed-jobs.js';
import { countedSinceMs } from './observed/session.js';
import { attribute } from './attribution/attribute.js';
import { hasRequeued, narrowByLooks, placesAt } from './model/at-counts.js';
import type { Context } from './model/context.js';
import { Decided } from './model/decided.js';
import { decide } from './model/decide.js';
import type { Place } from './model/hypothesis.js';
import { doubting, explainedAnew, lifeOf, type JobCase } from './model/job.js';
import { Contradicted, Unknown, type KnownLife } from './model/known.js';
import type { Step } from './model/linearize.js';
import { isOfMeasuring, MEASURING } from './model/times.js';
import type { JobKnowledge, JudgingContext } from './context/judging-context.js';
import { replay, within, type Window } from './jobs/start-windows.js';

/** So many breaches of one job's life are told; then it is not judged further. */
const VIOLATIONS_MAX = 3;
/** A life that was looked at more often costs more to follow on than it can tell. */
const OPERATIONS_MAX = 100;

const NO_PROBES: JobKnowledge['probes'] = new Map();
const NONE_REQUEUED: JobKnowledge['requeued'] = new Map();

function nothingKnown(why: string): JobKnowledge {
  const life = new Unknown(why);
  return { life, whileThere: () => life, probes: NO_PROBES, requeued: NONE_REQUEUED };
}

/** What is known of the life without the looks that did not find the job: those tell of its end only if it was kept as promised. */
function whileThere(ctx: Context, job: JobCase, life: KnownLife): KnownLife {
  if (life.kind !== 'explained') return life;
  const operations = job.operations.filter(({ kind, code }) => kind !== 'status' || code !== 404);
  if (operations.length === job.operations.length) return life;
  const { id, submitted, submittedFromMs, submittedByMs, terms } = job;
  return lifeOf(ctx, { id, submitted, submittedFromMs, submittedByMs, terms, life: job.life, operations });
}

export function judgeJob(
  context: JudgingContext,
  plain: Context,
  job: Job,
  { window, followed }: Window,
): JobKnowledge {
  if (job.isGivenTwice) return nothingKnown(job.notJudged!);
  let life = within(job, window);
  const decided = new Decided();
  const broken = new Set<RequirementId>();
  const violationsMax = isLarge(context.callIndex) ? 1 : VIOLATIONS_MAX;
  let ctx = plain;
  // Of most jobs there is nothing to keep, and there are many of them.
  let probes: Map<number, ReadonlySet<Place>> | null = null;
  let requeued: Map<number, boolean> | null = null;
  const known = (found: KnownLife): JobKnowledge => ({
    life: found,
    whileThere: () => whileThere(ctx, life, found),
    probes: found.kind === 'contradicted' ? NO_PROBES : (probes ?? NO_PROBES),
    requeued: requeued ?? NONE_REQUEUED,
  });
  let goneByMs = Infinity;
  const step: Step = (op, before, after) => {
    if (op.kind === 'status' && op.code === 404) goneByMs = Math.min(goneByMs, op.byMs);
    if (op.kind === 'probe' || op.kind === 'purge') {
      const sinceMs = countedSinceMs(context.session, op.call!);
      (probes ??= new Map()).set(op.call!.call, placesAt(ctx, life.life, op, after, sinceMs, goneByMs));
    }
    if (op.kind === 'probe') return;
    if (op.kind === 'retry') {
      const effect = hasRequeued(life, op, after);
      if (effect !== null) (requeued ??= new Map()).set(op.call!.call, effect);
    }
    decide(decided, { ctx, job: life, op, before, after });
  };
  const contradicted = (): Contradicted => {
    context.ledger.jobsNotJudgedFurther += 1;
    return new Contradicted();
  };
  let isOnlyMismeasured = true;
  let last: Violation | null = null;
  for (let violations = 0; ; violations += 1) {
    const verdict: LifeVerdict =
      followed === null || violations > 0 ? judgeLife(ctx, life, step, last) : replay(followed, step);
    if (verdict.kind !== 'violation' && verdict.kind !== 'same violation') {
      if (probes !== null) narrowByLooks(life, probes, (count) => countedSinceMs(context.session, count));
      decided.count(context, broken);
      if (verdict.kind === 'unknown') context.ledger.warn(verdict.reason);
      if (job.notJudged !== null) return known(new Unknown(job.notJudged));
      if (!isOnlyMismeasured) return known(contradicted());
      const isToBeFoundAgain = verdict.kind === 'explained' && isLarge(context.callIndex);
      return known(isToBeFoundAgain ? explainedAnew(ctx, life) : verdict);
    }
    decided.drop();
    probes = requeued = null;
    goneByMs = Infinity;
    const violation: Violation | null = verdict.kind === 'violation' ? verdict.violation : null;
    const attributed = violation === null ? null : tell(context, job, violation);
    // A time that the record tells wrongly is no evidence of the job's life, which may be as it should be.
    const isMismeasured: boolean = violation !== null && isOfMeasuring(violation.requirement);
    const isTooLong = !isMismeasured && life.operations.length > OPERATIONS_MAX;
    if (violation === null || attributed === null || isTooLong || violations + 1 === violationsMax) {
      decided.count(context);
      return known(contradicted());
    }
    broken.add(attributed.id);
    // Looks that may have told something untrue are nothing to measure times by.
    const rules = isMismeasured ? violation.rules.filter(isOfMeasuring) : [...violation.rules, ...MEASURING];
    for (const rule of rules) broken.add(rule);
    ctx = ctx.without(rules);
    if (!isMismeasured) life = doubting(life, violation.op);
    isOnlyMismeasured &&= isMismeasured;
    last = isMismeasured ? null : violation;
  }
}

function tell(context: JudgingContext, job: Job, violation: Violation): Attribution {
  const attributed = attribute(context, job, violation);
  const { actual, calls, rules } = violation;
  const toldBy = (id: RequirementId) => {
    const { lines: proof, contradiction } = violation.proofBy(id);
    return { proof, contradiction };
  };
  const others = attributed.suspects
    .map(({ id }) => id)
    .filter((id) => id !== attributed.id && rules.includes(id));
  const proofs = new Map(others.map((id) => [id, toldBy(id)]));
  context.failAttributed(
    job,
    attributed,
    { script: job.script, actual, calls, ...toldBy(attributed.id) },
    proofs,
  );
  return attributed;
}
