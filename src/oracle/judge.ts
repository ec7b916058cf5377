/** Judges a history: session by session, and each session by independent checks, one after the other. */
import { TARGET_GONE, type HistoryEvent, type RunEvent } from '../history/events.js';
import { WHOLE } from '../history/selection.js';
import type { RequirementId } from '../spec/index.js';
import { observeJobs, type ObservedJobs, type Job } from './jobs/observed-jobs.js';
import { isWaitingOrRunning, statusObservationsOf } from './jobs/status-observations.js';
import type { Findings, JudgeOptions } from './ledger/findings.js';
import { Ledger } from './ledger/ledger.js';
import { judgeCalls } from './calls/judge-calls.js';
import { judgeSecrets, judgeStorage } from './calls/s3-config.js';
import { attributeRefusals } from './calls/submissions.js';
import { attributeCounts } from './counts/wrong-counts.js';
import { settleServerErrors } from './calls/server-errors.js';
import { warnNeverAnswered, failNeverSuccessful } from './calls/implemented.js';
import { judgeQuestions } from './questions/judge-questions.js';
import { judgeCounts } from './counts/judge-counts.js';
import { judgeScaling } from './counts/judge-scaling.js';
import { settleAttributions } from './attribution/settle-attributions.js';
import { judgeEffects } from './effects/judge-effects.js';
import { settleConcurrency, settleErrors } from './rates/concurrency.js';
import { judgeRates } from './rates/judge-rates.js';
import { judgeResults } from './results/judge-results.js';
import { judgeStreams } from './results/judge-streams.js';
import { settleChangedValues } from './results/changed-values.js';
import { judgeWaits } from './results/judge-waits.js';
import { judgeWebhooks } from './webhooks/judge-webhooks.js';
import { judgeJob } from './judge-job.js';
import { RuleSet } from './model/rule-set.js';
import { ALL_UNITS, USUAL_UNITS, type TimeUnit } from './model/reported-times.js';
import { recordOf } from './observed/recorded-call.js';
import { UNKNOWN_START, jobStarts } from './jobs/start-windows.js';
import { JudgingContext, type JobKnowledge } from './context/judging-context.js';
import { batchesOf, type Batch, type Session } from './observed/session.js';
import { findingsOf } from './ledger/verdicts.js';

/**
 * Judges the events of one run, in the order in which they were recorded.
 * @throws if the first event is not of kind `run`: such a history does not say how it was recorded.
 *
 * @example
 *     import { readFile } from 'node:fs/promises';
 *     import { judge, type HistoryEvent } from 'runproof';
 *
 *     // Judges again what a check has recorded, for example with a newer version.
 *     export async function judgeAgain(path: string): Promise<void> {
 *       const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
 *       const { requirements } = judge(lines.map((line) => JSON.parse(line) as HistoryEvent));
 *       console.log(requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
 *     }
 *
 * @public
 */
export function judge(events: Iterable<HistoryEvent>, options: JudgeOptions = {}): Findings {
  const iterator = events[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true || first.value.kind !== 'run')
    throw new Error(
      'a history begins with a line of kind "run": is this file a history.ndjson written by Runproof?',
    );
  const run: RunEvent = {
    ...first.value,
    edition: options.edition ?? first.value.edition,
    graceMs: options.graceMs ?? first.value.graceMs,
  };
  const ledger = new Ledger(options.failuresMax);
  const without = new Set(options.without);
  const rest: Iterable<HistoryEvent> = { [Symbol.iterator]: () => iterator };
  for (const batch of batchesOf(run, rest)) judgeBatch(ledger, batch, without);
  ledger.settleWithheld();
  attributeRefusals(ledger, run);
  attributeCounts(ledger);
  settleChangedValues(ledger);
  settleConcurrency(ledger);
  settleErrors(ledger);
  settleAttributions(ledger, options.selection ?? run.selection ?? WHOLE);
  failNeverSuccessful(ledger);
  settleServerErrors(ledger);
  warnOfMissingWebhooks(ledger);
  warnNeverAnswered(ledger);
  defaultUnknown(ledger, run);
  if (ledger.targetGone)
    ledger.warn('the target stopped answering: whatever had not been observed by then is undecided');
  return findingsOf(ledger, run, run.edition);
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
function warnOfMissingWebhooks(ledger: Ledger): void {
  if (ledger.webhookCame || ledger.silentPrivateUrl === null) return;
  const host = ledger.silentPrivateUrl.split('/')[2]!;
  ledger.warn(
    `no webhook arrived at ${host}: a target that cannot reach this address, or refuses to call private ` +
      'networks (the document leaves that open), needs another one: set --webhook-listen and --webhook-url',
  );
}

/** Shorter lags of the harness are not reported. */
const LAG_REPORTED_MS = 1_000;

function judgeBatch(ledger: Ledger, batch: Batch, without: ReadonlySet<RequirementId>): void {
  const endpoints = batch.map((session) => ({ session, observedJobs: observeJobs(session) }));
  for (const one of endpoints)
    judgeSession(
      ledger,
      one.session,
      one.observedJobs,
      endpoints.filter((other) => other !== one),
      without,
    );
  for (const { outcome, reason, harnessLagMs = 0 } of batch[0]?.ends.values() ?? []) {
    if (reason === TARGET_GONE) ledger.targetGone = true;
    else if (outcome === 'aborted') ledger.warn(`a script was aborted: ${reason ?? 'no reason given'}`);
    if (harnessLagMs > LAG_REPORTED_MS)
      ledger.warn(
        'the harness itself ran late during a script: events due at that time may be late by as much',
      );
  }
}

function judgeSession(
  ledger: Ledger,
  session: Session,
  observedJobs: ObservedJobs,
  otherEndpoints: JudgingContext['otherEndpoints'],
  without: ReadonlySet<RequirementId>,
): void {
  const known: JobKnowledge[] = [];
  const context = new JudgingContext(ledger, session, observedJobs, known, otherEndpoints);
  const scenarios = new Set([...session.scripts.values()].map(({ scenario }) => scenario));
  ledger.scenario = scenarios.size === 1 ? [...scenarios][0]! : '';
  judgeCalls(context);
  judgeSecrets(context);
  judgeStorage(context);
  const { graceMs, earlyMs } = session.run;
  const rules = new RuleSet(
    graceMs,
    earlyMs,
    possibleUnits(ledger, observedJobs, context.graceMax),
    without,
    session.lags,
  );
  const windows = jobStarts(rules, session, observedJobs);
  for (const job of observedJobs.jobs)
    known.push(judgeJob(context, rules, job, windows.get(job.id) ?? UNKNOWN_START));
  judgeWaits(context);
  judgeResults(context);
  judgeStreams(context);
  judgeWebhooks(context);
  judgeCounts(context);
  judgeScaling(context);
  judgeEffects(context);
  judgeRates(context);
  judgeQuestions(context);
}

/**
 * The units that this run's target may use, as far as it has been judged. Units finer than milliseconds are considered
 * only after a reported time that is longer than the job existed: otherwise any time that is too long could be
 * interpreted as a short one in a finer unit.
 */
function possibleUnits(ledger: Ledger, { jobs }: ObservedJobs, graceMs: number): readonly TimeUnit[] {
  ledger.timesAreFine ||= jobs.some((job) => reportsImpossibleTimes(job, graceMs));
  return ledger.timesAreFine ? ALL_UNITS : USUAL_UNITS;
}

function reportsImpossibleTimes(job: Job, graceMs: number): boolean {
  return statusObservationsOf(job).some(({ call, observed }) => {
    if (observed === 'GONE' || isWaitingOrRunning(observed)) return false;
    const livedMs = call.receivedMs! - job.submitted.sentMs + graceMs;
    const { delayTime, executionTime } = recordOf(call) ?? {};
    return Math.max(Number(delayTime ?? 0), Number(executionTime ?? 0)) > livedMs;
  });
}
