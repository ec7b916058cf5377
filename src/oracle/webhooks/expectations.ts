/** What can be expected of a job's webhook, and until when it could have been seen. */
import type { Job } from '../cases.js';
import type { Hypothesis } from '../life/hypothesis.js';
import { ENDED } from '../life/zone.js';
import type { Contradiction } from '../proof/contradiction.js';
import { contradictionInWords } from '../proof/in-words.js';
import { onTheWayMs } from '../on-the-way.js';
import type { Scene } from '../scene.js';

/** The bounds of the instant at which the job certainly became COMPLETED; null when that is not certain. */
export function completion(
  scene: Scene,
  job: Job,
): { readonly fromMs: number; readonly byMs: number } | null {
  const life = scene.lifeOf(job);
  const completed = (at: Hypothesis): boolean =>
    at.place === 'completed' || (at.place === 'gone' && at.goneFrom === 'completed');
  if (life.kind !== 'explained' || !life.mustBe(completed)) return null;
  return {
    fromMs: life.least((at) => at.zone.earliest(ENDED)),
    byMs: life.most((at) => at.zone.latest(ENDED)),
  };
}

/** Where nothing bounds it, how late a call may come is open: it is missed only when it had ample time. */
export const AMPLE_MS = 10_000;

/** When nothing more of the job can be expected: its script had ended. */
export function watchedUntilMs(scene: Scene, job: Job): number {
  return scene.session.ends.get(job.script)?.atMs ?? -Infinity;
}

/** Lateness allowed to a webhook call that was due then: it may come late as far as it may be on its way. */
export function lateMs(scene: Scene, dueMs: number): number {
  return scene.graceAt(dueMs, dueMs + scene.session.run.graceMs + onTheWayMs(scene));
}

export function fault(job: Job, actual: string, contradiction: Contradiction | null = null) {
  const proof = contradiction === null ? [] : contradictionInWords(contradiction);
  return { script: job.script, actual, calls: [job.submitted.call], proof, contradiction };
}
