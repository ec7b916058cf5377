/**
 * What a call must not affect. A violation shows in the history of the affected job, and `attribution/` names
 * the requirement; this table lists which reads before and after the call prove that a job was unaffected.
 */
import type { CallEvent } from '../../history/events.js';
import type { Operation, RequirementId } from '../../spec/index.js';
import { precedes } from '../jobs/status-observations.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { OF_SUCH_PURGES } from '../model/lifecycle/lifecycle-calls.js';
import { answerOf, idInPath } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { instanceOf } from '../observed/instances.js';
import { endsOfJobs } from './ends.js';
import { exampleTtl } from './example-ttl.js';
import { retries, secondRun } from './retries.js';
import { runningAtOnce, workersOfOthers } from './workers.js';

type Proof = (life: Life, call: CallEvent) => boolean;

const survives: Proof = (life, call) => life.survives(call);
const waitsOn: Proof = (life, call) => life.waitsOn(call);
const runsOn: Proof = (life, call) => life.sawBefore(call, 'IN_PROGRESS') && life.survives(call);
const staysEnded: Proof = (life, call) => life.stays(call, 'COMPLETED', 'FAILED', 'TIMED_OUT');
const staysRetryable: Proof = (life, call) => life.stays(call, 'FAILED', 'TIMED_OUT');
const isAsBefore: Proof = (life, call) => life.survives(call) || life.stays(call, 'COMPLETED', 'FAILED');
const comesLaterAndStarts: Proof = (life, call) =>
  precedes(call, life.job.submitted) && life.first('IN_PROGRESS', 'COMPLETED') !== undefined;

/**
 * For calls with this answer, the jobs that can prove it: the one named, another one, or any, where one is
 * enough; or each one separately. `elsewhere`: of a call to another endpoint, any.
 */
type Row = readonly [RequirementId, Operation, 'ok' | 401 | 429, Which, Proof];
type Which = 'own' | 'another' | 'any' | 'each' | 'elsewhere';

const ROWS: readonly Row[] = [
  ['1/endpoints-isolated-purge', 'purge-queue', 'ok', 'elsewhere', waitsOn],
  ['3/cancelled-never-starts', 'cancel', 'ok', 'own', isPassedOver(isCancelledUnstarted)],
  ['4.5/this-job-only', 'cancel', 'ok', 'another', survives],
  ['4.6/this-job-only', 'retry', 'ok', 'another', staysEnded],
  ['4.7/keeps-finished', 'purge-queue', 'ok', 'each', staysEnded],
  ['4.7/keeps-running', 'purge-queue', 'ok', 'each', runsOn],
  ['4.7/later-jobs-unaffected', 'purge-queue', 'ok', 'each', comesLaterAndStarts],
  ...OF_SUCH_PURGES.map(([id, isSuch]): Row => [id, 'purge-queue', 'ok', 'each', isRemoved(isSuch)]),
  ['4.7/purged-jobs-never-run', 'purge-queue', 'ok', 'each', isPassedOver(isPurged)],
  ['4.8/reading-changes-nothing', 'health', 'ok', 'any', isAsBefore],
  ['5/unauthorized-cancel-has-no-effect', 'cancel', 401, 'own', survives],
  ['5/unauthorized-retry-has-no-effect', 'retry', 401, 'own', staysRetryable],
  ['5/unauthorized-purge-has-no-effect', 'purge-queue', 401, 'any', waitsOn],
  ['8/refused-call-has-no-effect', 'cancel', 429, 'own', survives],
  ['8/refused-call-has-no-effect', 'retry', 429, 'own', staysRetryable],
  ['8/refused-call-has-no-effect', 'purge-queue', 429, 'any', waitsOn],
];
const BY_OPERATION: ReadonlyMap<CallEvent['op'], readonly Row[]> = new Map(
  ROWS.map(([, op]) => [op, ROWS.filter((row) => row[1] === op)]),
);

/** Bursts of thousands of jobs only test rates. */
const JOBS_MAX = 200;
/** A shared endpoint has the jobs of all scripts of the run. */
const SHARED_JOBS_MAX = 1_000;

export function judgeEffects(context: JudgingContext): void {
  const { session, lives } = context;
  const jobsMax = session.fresh ? JOBS_MAX : SHARED_JOBS_MAX;
  if (!session.exists || lives.length === 0 || lives.length > jobsMax) return;
  const explained = lives.filter((life) => life.isExplained);
  for (const call of session.calls) leavesAlone(context, call, explained, false);
  for (const { session: other } of context.otherEndpoints)
    for (const call of other.calls) leavesAlone(context, call, explained, true);
  endsOfJobs(context, explained);
  for (const life of context.eachLife()) {
    exampleTtl(life);
    secondRun(life);
    if (life.isExplained) retries(life);
  }
  runningAtOnce(context);
  workersOfOthers(context);
}

function leavesAlone(
  context: JudgingContext,
  call: CallEvent,
  lives: readonly Life[],
  isElsewhere: boolean,
): void {
  for (const [id, , answer, which, proof] of BY_OPERATION.get(call.op) ?? []) {
    if ((which === 'elsewhere') !== isElsewhere) continue;
    if (answerOf(call) !== answer && call.reply?.status !== answer) continue;
    const own = context.lifeBy(idInPath(call));
    // If the named job cannot be explained, it is uncertain that the call worked.
    if (which === 'another' && own?.isExplained !== true) continue;
    for (const life of lives) {
      if ((which === 'own' && life !== own) || (which === 'another' && life === own)) continue;
      if (!proof(life, call)) continue;
      context.ledger.pass(id, null, instanceOf(id, call));
      if (which !== 'each') break;
    }
  }
}

function isPurged({ state }: Hypothesis): boolean {
  return state === 'purged';
}

function isCancelledUnstarted({ state, previousState }: Hypothesis): boolean {
  return state === 'cancelled' && previousState === 'queued';
}

function isRemoved(kind: (at: Hypothesis, life: Life) => boolean): Proof {
  return (life, call) =>
    // The answer of the waiting call says nothing about the queue; a later read of its job does.
    life.reads.some((later) => later.call.op === 'status' && precedes(call, later.call)) &&
    life.mustBe((at) => isPurged(at) && kind(at, life));
}

/** It left the queue, and another job that waited then, or came later, has started since. */
function isPassedOver(isTaken: (at: Hypothesis) => boolean): Proof {
  return (life, call) => {
    if (!life.mustBe(isTaken)) return false;
    const { context, job } = life;
    const alike = call.op === 'cancel' ? job.calls : context.callIndex.of('purge-queue');
    const last = alike.findLast(
      (one) => one.op === call.op && answerOf(one) === 'ok' && precedes(job.submitted, one),
    );
    const lastRead = life.reads.at(-1)?.call;
    if (call !== last || lastRead?.op !== 'status') return false;
    return context.lives.some(
      (other) =>
        other !== life &&
        (precedes(call, other.job.submitted) || other.sawAfter(call, 'IN_QUEUE')) &&
        other.sawBefore(lastRead, 'IN_PROGRESS', 'COMPLETED'),
    );
  };
}
