/**
 * Jobs seen running at once. That a job waits while others hold all workers is judged in its life; jobs that began at
 * one and the same instant have no such order, and are counted here.
 */
import type { Job } from '../cast/cases.js';
import { meantBy } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { isMadeForTests } from '../observed/session.js';
import { sightingsOf, type Sighting } from '../cast/sightings.js';

interface Run {
  readonly job: Job;
  readonly first: Sighting;
  readonly last: Sighting;
}

export function runningAtOnce(scene: Scene): void {
  const { session, cast } = scene;
  if (!isMadeForTests(session)) return;
  const workers = Math.max(session.workersAtFirst!, ...session.workers.map((change) => change.workers));
  const runs = cast.jobs.flatMap((job) => runOf(scene, job) ?? []);
  if (runs.length <= workers) return;
  for (const { first } of runs) {
    const tick = first.call.endedTick!;
    const meanwhile = runs.filter(
      (run) => run.first.call.endedTick! <= tick && tick <= run.last.call.sentTick,
    );
    if (meanwhile.length <= workers) continue;
    const seen = meanwhile.slice(0, workers + 1);
    scene.fail('1/no-more-jobs-in-progress-than-workers', {
      script: seen[0]!.job.script,
      actual: `${meanwhile.length} jobs ran at once, where there are ${workers} workers`,
      proof: seen.map(
        ({ job, first: from, last: to }) =>
          `job ${job.id} was IN_PROGRESS at #${from.call.call} and still at #${to.call.call}`,
      ),
      calls: seen.flatMap(({ first: from, last: to }) => [from.call.call, to.call.call]),
    });
    return;
  }
}

/** From the first sight of it running to the last, where nothing can have sent it back to the queue between them. */
function runOf(scene: Scene, job: Job): Run | null {
  const mayRunAgain =
    job.foreseen(0).outcome === 'crash' || job.calls.some((call) => meantBy(call) === 'retry');
  if (mayRunAgain || !scene.isJudgedFurther(job)) return null;
  const running = sightingsOf(job).filter(
    ({ shows, call }) => shows === 'IN_PROGRESS' && call.endedTick !== null,
  );
  const [first] = running;
  const last = running.at(-1);
  return first === undefined || last === undefined || first === last ? null : { job, first, last };
}
