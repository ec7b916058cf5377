/** Sections 3 and 4.7: what /stream delivers of jobs that were stopped. */
import type { Json } from '../../history/events.js';
import type { Job } from '../jobs/observed-jobs.js';
import type { Hypothesis, JobState } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import { excerpt, outputsIn, sameJson, seconds } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';

/** A cancelled or purged job streams nothing afterwards, or nothing if it never ran. */
export function judgeStopped(context: JudgingContext, job: Job): void {
  const { chunks, streams } = job.predicted(0);
  const explanations = context.explanationsOf(job);
  if (!streams || explanations.kind !== 'explained' || explanations.mayBe((at) => at.retries > 0)) return;
  const isCancelled = ({ state, previousState }: Hypothesis, from: JobState): boolean =>
    state === 'cancelled' && previousState === from;
  const isPurged = explanations.mustBe(({ state }) => state === 'purged');
  const hadBegun = explanations.mustBe((at) => isCancelled(at, 'running'));
  if (!hadBegun && !explanations.mustBe((at) => at.state === 'purged' || isCancelled(at, 'queued'))) return;
  const neverRan = isPurged ? '4.7/purged-jobs-never-run' : '3/cancelled-never-starts';
  const id = hadBegun ? '3/cancelled-stops-streaming' : neverRan;
  const startedFromMs = explanations.least((at) => at.zone.earliest(STARTED));
  const startedByMs = explanations.most((at) => at.zone.latest(STARTED));
  const stoppedByMs = explanations.most((at) => at.zone.latest(ENDED));
  const producibleToMs = stoppedByMs + context.graceAt(startedFromMs, stoppedByMs);
  const most = chunks.filter(({ afterMs }) => startedFromMs + afterMs <= producibleToMs).length;
  // One chunk may still be in transit when its worker is stopped.
  const produced = hadBegun ? most + 1 : 0;
  const next = chunks[produced];
  if (next === undefined) return;
  const outputs = chunks.map(({ output }) => output);
  for (const call of job.calls) {
    if (call.op !== 'stream' || call.reply === null) continue;
    const graceMs = context.graceAt(startedFromMs, call.sentMs);
    if (call.sentMs <= stoppedByMs + graceMs) continue;
    const delivered = outputsIn(call) ?? [];
    const isBeyond = (output: Json): boolean =>
      timesIn(delivered, output) > timesIn(outputs.slice(0, produced), output);
    if (outputs.slice(produced).some(isBeyond))
      context.fail(id, {
        script: job.script,
        actual: `/stream #${call.call}, sent at ${seconds(call.sentMs)}, delivered ${excerpt(delivered, 200)}`,
        proof: [
          `job ${job.id} was ${isPurged ? 'purged' : 'cancelled'} by ${seconds(stoppedByMs)}`,
          hadBegun ? `by then it had produced at most ${most} results` : 'before it started',
        ],
        calls: [job.submitted.call, call.call],
      });
    // It proves something only after the next result would have come.
    else if (!hadBegun || call.sentMs > startedByMs + next.afterMs + graceMs) context.pass(id);
  }
}

const timesIn = (outputs: readonly Json[], wanted: Json): number =>
  outputs.filter((output) => sameJson(output, wanted)).length;
