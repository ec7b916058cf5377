import { setTimeout as sleep } from 'node:timers/promises';
import type { InFlightRequest } from '../../session/http-client.js';
import { ControlError, type Control } from '../control.js';

const ASK_EVERY_MS = 2;

/**
 * Resolves when the last bytes of all that were held back have been sent. They are sent as soon as test control shows
 * that the rest has arrived; where it does not tell, or where one of them is lost, by time alone.
 *
 * @param control null where it counts no calls
 */
export async function allReleased(
  requests: readonly InFlightRequest[],
  control: Pick<Control, 'incomplete'> | null,
): Promise<void> {
  const held = requests.filter(({ upload }) => upload !== null);
  if (held.length === 0) return;
  if (control !== null) void releaseOnceArrived(control, held);
  await Promise.all(held.map(({ upload }) => upload!.rest));
}

async function releaseOnceArrived(
  control: Pick<Control, 'incomplete'>,
  requests: readonly InFlightRequest[],
): Promise<void> {
  let isReleased = false;
  void Promise.race(requests.map(({ upload }) => upload!.rest)).then(() => (isReleased = true));
  const isLost = ({ result }: InFlightRequest): boolean => result !== null && result.reply === null;
  const open = (): readonly InFlightRequest[] => requests.filter(({ result }) => result === null);
  while (!isReleased && open().length > 0 && !requests.some(isLost)) {
    const expected = open().length;
    const count = await incompleteAt(control, new Set(requests.map(({ call }) => call.endpoint)));
    if (count === null || isReleased) return;
    for (const { upload } of requests) upload?.counted();
    // One that ended meanwhile may have been counted or not.
    if (count === expected && open().length === expected)
      return open().forEach(({ upload }) => upload?.arrived());
    await sleep(ASK_EVERY_MS);
  }
}

async function incompleteAt(
  control: Pick<Control, 'incomplete'>,
  endpoints: ReadonlySet<string>,
): Promise<number | null> {
  let sum = 0;
  try {
    for (const endpoint of endpoints) {
      const count = await control.incomplete(endpoint);
      if (count === null) return null;
      sum += count;
    }
  } catch (error) {
    if (error instanceof ControlError) return null;
    throw error;
  }
  return sum;
}
