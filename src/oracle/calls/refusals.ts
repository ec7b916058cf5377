/**
 * Submissions without a flaw that were refused. What it was that made one special shows only beside the others of
 * the run: of all that it holds, that which was refused most often. So they are blamed at the end.
 */
import type { RequirementId } from '../../spec/index.js';
import type { Ledger } from '../ledger/ledger.js';

/** What holds a value: with everything in it accepted elsewhere, it was the value that was refused. */
const OF_VALUE: readonly RequirementId[] = [
  '4.1/payload-up-to-limit-accepted',
  '4.2/payload-up-to-limit-accepted',
  '2.3/any-provider-accepted',
  '2.1/webhook-accepted-run',
  '2.1/webhook-accepted-runsync',
  '2.1/policy-accepted-run',
  '2.1/policy-accepted-runsync',
  '2.1/input-content-not-validated',
];

/** What an input may be, whatever stands beside it. */
const OF_INPUT: readonly RequirementId[] = [
  '4.1/payload-up-to-limit-accepted',
  '4.2/payload-up-to-limit-accepted',
  '2.1/input-content-not-validated',
  '2.1/input-empty-accepted-run',
  '2.1/input-empty-accepted-runsync',
];

export function blameRefusals(ledger: Ledger): void {
  const refused = new Map<RequirementId, number>();
  for (const { features, times } of ledger.refusals.values())
    for (const id of features) refused.set(id, (refused.get(id) ?? 0) + times);
  const accepted = (id: RequirementId): number => ledger.entries.get(id)?.decided ?? 0;
  const blamed = [...ledger.refusals.values()].map((refusal) => {
    const shares = refusal.features.map((id) => {
      const no = refused.get(id) ?? 0;
      return { id, no, share: no / (no + accepted(id)) };
    });
    const most = Math.max(...shares.map(({ share }) => share));
    const likely = shares.filter(({ share }) => share === most);
    // Of what was refused each time that which explains most: a whole operation before what some of its calls hold, and before
    // it the input that all of them hold.
    const operation = likely.find(({ id }) => id.startsWith('4/operation-'));
    const inAll = likely.find(({ id, no }) => OF_INPUT.includes(id) && no === operation?.no);
    const widest = likely.reduce((one, other) => (other.no > one.no ? other : one));
    // One thing explains this and what another operation refused.
    const isOne =
      widest.no > (operation?.no ?? 0) && likely.every((one) => one === widest || one.no < widest.no);
    const value = most > 0.5 ? undefined : OF_VALUE.find((id) => refusal.features.includes(id));
    return { refusal, id: value ?? (inAll ?? (isOne ? widest : (operation ?? widest))).id };
  });
  for (const { refusal, id } of blamed) ledger.failTimes(id, refusal.failures, refusal.times);
}
