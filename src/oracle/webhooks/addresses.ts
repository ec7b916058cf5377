/** Section 6: calls go to the address that the submission named; several submissions may name one. */
import type { WebhookEvent } from '../../history/events.js';
import { WEBHOOK_ATTEMPTS_MAX } from '../../spec/limits.js';
import { isShared, jobBy, type Job } from '../cast/cases.js';
import { getOrMake } from '../cast/roll.js';
import { seconds } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import {
  AMPLE_MS,
  completion,
  dueBy,
  fault,
  leftLate,
  missed,
  onCompletion,
  tellingAnEnd,
  watchedUntilMs,
} from './expectations.js';

export function judgeAddresses(scene: Scene): void {
  const { jobs, roll, misdirected } = scene.cast;
  for (const webhook of scene.session.webhooks) unasked(scene, webhook);
  for (const { webhook, told, called } of misdirected)
    scene.fail('6/each-job-its-own-url', {
      script: webhook.script,
      actual: `a call of ${webhook.url}, the address of job ${called}, tells of job ${told}`,
      calls: [told, called].flatMap((id) => jobBy(scene.cast, id)?.submitted.call ?? []),
    });
  const shared = new Map<string, Job[]>();
  for (const job of jobs)
    if (job.webhookUrl !== null && isShared(roll, job.webhookUrl))
      getOrMake(shared, job.webhookUrl, () => []).push(job);
  for (const [url, sharers] of shared) judgeShared(scene, url, sharers);
  // A job was told of at its address, as often as one is at the most: no other of these jobs was told of there.
  const isToldOf = ({ webhookUrl, webhooks: { length } }: Job): boolean =>
    webhookUrl !== null && !isShared(roll, webhookUrl) && length > 0 && length <= WEBHOOK_ATTEMPTS_MAX;
  const areAsked = (): boolean => scene.session.webhooks.every(({ url }) => roll.webhookAsked.has(url));
  if (jobs.length > 1 && jobs.some(isToldOf) && areAsked()) scene.pass('6/each-job-its-own-url');
}

/** Called at an address that no submission of these scripts named, but for its query or a slash at its end. */
function unasked(scene: Scene, { url, script, arrivedMs }: WebhookEvent): void {
  const asked = scene.cast.roll.webhookAsked;
  if (!scene.session.exists || asked.has(url)) return;
  const pathOf = (one: string): string => one.split('?', 1)[0]!.replace(/\/$/, '');
  const near = [...asked.keys()].find((one) => pathOf(one) === pathOf(url));
  // Addresses of the endpoint beside this one are judged there.
  if (near === undefined) return;
  const actual = `a call of ${url} at ${seconds(arrivedMs)}`;
  scene.fail('6/called-at-given-url', { script, expected: `a call of ${near}`, actual, calls: [] });
}

/**
 * Each of the jobs that name the address is told of there. What a call holds is not shown, so that calls are not told
 * apart but counted.
 */
function judgeShared(scene: Scene, url: string, sharers: readonly Job[]): void {
  const calls = scene.session.webhooks.filter((webhook) => webhook.url === url);
  if (calls.length > 0) scene.pass('6/called-at-given-url');
  const ends = sharers.flatMap((job) => completion(scene, job) ?? []);
  const completed = sharers.filter((job) => completion(scene, job) !== null);
  const last = completed.at(-1);
  if (last !== undefined && calls.length < completed.length) {
    const byMs = Math.max(...ends.map((end) => end.byMs));
    const dueMs = dueBy(scene, byMs) + AMPLE_MS;
    const fromMs = Math.min(...ends.map((end) => end.fromMs));
    const untilMs = watchedUntilMs(scene, last);
    const actual = `${completed.length} jobs that name one address completed by ${seconds(byMs)}; calls of it until ${seconds(untilMs)}: ${calls.length}`;
    if (completed.every((job) => watchedUntilMs(scene, job) > dueMs))
      missed(scene, onCompletion(last), fromMs, dueMs, fault(last, actual));
  }
  // One that came to two ends may be called for each of them.
  if (sharers.some((job) => job.retried || job.calls.some(({ op }) => op === 'cancel'))) return;
  const asked = scene.cast.roll.webhookAsked.get(url)!.length;
  const telling = tellingAnEnd(scene, calls);
  const isOnce = telling.every((call) => call.answered === 200 && !leftLate(scene, call));
  if (telling.length <= asked * (isOnce ? 1 : WEBHOOK_ATTEMPTS_MAX)) return;
  const id = isOnce ? '6/stops-after-200' : '6/at-most-three-attempts';
  scene.fail(id, fault(sharers.at(-1)!, `${telling.length} calls for ${asked} submissions`));
}
