/** Webhook calls at the wrong address: one that nobody named, or that of another job (section 6). */
import type { WebhookEvent } from '../../history/events.js';
import { jobBy } from '../cast/cases.js';
import type { Misdirected } from '../cast/misdirected.js';
import { seconds } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

export function judgeStrayCalls(scene: Scene): void {
  const wanted = scene.cast.roll.webhookAsked;
  for (const webhook of scene.session.webhooks) strayCall(scene, webhook, wanted);
  for (const one of scene.cast.misdirected) misdirected(scene, one);
}

/** Without its query, and without a slash at its end. */
function pathOf(url: string): string {
  return url.split('?', 1)[0]!.replace(/\/$/, '');
}

/** Called at an address that no submission of these scripts named. */
function strayCall(scene: Scene, webhook: WebhookEvent, wanted: ReadonlyMap<string, unknown>): void {
  if (!scene.session.exists || wanted.has(webhook.url)) return;
  const near = [...wanted.keys()].find((url) => pathOf(url) === pathOf(webhook.url));
  // Addresses of the endpoint beside this one are judged there.
  if (near === undefined) return;
  scene.fail('6/called-at-given-url', {
    script: webhook.script,
    expected: `a call of ${near}`,
    actual: `a call of ${webhook.url} at ${seconds(webhook.arrivedMs)}`,
    calls: [],
  });
}

function misdirected(scene: Scene, { webhook, told, called }: Misdirected): void {
  const calls = [told, called].flatMap((id) => jobBy(scene.cast, id)?.submitted.call ?? []);
  scene.fail('6/each-job-its-own-url', {
    script: webhook.script,
    actual: `a call of ${webhook.url}, the address of job ${called}, tells of job ${told}`,
    calls,
  });
}
