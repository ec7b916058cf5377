/** Section 2.3: the service passes `s3Config` along and does nothing with it itself. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { isObject, seconds, submissionOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** A scripted worker has no logic that uses a storage: whoever calls there is the service. Of other workers nothing is known. */
export function judgeStorage(scene: Scene): void {
  if (!scene.has('scripted-worker', 'webhook-reachable')) return;
  const { cast, session } = scene;
  const called = new Set(session.storageCalls.map(({ url }) => url));
  for (const { script, url, method, path, arrivedMs } of session.storageCalls) {
    const submitted = session.calls.find((call) => storageOf(call) === url);
    // Those of endpoints beside this one are judged there.
    if (submitted === undefined) continue;
    scene.fail('2.3/service-does-not-use-it', {
      script,
      actual:
        `${method} ${path} reached, at ${seconds(arrivedMs)}, the storage that call #${submitted.call} names, ` +
        'and its worker calls none',
      calls: [submitted.call],
    });
  }
  for (const job of cast.jobs) if (isListenedTo(job, called)) scene.pass('2.3/service-does-not-use-it');
}

/** Its webhook has come: a call of its storage, which is listened to at an address beside, would have come as well. */
function isListenedTo({ submitted, webhookUrl, webhooks }: Job, called: ReadonlySet<string>): boolean {
  const url = storageOf(submitted);
  if (url === null || webhookUrl === null || webhooks.length === 0) return false;
  return folderOf(url) === folderOf(webhookUrl) && !called.has(url);
}

function storageOf(call: CallEvent): string | null {
  const s3Config = submissionOf(call)?.['s3Config'];
  const url = isObject(s3Config) ? s3Config['endpointUrl'] : null;
  return typeof url === 'string' ? url : null;
}

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/'));
