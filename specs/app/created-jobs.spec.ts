/** The ledger knows which jobs may still be alive, whoever made them. */
import { expect, it } from 'vitest';
import { createFileLedger } from '../../src/app/files/created-jobs.js';
import { warningsOf } from '../../src/app/run-warnings.js';

it('a job of the probe that is not known to have ended is told as left behind', () => {
  const ledger = createFileLedger();
  for (const job of ['probe', 'other']) ledger.created('test', job);
  ledger.ended('test', 'other');
  expect(ledger.open()).toEqual(['test/probe']);
  const played = { summary: { leftBehind: [] }, wallMs: 0, ending: 'interrupted', events: [] };
  expect(warningsOf(played as never, played as never, null, ledger.open(), 'out/jobs.ndjson')).toEqual([
    'left behind, could not be ended: test/probe; later: runproof clean out/jobs.ndjson',
  ]);
});
