/** Judges a history: session by session, and each session by independent checks, one after the other. */
import { TARGET_GONE, type HistoryEvent, type RunEvent } from '../history/events.js';
import { WHOLE, type RunSelection } from '../history/selection.js';
import { requirement, type RequirementId } from '../spec/index.js';
import { observeJobs, type ObservedJobs, type Job } from './jobs/observed-jobs.js';
import { isWaitingOrRunning } from './jobs/status-observations.js';
import type { Findings, JudgeOptions } from './ledger/findings.js';
import { Ledger } from './ledger/ledger.js';
import { judgeCalls } from './calls/judge-calls.js';
import { judgeSecrets, judgeStorage } from './calls/s3-config.js';
import { attributeRefusals } from './calls/submissions.js';
import { attributeCounts } from './counts/wrong-counts.js';
import { settleServerErrors } from './calls/server-errors.js';
import { warnNeverAnswered, failNeverSuccessful } from './calls/implemented.js';
import { settleMissingRoutes } from './calls/missing-routes.js';
import { judgeQuestions } from './questions/judge-questions.js';
import { judgeCounts } from './counts/judge-counts.js';
import { judgeSharedCounts } from './counts/shared-counts.js';
import { endpointJobsOf } from './jobs/endpoint-jobs.js';
import { judgeScaling } from './counts/judge-scaling.js';
import { settleAttributions } from './attribution/settle-attributions.js';
import { judgeEffects } from './effects/judge-effects.js';
import { KEPT_WORKERS, keptWorkers } from './effects/kept-workers.js';
import { settleConcurrency, settleErrors } from './rates/concurrency.js';
import { judgeRates } from './rates/judge-rates.js';
import { judgeResults } from './results/judge-results.js';
import { judgeStreams } from './results/judge-streams.js';
import { settleChangedValues } from './results/changed-values.js';
import { settleMissedCalls } from './webhooks/missed-calls.js';
import { judgeWaits } from './results/judge-waits.js';
import { judgeWebhooks } from './webhooks/judge-webhooks.js';
import { judgeJob } from './judge-job.js';
import { RuleSet } from './model/rule-set.js';
import { ALL_UNITS, USUAL_UNITS, type TimeUnit } from './model/reported-times.js';
import { recordOf, seconds } from './observed/recorded-call.js';
import { partsOf } from './observed/life-parts.js';
import { ALWAYS, lifeOf, type TargetLife } from './observed/target-life.js';
import { UNKNOWN_START, jobStarts } from './jobs/start-windows.js';
import { JudgingContext } from './context/judging-context.js';
import { Life } from './context/life.js';
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
  const rest: Iterable<HistoryEvent> = { [Symbol.iterator]: () => iterator };
  const ledger =
    run.clock === 'real' ? ledgerInRealTime(run, [...rest], options) : ledgerOf(run, rest, ALWAYS, options);
  return findingsOf(ledger, run, run.edition);
}

/** Says of what stays open because the target was lost, or because the harness ran late, that this is the reason. */
function ledgerInRealTime(run: RunEvent, events: readonly HistoryEvent[], options: JudgeOptions): Ledger {
  const life = lifeOf(run, events);
  const ledger = ledgerOf(run, events, life, options);
  warnOfLosses(ledger, life);
  if (life.periods.length > 1) {
    const unbroken = ledgerOf(run, events, ALWAYS, options);
    explainOpen(ledger, unbroken, 'the target was lost meanwhile, and may have forgotten what was pending');
  }
  const lagMs = events.reduce(
    (mostMs, event) => Math.max(mostMs, event.kind === 'script-end' ? (event.harnessLagMs ?? 0) : 0),
    0,
  );
  const { speed = 1 } = run;
  if (lagMs > LAG_REPORTED_MS * speed) {
    const late = `the harness itself ran late, by up to ${seconds(lagMs / speed)}`;
    const onTime = ledgerOf(run, withoutLags(events), life, options);
    const open = explainOpen(ledger, onTime, `${late}, so that it is not certain what came too late`);
    const musts = open.filter((id) => requirement(id).level === 'must').length;
    const left = musts === 0 ? 'that left no must open' : `${pluralMusts(musts)} open because of that`;
    ledger.warn(`${late}: ${left}`);
  }
  return ledger;
}

const pluralMusts = (count: number): string => (count === 1 ? 'one must stays' : `${count} musts stay`);

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

function withoutLags(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  return events.map((event) => {
    if (event.kind !== 'call' && event.kind !== 'script-end') return event;
    if (event.harnessLagMs === undefined) return event;
    if (event.kind === 'call') {
      const { harnessLagMs: _, ...call } = event;
      return call;
    }
    const { harnessLagMs: _, harnessLags: __, ...end } = event;
    return end;
  });
}

function ledgerOf(
  run: RunEvent,
  events: Iterable<HistoryEvent>,
  life: TargetLife,
  options: JudgeOptions,
): Ledger {
  const ledger = new Ledger(options.failuresMax);
  const without = new Set(options.without);
  for (const batch of batchesOf(run, events)) {
    noteEnds(ledger, batch);
    for (const part of partsOf(batch, life)) judgeBatch(ledger, part, without);
  }
  ledger.targetGone ||= life.isOver;
  settle(ledger, run, options.selection ?? run.selection ?? WHOLE, () => {
    if (run.clock === 'real') judgeWholeRun(ledger, run, [...events], life);
  });
  defaultUnknown(ledger, run);
  if (ledger.targetGone)
    ledger.warn('the target stopped answering: whatever had not been observed by then is undecided');
  return ledger;
}

/**
 * Settles at the end of the run what single calls and jobs left open. Each step may ask whether a requirement has failed, so
 * those that name what they saw for certain come before those that choose by it:
 *
 * 1. passes that waited for a proof, and refused submissions: they ask nothing of the others;
 * 2. counters of the whole run and of single answers: they rest on jobs, also on those that are not settled yet;
 * 3. changed values, limits of section 8 and webhooks that did not come: each asks for failures of its own section;
 * 4. jobs without explanation, which all that has failed by now helps to name;
 * 5. operations that are missing or never succeed, what rests on requirements that failed, and server errors: they are told only
 *    where nothing else says it.
 */
function settle(ledger: Ledger, run: RunEvent, selection: RunSelection, wholeRun: () => void): void {
  ledger.settleWithheld();
  attributeRefusals(ledger, run);
  wholeRun();
  attributeCounts(ledger);
  settleChangedValues(ledger);
  settleConcurrency(ledger);
  settleErrors(ledger);
  settleMissedCalls(ledger, run);
  settleAttributions(ledger, selection);
  settleMissingRoutes(ledger);
  ledger.settleResting();
  failNeverSuccessful(ledger);
  settleServerErrors(ledger);
  warnOfMissingWebhooks(ledger);
  warnNeverAnswered(ledger);
}

/** What concerns all jobs of a shared endpoint, which is judged in parts. */
function judgeWholeRun(
  ledger: Ledger,
  run: RunEvent,
  events: readonly HistoryEvent[],
  life: TargetLife,
): void {
  const known = endpointJobsOf(run, events, life);
  if (known === null) return;
  judgeSharedCounts(ledger, run, known);
  const kept = keptWorkers(run, known);
  if (kept !== null) ledger.fail(KEPT_WORKERS, kept);
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

/** A restarted target may have forgotten what was pending. */
function warnOfLosses(ledger: Ledger, { periods }: TargetLife): void {
  const [first, ...others] = periods;
  if (first === undefined || others.length === 0) return;
  const times = others.length === 1 ? 'once' : `${others.length} times`;
  ledger.warn(
    `the target was lost ${times} and came back, first after ${seconds(Math.max(0, first.livedUntilMs))}: ` +
      'jobs that lived then, and what was due then, are judged only up to that moment',
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
}

/** How the scripts of a batch ended. */
function noteEnds(ledger: Ledger, batch: Batch): void {
  for (const { outcome, reason } of batch[0]?.ends.values() ?? [])
    if (reason === TARGET_GONE) ledger.targetGone = true;
    else if (outcome === 'aborted') ledger.warn(`a script was aborted: ${reason ?? 'no reason given'}`);
}

function judgeSession(
  ledger: Ledger,
  session: Session,
  observedJobs: ObservedJobs,
  otherEndpoints: JudgingContext['otherEndpoints'],
  without: ReadonlySet<RequirementId>,
): void {
  const context = new JudgingContext(ledger, session, observedJobs, otherEndpoints);
  const scenarios = new Set([...session.scripts.values()].map(({ scenario }) => scenario));
  ledger.scenario = scenarios.size === 1 ? [...scenarios][0]! : '';
  const { graceMs, earlyMs } = session.run;
  const rules = new RuleSet(
    graceMs,
    earlyMs,
    possibleUnits(ledger, observedJobs, context.graceMax),
    without,
    session.lags,
  );
  const windows = jobStarts(rules, session, observedJobs);
  context.lives = observedJobs.jobs.map(
    (job) => new Life(context, job, judgeJob(context, rules, job, windows.get(job.id) ?? UNKNOWN_START)),
  );
  judgeCalls(context);
  judgeSecrets(context);
  judgeStorage(context);
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
  return job.reads.some(({ call, observed }) => {
    if (observed === 'GONE' || isWaitingOrRunning(observed)) return false;
    const livedMs = call.receivedMs! - job.submitted.sentMs + graceMs;
    const { delayTime, executionTime } = recordOf(call) ?? {};
    return Math.max(Number(delayTime ?? 0), Number(executionTime ?? 0)) > livedMs;
  });
}
