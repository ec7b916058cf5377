/** What calls that were refused too early, and crowds that were accepted, show beside each other. */
import { expect, test } from 'vitest';
import { Ledger } from '../../../src/oracle/ledger/ledger.js';
import { settleConcurrency } from '../../../src/oracle/rates/concurrency.js';
import type { RequirementId } from '../../../src/spec/index.js';

const seen = { script: 0, scenario: 'told', actual: 'told', proof: [], calls: [1], originMs: 0 };
const failedIn = ({ entries }: Ledger): readonly RequirementId[] =>
  [...entries].flatMap(([id, { failed }]) => (failed > 0 ? [id] : []));

test.each([false, true])(
  'a limit that is too low (%s) does not show when a call starts to count',
  (isLow) => {
    const ledger = new Ledger();
    const { concurrency: crowds } = ledger;
    crowds.enforced = true;
    crowds.fromHeaders = true;
    crowds.accepted.push({ op: 'run', held: true, seen });
    if (isLow) crowds.refused.push({ op: 'runsync', seen });
    settleConcurrency(ledger);
    expect(failedIn(ledger)).toEqual([isLow ? '8/concurrency-runsync-below' : '8/concurrency-run-above']);
  },
);

test.each([false, true])('a rate that is too low without other calls (%s) explains both', (isLow) => {
  const ledger = new Ledger();
  ledger.concurrency.byOthers.push({ own: '8/rate-cancel-below', seen });
  if (isLow) ledger.fail('8/rate-cancel-below', seen);
  settleConcurrency(ledger);
  expect(failedIn(ledger)).toEqual([isLow ? '8/rate-cancel-below' : '8/rate-per-operation']);
});
