/** Endpoints of one service know nothing of each other: section 1. */
import type { CallEvent } from '../../history/events.js';
import { answerOf, statusIn } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { precedes, seenWaitingAfter, sightingsOf } from '../cast/sightings.js';

export function neighbours(scene: Scene): void {
  for (const { session, cast } of scene.beside) {
    for (const call of session.calls) {
      if (call.op !== 'purge-queue' || answerOf(call) !== 'ok') continue;
      if (scene.cast.jobs.some((job) => scene.isExplained(job) && seenWaitingAfter(job, call)))
        scene.pass('1/endpoints-isolated-purge');
    }
    const busy = session.workersAtFirst;
    if (busy === null || busy === 0 || session.workers.length > 0) continue;
    for (const job of scene.cast.jobs) {
      const begun = sightingsOf(job).find(({ shows }) => shows === 'IN_PROGRESS')?.call;
      if (begun === undefined || !scene.isExplained(job)) continue;
      const others = cast.jobs.filter((other) => runsMeanwhile(other.calls, job.submitted, begun));
      if (others.length >= busy) scene.pass('1/endpoints-isolated-workers');
    }
  }
}

/** It was seen running before the one call, and running or cancelled while it ran after the other. */
function runsMeanwhile(calls: readonly CallEvent[], from: CallEvent, to: CallEvent): boolean {
  const running = (call: CallEvent): boolean =>
    call.op === 'status' && answerOf(call) === 'ok' && statusIn(call) === 'IN_PROGRESS';
  return (
    calls.some((call) => running(call) && precedes(call, from)) &&
    calls.some((call) => precedes(to, call) && (running(call) || call.op === 'cancel'))
  );
}
