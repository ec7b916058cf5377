/** Section 4.6: `/retry` starts a new run if it is valid, and has no effect otherwise. */
import type { CallEvent, Json } from '../../history/events.js';
import type { Job } from '../jobs/observed-jobs.js';
import {
  isWaitingOrRunning,
  precedes,
  observedWaitingAfter,
  statusObservationsOf,
} from '../jobs/status-observations.js';
import {
  answerOf,
  chunksOf,
  describeCall,
  isObject,
  jsonOf,
  sameJson,
  isUninformative,
  statusIn,
} from '../observed/recorded-call.js';
import { wasThere } from '../context/left-alone.js';
import type { JudgingContext } from '../context/judging-context.js';

/** `explained`: the jobs whose observations can be explained. */
export function retries(context: JudgingContext, explained: readonly Job[]): void {
  for (const job of explained) {
    const calls = job.calls.filter(({ op, reply }) => op === 'retry' && reply !== null);
    atOnce(context, job, calls);
    for (const call of calls) {
      outlivesItsResult(context, job, call);
      inWrongState(context, job, call);
    }
  }
}

/** A retried job waits or runs for longer than its earlier result would have been kept. */
function outlivesItsResult(context: JudgingContext, job: Job, call: CallEvent): void {
  const seen = statusObservationsOf(job);
  const keptMs = job.policies[0]?.keptAtLeastMs ?? Infinity;
  const ended = seen.findLast(
    ({ call: earlier, observed }) =>
      precedes(earlier, call) && (observed === 'FAILED' || observed === 'TIMED_OUT'),
  )?.call;
  if (ended === undefined || answerOf(call) !== 'ok') return;
  const overMs = ended.receivedMs! + keptMs + context.graceMax;
  if (seen.some(({ call: later, observed }) => later.sentMs > overMs && isWaitingOrRunning(observed)))
    context.pass('4.6/retried-job-not-expired');
}

/** Two concurrent retries: a second run would have been observed, or have streamed twice. */
function atOnce(context: JudgingContext, job: Job, [first, second, ...more]: readonly CallEvent[]): void {
  if (first === undefined || second === undefined || more.length > 0) return;
  if (precedes(first, second) || precedes(second, first)) return;
  if (answerOf(first) === 'unknown' || answerOf(second) === 'unknown') return;
  const { outcome, durationMs, chunks } = job.predicted(1);
  if (outcome !== 'success' || chunks.length !== 1 || job.predicted(0).outcome !== 'error') return;
  const seen = statusObservationsOf(job);
  const ended = seen.find(({ observed }) => observed === 'COMPLETED')?.call;
  const read = job.calls.find((call) => call.op === 'stream' && answerOf(call) === 'ok');
  const delivered = read === undefined ? null : chunksOf(jsonOf(read.reply!.body));
  if (ended === undefined || read === undefined || delivered === null) return;
  const isTheOnly = (chunk: Json): boolean => isObject(chunk) && sameJson(chunk['output'], chunks[0]!.output);
  const times = delivered.filter(isTheOnly).length;
  const id = '4.6/retries-at-once-requeue-once';
  const actual = `${describeCall(read)}, containing the only result of a run ${times} times`;
  if (times > 1)
    context.fail(id, { script: job.script, actual, calls: [first.call, second.call, read.call] });
  const overMs = ended.receivedMs! + durationMs!;
  const later = seen.some(({ call }) => call.sentMs > overMs + context.graceAt(call.sentMs));
  if (later && times === 1 && precedes(ended, read)) context.pass(id);
}

const WRONG_STATES = {
  IN_QUEUE: ['4.6/refused-in-queue', '4.6/wrong-state-answer-in-queue'],
  IN_PROGRESS: ['4.6/refused-in-progress', '4.6/wrong-state-answer-in-progress'],
  COMPLETED: ['4.6/refused-for-completed', '4.6/wrong-state-answer-completed'],
  CANCELLED: ['4.6/refused-for-cancelled', '4.6/wrong-state-answer-cancelled'],
} as const;

function inWrongState(context: JudgingContext, job: Job, call: CallEvent): void {
  const code = call.reply!.status;
  const answer = answerOf(call);
  const state = wrongStateAt(context, job, call);
  if (state === null || answer === 'unknown' || isUninformative(call)) return;
  if (code === 404 && !wasThere(context, job, call)) return;
  const [id, question] = WRONG_STATES[state];
  // A success that reports the job's state is a possible reading; one that claims the job was requeued is
  // not.
  const feigned = answer === 'ok' && statusIn(call) === 'IN_QUEUE' && state !== 'IN_QUEUE';
  if (answer === 'refused') context.pass(id);
  else {
    const actual = describeCall(call);
    context.fail(id, { script: call.script, actual, calls: [call.call], isNotWaivable: feigned });
  }
  if (feigned) return;
  const { ledger } = context;
  if (answer === 'ok') ledger.observe(question, 'success-without-effect');
  else if (code === 400 || code === 404 || code === 409 || code === 422)
    ledger.observe(question, `refused-${code}`);
  else ledger.observe(question, 'other-error');
  // A second run would have been observed after the end of the only one.
  const ends = statusObservationsOf(job).filter(({ observed }) => observed === 'COMPLETED');
  if (state === 'IN_QUEUE' && ends.length > 1) context.pass('4.6/no-effect-in-queue');
}

/** The state, other than FAILED and TIMED_OUT, that the job certainly had during the call. */
function wrongStateAt(context: JudgingContext, job: Job, call: CallEvent): keyof typeof WRONG_STATES | null {
  const seen = statusObservationsOf(job);
  const before = seen.findLast((one) => precedes(one.call, call))?.observed;
  const after = seen.find((one) => precedes(call, one.call))?.observed;
  const others = job.calls.filter((one) => one !== call);
  const explanations = context.explanationsOf(job);
  if (others.some((one) => one.op === 'retry' && answerOf(one) !== 'refused')) return null;
  if (!explanations.mustBe((at) => at.retries === 0)) return null;
  const cancels = others.filter(({ op }) => op === 'cancel');
  if (before === 'COMPLETED') return cancels.length > 0 ? null : 'COMPLETED';
  if (cancels.some((one) => answerOf(one) === 'ok' && precedes(one, call)))
    return explanations.mustBe((at) => at.state === 'cancelled') ? 'CANCELLED' : null;
  // It has run at most once, so a state before and after the call was its state during the call.
  if (!explanations.mustBe((at) => at.runs <= (at.state === 'cancelled' ? 1 : 0))) return null;
  if (before === undefined || before === 'IN_QUEUE')
    return after === 'IN_QUEUE' && observedWaitingAfter(job, call) ? 'IN_QUEUE' : null;
  return before === 'IN_PROGRESS' && after === 'IN_PROGRESS' ? 'IN_PROGRESS' : null;
}
