import { afterEach, expect, it } from 'vitest';
import type { StorageEvent } from '../../src/history/events.js';
import { bucketAt } from '../../src/runner/bucket.js';
import { WebhookReceiver } from '../../src/target/session/webhook-receiver.js';

let receiver: WebhookReceiver | null = null;
afterEach(async () => {
  await receiver?.close();
});

async function calledAt(address: (url: string) => string, method = 'PUT'): Promise<readonly StorageEvent[]> {
  receiver = await WebhookReceiver.start();
  const heard: StorageEvent[] = [];
  receiver.expectStorage(
    3,
    'job-storage',
    () => ({ earliestMs: 7, latestMs: 7 }),
    (event) => heard.push(event),
  );
  const { status } = await fetch(address(receiver.urlOf(3, 'job-storage')), { method });
  expect(status).toBe(200);
  await receiver.release(3);
  await fetch(address(receiver.urlOf(3, 'job-storage')), { method });
  return heard;
}

it('writes down a call below the address of a storage, while its script lasts', async () => {
  const heard = await calledAt((url) => `${url}/bucket/job.json`);
  expect(heard).toMatchObject([{ kind: 'storage', script: 3, method: 'PUT', arrivedMs: 7 }]);
  expect(heard[0]?.path).toMatch(/\/3\/job-storage\/bucket\/job\.json$/);
  expect(heard[0]?.url).toBe(receiver!.urlOf(3, 'job-storage'));
});

it('knows the storage by its bucket where the path of its address was left out', async () => {
  const heard = await calledAt((url) => new URL(`/${bucketAt(url)}?list-type=2`, url).href, 'HEAD');
  expect(heard).toMatchObject([{ kind: 'storage', script: 3, method: 'HEAD' }]);
});

it('takes no call of another address for one of the storage', async () => {
  expect(await calledAt((url) => new URL('/bucket/job.json', url).href)).toEqual([]);
  expect(await calledAt((url) => url.replace('job-storage', 'job'))).toEqual([]);
});
