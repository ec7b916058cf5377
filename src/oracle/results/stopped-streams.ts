/** Sections 3 and 4.7: what /stream delivers of jobs that were stopped. */
import type { Json } from '../../history/events.js';
import type { Hypothesis, JobState } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import { seconds } from '../../util/duration.js';
import { excerpt, outputsIn, sameJson } from '../observed/recorded-call.js';
import type { Life } from '../context/life.js';

/** A cancelled or purged job streams nothing afterwards, or nothing if it never ran. */
export function judgeStopped(life: Life): void {
  const { context, job } = life;
  const { chunks, streams } = life.plan;
  if (!streams || life.mayBe((at) => at.retries > 0)) return;
  const isCancelled = ({ state, previousState }: Hypothesis, from: JobState): boolean =>
    state === 'cancelled' && previousState === from;
  const isPurged = life.mustBe(({ state }) => state === 'purged');
  const hadBegun = life.mustBe((at) => isCancelled(at, 'running'));
  if (!hadBegun && !life.mustBe((at) => at.state === 'purged' || isCancelled(at, 'queued'))) return;
  const neverRan = isPurged ? '4.7/purged-jobs-never-run' : '3/cancelled-never-starts';
  const id = hadBegun ? '3/cancelled-stops-streaming' : neverRan;
  const { fromMs: startedFromMs, byMs: startedByMs } = life.when(STARTED);
  const stoppedByMs = life.when(ENDED).byMs;
  const producibleToMs = stoppedByMs + context.graceAt(startedFromMs, stoppedByMs);
  const most = chunks.filter(({ afterMs }) => startedFromMs + afterMs <= producibleToMs).length;
  // One chunk may still be in transit when its worker is stopped.
  const produced = hadBegun ? most + 1 : 0;
  const next = chunks[produced];
  if (next === undefined) return;
  const outputs = chunks.map(({ output }) => output);
  for (const call of life.calls('stream')) {
    const graceMs = context.graceAt(startedFromMs, call.sentMs);
    if (call.reply === null || call.sentMs <= stoppedByMs + graceMs) continue;
    const delivered = outputsIn(call) ?? [];
    const isBeyond = (output: Json): boolean =>
      timesIn(delivered, output) > timesIn(outputs.slice(0, produced), output);
    if (outputs.slice(produced).some(isBeyond))
      life.fail(
        id,
        `/stream #${call.call}, sent at ${seconds(call.sentMs)}, delivered ${excerpt(delivered, 200)}`,
        [job.submitted, call],
        {
          proof: [
            `job ${job.id} was ${isPurged ? 'purged' : 'cancelled'} by ${seconds(stoppedByMs)}`,
            hadBegun ? `by then it had produced at most ${most} results` : 'before it started',
          ],
        },
      );
    // It proves something only after the next result would have come.
    else if (!hadBegun || call.sentMs > startedByMs + next.afterMs + graceMs) context.pass(id);
  }
}

const timesIn = (outputs: readonly Json[], wanted: Json): number =>
  outputs.filter((output) => sameJson(output, wanted)).length;
