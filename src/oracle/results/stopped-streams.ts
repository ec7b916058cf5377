/** Section 3: a job that was cancelled or purged streams nothing from then on, or at all where it had not begun. */
import type { Json } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import { brief, outputsIn, sameJson, seconds } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

const isPurged = ({ place }: Hypothesis): boolean => place === 'purged';

const isCancelledFrom =
  (from: 'queue' | 'progress') =>
  ({ place, goneFrom }: Hypothesis): boolean =>
    place === 'cancelled' && goneFrom === from;

/** How it was stopped: the first that certainly applies. */
const STOPS = [
  { id: '4.7/purged-jobs-never-run', was: 'purged', applies: isPurged },
  {
    id: '3/cancelled-never-starts',
    was: 'cancelled',
    applies: (at: Hypothesis) => isPurged(at) || isCancelledFrom('queue')(at),
  },
  { id: '3/cancelled-stops-streaming', was: 'cancelled', applies: isCancelledFrom('progress') },
] as const;

export function judgeStopped(scene: Scene, job: Job): void {
  const { chunks, streams } = job.foreseen(0);
  const life = scene.lifeOf(job);
  if (!streams || life.kind !== 'explained' || life.mayBe((at) => at.retries > 0)) return;
  const stop = STOPS.find(({ applies }) => life.mustBe(applies));
  if (stop === undefined) return;
  const { id, was } = stop;
  const hadBegun = id === '3/cancelled-stops-streaming';
  const startedFromMs = life.least((at) => at.zone.earliest(STARTED));
  const startedByMs = life.most((at) => at.zone.latest(STARTED));
  const stoppedByMs = life.most((at) => at.zone.latest(ENDED));
  const producibleToMs = stoppedByMs + scene.graceAt(startedFromMs, stoppedByMs);
  const most = chunks.filter(({ afterMs }) => startedFromMs + afterMs <= producibleToMs).length;
  // One chunk may still be under way when its worker is stopped.
  const produced = hadBegun ? most + 1 : 0;
  const next = chunks[produced];
  if (next === undefined) return;
  const outputs = chunks.map(({ output }) => output);
  for (const call of job.calls) {
    if (call.op !== 'stream' || call.reply === null) continue;
    const graceMs = scene.graceAt(startedFromMs, call.sentMs);
    if (call.sentMs <= stoppedByMs + graceMs) continue;
    const delivered = outputsIn(call) ?? [];
    const isBeyond = (output: Json): boolean =>
      timesIn(delivered, output) > timesIn(outputs.slice(0, produced), output);
    if (outputs.slice(produced).some(isBeyond))
      scene.fail(id, {
        script: job.script,
        actual: `/stream #${call.call}, sent at ${seconds(call.sentMs)}, delivered ${brief(delivered, 200)}`,
        proof: [
          `job ${job.id} was ${was} by ${seconds(stoppedByMs)}`,
          hadBegun ? `by then it can have produced ${most} results` : 'before it had begun',
        ],
        calls: [job.submitted.call, call.call],
      });
    // It tells something only once another result would have come.
    else if (!hadBegun || call.sentMs > startedByMs + next.afterMs + graceMs) scene.pass(id);
  }
}

const timesIn = (outputs: readonly Json[], wanted: Json): number =>
  outputs.filter((output) => sameJson(output, wanted)).length;
