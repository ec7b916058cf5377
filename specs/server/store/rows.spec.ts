/** Rows on disk hold what the service holds, and no more. */
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SavedState } from '../../../src/core/saved/saved.js';
import type { DurableService } from '../../../src/core/service.js';
import { openDataFolder } from '../../../src/server/store/data-folder.js';
import type { Store } from '../../../src/server/store/store.js';
import { createStateRecorder, type StateRecorder } from '../../core/persisted.js';
import { commands, dialect, edition, ENDPOINTS, startUse } from '../../core/commands.js';
import { createMemoryStore } from './memory-store.js';

/** Stores everything twice: by a store, and directly. */
function keptTwice(store: Store): StateRecorder & { readonly whole: () => SavedState } {
  const plain = createStateRecorder();
  return {
    record(service) {
      const changes = service.takeChanges();
      if (changes === null) return;
      void store.write(changes);
      plain.record({ takeChanges: () => changes } as DurableService);
    },
    state: () => store.read()!,
    whole: () => plain.state(),
  };
}

/** Endpoints that were reset change their order among the others, which cannot be observed. */
const byId = (state: SavedState): SavedState => ({
  ...state,
  endpoints: [...state.endpoints].sort((a, b) => (a.id < b.id ? -1 : 1)),
  deliveries: [...state.deliveries].sort((a, b) => a.id - b.id),
  ids: [...state.ids].sort(),
  purged: [...state.purged].sort(),
});

it('rows read equal rows written, across restarts', async () => {
  await fc.assert(
    fc.asyncProperty(edition, dialect, commands, commands, async (ed, readings, first, then) => {
      const store = createMemoryStore();
      const keeper = keptTwice(store);
      const use = startUse({ edition: ed, dialect: readings }, keeper);
      for (const each of first) use.perform(each);
      await Promise.resolve();
      expect(byId(store.read()!)).toEqual(byId(keeper.whole()));
      const other = use.restarted();
      other.apply({ kind: 'resume' });
      for (const each of then) other.perform(each);
      await Promise.resolve();
      expect(byId(store.read()!)).toEqual(byId(keeper.whole()));
    }),
    { numRuns: 150 },
  );
});

it('the same on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-rows-'));
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(commands, commands, async (first, then) => {
      runs += 1;
      const store = await openDataFolder(join(folder, String(runs)), 'real');
      const plain = createStateRecorder();
      const use = startUse({}, plain);
      const written: Promise<void>[] = [];
      const keep = plain.record.bind(plain);
      plain.record = (service) => {
        const changes = service.takeChanges();
        if (changes === null) return;
        written.push(store.write(changes));
        keep({ takeChanges: () => changes } as DurableService);
      };
      for (const endpoint of ENDPOINTS) use.apply({ kind: 'create-endpoint', endpoint, workers: 1 });
      for (const each of [...first, ...then]) use.perform(each);
      await Promise.all(written);
      await store.probe();
      const kept = store.read();
      await store.close();
      expect(byId(kept!)).toEqual(byId(plain.state()));
    }),
    { numRuns: 5 },
  );
  rmSync(folder, { recursive: true });
});

it('no row of a deleted job is left', async () => {
  const store = createMemoryStore();
  const use = startUse({}, keptTwice(store));
  const secret = 'a text that nobody may find afterwards';
  use.request('POST', '/v2/a/run', { input: { secret }, webhook: 'http://hook.test/' });
  use.report(1, { kind: 'stream', output: secret });
  use.report(1, { kind: 'success', output: secret });
  await Promise.resolve();
  expect(JSON.stringify([...store.rows])).toContain(secret);
  use.hookEnded(1, 200);
  use.advance(30 * 60_000);
  await Promise.resolve();
  expect(JSON.stringify([...store.rows])).not.toContain(secret);
  expect([...store.rows.keys()].filter((key) => key.startsWith('job '))).toEqual([]);
});
