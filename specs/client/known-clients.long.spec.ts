import { expect, it } from 'vitest';
import { drift } from '../../proof/known-clients/check.js';
import { KNOWN_CLIENTS } from '../../proof/known-clients/clients.js';
import { readResults, unconfirmed } from '../../proof/known-clients/results.js';
import { findClient } from '../../proof/known-clients/run.js';
import { drawnByCommit } from '../support/whole.js';

/**
 * Official clients are judged, unmodified, under the conditions that docs/clients.md is about: `npm run clients -- --check`.
 * The commit draws one in two of the programs that use a client; `WHOLE=1` takes all.
 */

/** With its faults planted below, where nothing else may be said of it: that judges it, too. */
const PLANTED = 'sdk-status.mjs';

for (const client of KNOWN_CLIENTS) {
  const programs = Object.entries(client.programs).filter(([program]) => program !== PLANTED);
  const drawn = { ...client, programs: Object.fromEntries(drawnByCommit(programs, 2)) };
  const found = findClient(client);
  it.skipIf(typeof found === 'string')(
    `docs/clients.md says of ${client.name} what it does${typeof found === 'string' ? ` (${found})` : ''}`,
    { timeout: 300_000 },
    async () => {
      if (typeof found === 'string') return;
      expect(await drift(drawn, found)).toEqual([]);
    },
  );
}

it('each violation has its place in the source, and the check notices what is not so', async () => {
  const results = readResults();
  expect(unconfirmed(results)).toEqual([]);
  const sdk = KNOWN_CLIENTS.find(({ name }) => name === 'runpod-sdk')!;
  const found = findClient(sdk);
  if (typeof found === 'string') throw new Error(found);
  const { kept, broken } = results[PLANTED]!;
  const planted = { 'client/backs-off': ['job-fails'], ...broken };
  const wrong = await drift(
    {
      ...sdk,
      programs: { [PLANTED]: '' },
      findings: [{ rule: 'client/backs-off', does: '', where: '', line: 'no such line' }],
    },
    { ...found, version: '0.0.0' },
    { [PLANTED]: { version: '', kept, broken: planted } },
  );
  expect(wrong).toEqual([
    'src/index.ts of runpod-sdk no longer has the line of client/backs-off: no such line',
    'runpod-sdk 0.0.0 is installed, and clients.ts says 1.1.2',
    'sdk-status.mjs does not violate client/backs-off under job-fails',
  ]);
  expect(unconfirmed({ [PLANTED]: { version: '', kept, broken: planted } })).toContain(
    'runpod-sdk violates client/backs-off: name the place in clients.ts',
  );
});
