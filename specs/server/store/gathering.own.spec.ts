/** On a disk whose sync takes long, the calls of all clients share each write, although jobs that end meanwhile need one, too. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DurableService } from '../../../src/core/service.js';
import { createJournal } from '../../../src/server/store/journal.js';
import type { Store } from '../../../src/server/store/store.js';

const SYNC_MS = 50;
const CLIENTS = 32;

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

/** How many calls a write has, of clients that call again so long after each answer. */
async function callsPerWrite(pauseMs: number): Promise<number> {
  let changes = 0;
  let writes = 0;
  let calls = 0;
  const service = {
    hasChanges: () => changes > 0,
    takeChanges: () => (changes === 0 ? null : ((changes = 0), {})),
  } as unknown as DurableService;
  const store = {
    async write() {
      writes += 1;
      await new Promise((resolve) => setTimeout(resolve, SYNC_MS));
    },
  } as unknown as Store;
  const fail = (error: unknown): void => {
    throw error;
  };
  const journal = createJournal({ service, store, onFailure: fail, onError: fail });
  const change = (): void => {
    changes += 1;
    journal.markDirty();
  };
  const submit = (): void => {
    changes += 1;
    journal.defer(() => {
      calls += 1;
      setTimeout(submit, pauseMs);
      // Its job ends at once.
      setImmediate(change);
    });
  };
  for (let nth = 0; nth < CLIENTS; nth += 1) submit();
  await vi.advanceTimersByTimeAsync(100 * SYNC_MS);
  return calls / writes;
}

test.each([1, 10, 20])('of clients that call again after %s ms', async (pauseMs) => {
  expect(await callsPerWrite(pauseMs)).toBeGreaterThan(0.85 * CLIENTS);
});
