/**
 * A `ttl` set by /status below the minimum of `policy.ttl`, such as the 6000 in the document's own example
 * (section 4.3).
 */
import { STATUS_TTL_EXAMPLE_MS, TTL_MIN_MS } from '../../spec/limits.js';
import { isWaitingOrRunning } from '../jobs/status-observations.js';
import { seconds } from '../../util/duration.js';
import { answerOf, describeCall, isUninformative } from '../observed/recorded-call.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import { UNENDED } from '../observed/instances.js';
import type { Life } from '../context/life.js';

const ID = '4.3/ttl-of-the-example';

export function exampleTtl(life: Life): void {
  const { context, job, reads } = life;
  const [call, ...more] = life.ttlCalls;
  if (call === undefined || more.length > 0 || job.retried || !life.isJudgedFurther) return;
  const ttl = call.request.query['ttl']!;
  const ttlMs = Number(ttl);
  if (!/^[0-9]+$/.test(ttl) || ttlMs < STATUS_TTL_EXAMPLE_MS || ttlMs >= TTL_MIN_MS) return;
  const before = life.readBefore(call)?.observed;
  if (call.request.illegal !== null || isUninformative(call) || !isWaitingOrRunning(before)) return;
  if (answerOf(call) === 'refused' && call.reply!.status !== 404)
    return life.fail(ID, describeCall(call), [call]);
  if (answerOf(call) !== 'ok') return;
  // Whether it counts from the submission or from the call.
  const dueMs = call.receivedMs! + ttlMs;
  const late = reads.find(
    (one) => one.call.sentMs > dueMs + context.graceAt(one.call.sentMs) && isWaitingOrRunning(one.observed),
  )?.call;
  if (late !== undefined) {
    const what = `job ${job.id} was given ${ttlMs} ms by ${seconds(call.receivedMs!)}, and ${describeCall(late)}`;
    return life.fail(ID, what, [call, late]);
  }
  const at = reads.findIndex(({ observed }) => observed === 'GONE');
  const gone = reads[at]?.call;
  if (gone === undefined || !isWaitingOrRunning(reads[at - 1]?.observed)) return;
  // With the minimum of 10 seconds the job would still have existed.
  const leastMs = TTL_MIN_MS - earlyToleranceMs(context.session.run.earlyMs, TTL_MIN_MS);
  if (gone.receivedMs! < job.submitted.sentMs + leastMs && !life.mayBeTakenAway(gone))
    context.ledger.pass(ID, null, UNENDED[before!]);
}
