/** A `ttl` given by /status that is below the least of `policy.ttl`, as the 6000 of the document's own example is (section 4.3). */
import { describeCall } from '../observed/describe-call.js';
import type { CallEvent } from '../../history/events.js';
import { STATUS_TTL_EXAMPLE_MS, TTL_MIN_MS } from '../../spec/limits.js';
import { mayBeTakenAway } from '../scene/may-be-gone.js';
import type { Job } from '../cast/cases.js';
import { earlyFor } from '../observed/earliness.js';
import { answerOf, saysNothing, seconds } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';

export function exampleTtl(scene: Scene): void {
  for (const job of scene.cast.jobs) {
    const [call, ...more] = job.calls.filter(
      ({ op, request }) => op === 'status' && request.query['ttl'] !== undefined,
    );
    if (call === undefined || more.length > 0 || job.retried || !scene.isJudgedFurther(job)) continue;
    const ttl = call.request.query['ttl']!;
    const ttlMs = Number(ttl);
    if (!/^[0-9]+$/.test(ttl) || ttlMs < STATUS_TTL_EXAMPLE_MS || ttlMs >= TTL_MIN_MS) continue;
    if (call.request.illegal === null && !saysNothing(call)) given(scene, job, call, ttlMs);
  }
}

function given(scene: Scene, job: Job, call: CallEvent, ttlMs: number): void {
  const { earlyMs } = scene.session.run;
  const seen = sightingsOf(job);
  const before = seen.findLast((one) => precedes(one.call, call))?.shows;
  if (before === undefined || !isWaitingOrRunning(before)) return;
  if (answerOf(call) === 'refused' && call.reply!.status !== 404) {
    scene.fail('4.3/ttl-of-the-example', {
      script: call.script,
      actual: describeCall(call),
      calls: [call.call],
    });
    return;
  }
  if (answerOf(call) !== 'ok') return;
  // Whatever it counts from: the submission or the call.
  const dueMs = call.receivedMs! + ttlMs;
  const late = seen.find(
    (one) => one.call.sentMs > dueMs + scene.graceAt(one.call.sentMs) && isWaitingOrRunning(one.shows),
  )?.call;
  if (late !== undefined) {
    scene.fail('4.3/ttl-of-the-example', {
      script: call.script,
      actual: `job ${job.id} was given ${ttlMs} ms by ${seconds(call.receivedMs!)}, and ${describeCall(late)}`,
      calls: [call.call, late.call],
    });
    return;
  }
  const at = seen.findIndex(({ shows }) => shows === 'GONE');
  const gone = seen[at]?.call;
  // With 10 seconds in its stead the job would have been there still.
  const inTime =
    gone !== undefined &&
    gone.receivedMs! < job.submitted.sentMs + TTL_MIN_MS - earlyFor(earlyMs, TTL_MIN_MS);
  const unended = at > 0 && isWaitingOrRunning(seen[at - 1]!.shows);
  if (inTime && unended && !mayBeTakenAway(scene, gone)) scene.pass('4.3/ttl-of-the-example');
}
