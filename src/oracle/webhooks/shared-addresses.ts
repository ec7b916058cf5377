/**
 * Jobs whose submissions name one address for webhooks: each of them is told of there (section 6). What a call holds is
 * not shown, so that calls are not told apart but counted.
 */
import type { WebhookEvent } from '../../history/events.js';
import { WEBHOOK_ATTEMPTS_MAX } from '../../spec/limits.js';
import { isShared, type Job } from '../cast/cases.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import { seconds } from '../observed/reading.js';
import { getOrAdd } from '../cast/roll.js';
import type { Scene } from '../scene/scene.js';
import {
  AMPLE_MS,
  completion,
  fault,
  leftLate,
  mayBeUnheard,
  tellingAnEnd,
  UNHEARD,
  watchedUntilMs,
} from './expectations.js';

export function judgeSharedAddresses(scene: Scene): void {
  const { jobs, roll } = scene.cast;
  const byAddress = new Map<string, Job[]>();
  for (const job of jobs)
    if (job.webhookUrl !== null && isShared(roll, job.webhookUrl))
      getOrAdd(byAddress, job.webhookUrl).push(job);
  for (const [url, sharers] of byAddress) judgeAddress(scene, url, sharers);
}

function judgeAddress(scene: Scene, url: string, sharers: readonly Job[]): void {
  const calls = scene.session.webhooks.filter((webhook) => webhook.url === url);
  if (calls.length > 0) scene.pass('6/called-at-given-url');
  const ends = sharers.map((job) => completion(scene, job));
  const completed = sharers.filter((_, index) => ends[index] !== null);
  const last = completed.at(-1);
  if (last !== undefined && calls.length < completed.length) {
    const byMs = Math.max(...ends.map((end) => end?.byMs ?? -Infinity));
    const dueMs = byMs + scene.graceAt(byMs, byMs + AMPLE_MS) + onTheWayMs(scene) + AMPLE_MS;
    const fromMs = Math.min(...ends.map((end) => end?.fromMs ?? Infinity));
    const id = last.sync ? '6/called-on-completion-runsync' : '6/called-on-completion-run';
    if (mayBeUnheard(scene, fromMs, dueMs)) scene.ledger.doubt(id, UNHEARD);
    else if (completed.every((job) => watchedUntilMs(scene, job) > dueMs))
      scene.fail(
        id,
        fault(
          last,
          `${completed.length} jobs that name one address completed by ${seconds(byMs)}; calls of it until ${seconds(watchedUntilMs(scene, last))}: ${calls.length}`,
        ),
      );
  }
  tooMany(scene, sharers, tellingAnEnd(scene, calls), scene.cast.roll.webhookAsked.get(url)!.length);
}

/** Each may be called for three times, once where the first call is answered 200; one that came to two ends, for each of them. */
function tooMany(scene: Scene, sharers: readonly Job[], calls: readonly WebhookEvent[], asked: number): void {
  if (sharers.some((job) => job.retried || job.calls.some(({ op }) => op === 'cancel'))) return;
  const once = calls.every((call) => call.answered === 200 && !leftLate(scene, call));
  if (calls.length > asked * (once ? 1 : WEBHOOK_ATTEMPTS_MAX))
    scene.fail(
      once ? '6/stops-after-200' : '6/at-most-three-attempts',
      fault(sharers.at(-1)!, `${calls.length} calls for ${asked} submissions`),
    );
}
