/** From what was shown to findings: settles what single calls and jobs leave open, once, when nothing more is to be seen. */
import type { RunEvent } from '../history/events.js';
import { isSelected, type RunSelection } from '../history/selection.js';
import { requirement, REQUIREMENTS, type RequirementId } from '../spec/index.js';
import type { Evidence, Judged } from './evidence.js';
import type { Findings } from './ledger/findings.js';
import type { Ledger } from './ledger/ledger.js';
import { attributeRefusals } from './calls/submissions.js';
import { settlePurges } from './counts/judge-counts.js';
import { attributeCounts } from './counts/wrong-counts.js';
import { settleServerErrors } from './calls/server-errors.js';
import { settleKeys } from './calls/keys.js';
import { settleUnanswered } from './calls/at-once.js';
import { warnNeverAnswered, failNeverSuccessful } from './calls/implemented.js';
import { settleMissingRoutes } from './calls/missing-routes.js';
import { settleAttributions } from './attribution/settle-attributions.js';
import { settleConcurrency, settleErrors } from './rates/concurrency.js';
import { settleChangedValues } from './results/changed-values.js';
import { settleMissedCalls } from './webhooks/missed-calls.js';
import { seconds } from '../util/duration.js';
import { findingsOf } from './ledger/verdicts.js';

/**
 * Uses the evidence up: it is settled once. Says of what stays open because the target was lost, or because the harness ran
 * late, that this is the reason.
 */
export function settled(evidence: Evidence): Findings {
  const { run, selection, occurring, unbroken, onTime, lagMs, lossesMs } = evidence;
  const ledgerOf = (judged: Judged): Ledger => settledLedger(judged, run, selection);
  const ledger = ledgerOf(evidence.seen);
  warnOfLosses(ledger, lossesMs);
  if (unbroken !== null)
    explainOpen(
      ledger,
      ledgerOf(unbroken),
      'the target was lost at that time, and may have forgotten pending work',
    );
  if (onTime !== null) {
    const late = `Runproof itself ran late, by up to ${seconds(lagMs / (run.speed ?? 1))}`;
    const open = explainOpen(ledger, ledgerOf(onTime), `${late}, so it is not certain which side was late`);
    const musts = open.filter((id) => requirement(id).level === 'must').length;
    const left =
      musts === 0
        ? 'no required rule stays undecided because of that'
        : `${pluralMusts(musts)} undecided because of that`;
    ledger.warn(`${late}: ${left}`);
  }
  return findingsOf(ledger, run, run.edition, occurring);
}

const pluralMusts = (count: number): string =>
  count === 1 ? 'one required rule stays' : `${count} required rules stay`;

/** What is decided in the other ledger only is open for this reason. */
function explainOpen(ledger: Ledger, other: Ledger, reason: string): readonly RequirementId[] {
  const open: RequirementId[] = [];
  for (const [id, { decided }] of other.entries)
    if (decided > 0 && (ledger.entries.get(id)?.decided ?? 0) === 0) {
      open.push(id);
      ledger.inconclusive(id, reason, decided);
    }
  return open;
}

function settledLedger({ ledger, wholeRun }: Judged, run: RunEvent, selection: RunSelection): Ledger {
  settle(ledger, run, selection, () => wholeRun(ledger));
  defaultUnknown(ledger, run);
  if (ledger.targetGone)
    ledger.warn(`${ledger.goneBecause}: whatever had not been observed by then is undecided`);
  return ledger;
}

/**
 * Settles at the end of the run what single calls and jobs left open. Each step may ask whether a requirement has failed, so
 * those that name what they saw for certain come before those that choose by it:
 *
 * 1. passes that waited for a proof, and refused submissions: they ask nothing of the others;
 * 2. what purges removed, counters of the whole run and of single answers: they rest on jobs, also on those that are not settled yet;
 * 3. changed values, limits of section 8 and webhooks that did not come: each asks for failures of its own section;
 * 4. jobs without explanation, which all that has failed by now helps to name;
 * 5. operations that are missing or never succeed, what rests on requirements that failed, and server errors: they are told only
 *    where nothing else says it.
 */
function settle(ledger: Ledger, run: RunEvent, selection: RunSelection, wholeRun: () => void): void {
  ledger.settleWithheld();
  attributeRefusals(ledger, run);
  settlePurges(ledger);
  wholeRun();
  attributeCounts(ledger);
  settleChangedValues(ledger);
  settleConcurrency(ledger);
  settleErrors(ledger);
  settleMissedCalls(ledger, run);
  settleUnanswered(ledger);
  settleAttributions(ledger, selection);
  settleMissingRoutes(ledger);
  settleKeys(ledger);
  ledger.settleResting();
  failNeverSuccessful(ledger);
  settleServerErrors(ledger);
  warnOfMissingWebhooks(ledger, selection);
  warnNeverAnswered(ledger);
}

/** An endpoint may have its own default (2.2): it cannot be checked unless it is stated. */
function defaultUnknown(ledger: Ledger, { executionTimeoutDefaultMs = null }: RunEvent): void {
  if (executionTimeoutDefaultMs !== null) return;
  const reason =
    "the endpoint's own default is unknown: state it with --execution-timeout-default (10m is the document's)";
  ledger.inconclusive('2.2/execution-timeout-default-enforced', reason);
  ledger.inconclusive('2.2/execution-timeout-default-not-early', reason);
}

/** The target may be unable, or refuse, to reach the receiver; a target that promises webhooks is checked all the same. */
function warnOfMissingWebhooks(ledger: Ledger, selection: RunSelection): void {
  if (ledger.webhookCame || ledger.silentPrivateUrl === null) return;
  if (!REQUIREMENTS.some(({ id, section }) => section === '6' && isSelected(selection, id))) return;
  const host = ledger.silentPrivateUrl.split('/')[2]!;
  ledger.warn(
    `no webhook arrived at ${host}: a target that cannot reach this address, or refuses to call private ` +
      'networks (the document leaves that open), needs another one: set --webhook-listen and --webhook-url',
  );
}

/** A restarted target may have forgotten what was pending. */
function warnOfLosses(ledger: Ledger, lossesMs: readonly number[]): void {
  const [firstMs] = lossesMs;
  if (firstMs === undefined) return;
  const times = lossesMs.length === 1 ? 'once' : `${lossesMs.length} times`;
  ledger.warn(
    `the target was lost ${times} and came back, first after ${seconds(Math.max(0, firstMs))}: ` +
      'jobs that lived then, and what was due then, are judged only up to that moment',
  );
}
