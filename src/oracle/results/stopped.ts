/** Section 3: what a job streams after it was cancelled or purged. */
import type { Json } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { ENDED, STARTED } from '../model/zone.js';
import { chunksOf } from '../observed/chunks.js';
import { answerOf, brief, isObject, jsonOf, sameJson, seconds } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** A job that was cancelled or purged: nothing is produced from then on, or at all where it had not begun. */
export function stopped(scene: Scene, job: Job): void {
  const plan = job.foreseen(0);
  const life = scene.lifeOf(job);
  if (!plan.streams || life.kind !== 'explained' || life.mayBe((at) => at.retries > 0)) return;
  const unbegun = life.mustBe(
    (at) => at.place === 'purged' || (at.place === 'cancelled' && at.goneFrom === 'queue'),
  );
  const cut = life.mustBe((at) => at.place === 'cancelled' && at.goneFrom === 'progress');
  if (!unbegun && !cut) return;
  const startedFromMs = life.least((at) => at.zone.earliest(STARTED));
  const startedByMs = life.most((at) => at.zone.latest(STARTED));
  const endedByMs = life.most((at) => at.zone.latest(ENDED));
  const atEndMs = scene.graceAt(startedFromMs, endedByMs);
  const most = cut
    ? plan.chunks.filter((chunk) => startedFromMs + chunk.afterMs <= endedByMs + atEndMs).length
    : 0;
  const purged = life.mustBe((at) => at.place === 'purged');
  const id = cut
    ? '3/cancelled-stops-streaming'
    : purged
      ? '4.7/purged-jobs-never-run'
      : '3/cancelled-never-starts';
  // One chunk may still be under way when its worker is stopped.
  const produced = most + (cut ? 1 : 0);
  const next = plan.chunks[produced];
  if (next === undefined) return;
  const before = plan.chunks.slice(0, produced).map(({ output }) => output);
  for (const call of job.calls) {
    if (call.op !== 'stream' || call.reply === null) continue;
    const graceMs = scene.graceAt(startedFromMs, call.sentMs);
    if (call.sentMs <= endedByMs + graceMs) continue;
    const telling = !cut || call.sentMs > startedByMs + next.afterMs + graceMs;
    const chunks = answerOf(call) === 'ok' ? (chunksOf(jsonOf(call.reply.body)) ?? []) : [];
    const outputs = chunks.map((chunk) => (isObject(chunk) ? chunk['output'] : undefined) ?? null);
    const beyond = plan.chunks
      .slice(produced)
      .some(({ output }) => timesIn(outputs, output) > timesIn(before, output));
    if (beyond)
      scene.fail(id, {
        script: job.script,
        actual: `/stream #${call.call}, sent at ${seconds(call.sentMs)}, delivered ${brief(outputs, 200)}`,
        proof: [
          `job ${job.id} was ${purged ? 'purged' : 'cancelled'} by ${seconds(endedByMs)}`,
          cut ? `by then it can have produced ${most} results` : 'before it had begun',
        ],
        calls: [job.submitted.call, call.call],
      });
    else if (telling) scene.pass(id);
  }
}

const timesIn = (outputs: readonly Json[], wanted: Json): number =>
  outputs.filter((output) => sameJson(output, wanted)).length;
