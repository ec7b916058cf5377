/** Judges a history: session by session, and each session by independent checks, one after the other. */
import { inPresentWords } from '../history/earlier-words.js';
import { TARGET_GONE, type HistoryEvent, type RunEvent } from '../history/events.js';
import { WHOLE, type RunSelection } from '../history/selection.js';
import { requirement, type RequirementId } from '../spec/index.js';
import type { Findings, JudgeOptions } from './ledger/findings.js';
import { Ledger } from './ledger/ledger.js';
import { attributeRefusals } from './calls/submissions.js';
import { attributeCounts } from './counts/wrong-counts.js';
import { settleServerErrors } from './calls/server-errors.js';
import { settleKeys } from './calls/keys.js';
import { settleUnanswered } from './calls/at-once.js';
import { warnNeverAnswered, failNeverSuccessful } from './calls/implemented.js';
import { settleMissingRoutes } from './calls/missing-routes.js';
import { judgeIdleWorkers } from './counts/idle-workers.js';
import { judgeSharedCounts } from './counts/shared-counts.js';
import { endpointJobsOf } from './jobs/endpoint-jobs.js';
import { settleAttributions } from './attribution/settle-attributions.js';
import { KEPT_WORKERS, keptWorkers } from './effects/kept-workers.js';
import { judgeOwnCancels } from './rates/own-cancels.js';
import { settleConcurrency, settleErrors } from './rates/concurrency.js';
import { settleChangedValues } from './results/changed-values.js';
import { settleMissedCalls } from './webhooks/missed-calls.js';
import { seconds } from './observed/recorded-call.js';
import { Occurring } from './in-traffic/situations.js';
import { partsOf } from './observed/life-parts.js';
import { lostKeyIn, unansweredFrom, type LostKey } from './observed/lost-key.js';
import { ALWAYS, lifeOf, type TargetLife } from './observed/target-life.js';
import { findingsOf } from './ledger/verdicts.js';
import { judgeBatch } from './judge-session.js';
import { Batches, type Batch } from './observed/session.js';

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
  let judging: Judging | null = null;
  for (const event of events) {
    if (judging === null) judging = new Judging(event, options);
    else judging.see(event);
  }
  return (judging ?? new Judging(undefined, options)).findings();
}

/** Judges a run while it goes on, as far as that is possible: in real time it is seen at the end when the target lived. */
export class Judging {
  readonly #run: RunEvent;
  readonly #options: JudgeOptions;
  readonly #events: HistoryEvent[] = [];
  readonly #judged: JudgedBatches | null;
  /** Of recorded traffic. */
  readonly #occurring: Occurring | null;

  /** @throws if the first event is not of kind `run` */
  constructor(first: HistoryEvent | undefined, options: JudgeOptions) {
    if (first?.kind !== 'run')
      throw new Error(
        'a history begins with a line of kind "run": is this file a history.ndjson written by Runproof?',
      );
    this.#run = {
      ...first,
      edition: options.edition ?? first.edition,
      graceMs: options.graceMs ?? first.graceMs,
    };
    this.#options = options;
    this.#occurring = first.capture === undefined ? null : new Occurring();
    this.#judged = this.#run.clock === 'real' ? null : new JudgedBatches(this.#run, ALWAYS, options);
  }

  see(recorded: HistoryEvent): void {
    const event = inPresentWords(recorded);
    if (event.kind === 'call') this.#occurring?.see(event);
    if (this.#judged === null) this.#events.push(event);
    else this.#judged.see(event);
  }

  /** Once, when all has been seen. */
  findings(): Findings {
    const ledger = this.#judged?.settled() ?? ledgerInRealTime(this.#run, this.#events, this.#options);
    return findingsOf(ledger, this.#run, this.#run.edition, this.#occurring);
  }
}

/** Says of what stays open because the target was lost, or because the harness ran late, that this is the reason. */
function ledgerInRealTime(run: RunEvent, seen: readonly HistoryEvent[], options: JudgeOptions): Ledger {
  const lostKey = lostKeyIn(run, seen);
  const events = lostKey === null ? seen : unansweredFrom(seen, lostKey.sinceMs);
  const life = lifeOf(run, events);
  const ledger = ledgerOf(run, events, life, options, lostKey);
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
  events: readonly HistoryEvent[],
  life: TargetLife,
  options: JudgeOptions,
  lostKey: LostKey | null = null,
): Ledger {
  const judged = new JudgedBatches(run, life, options);
  if (lostKey !== null) judged.because = whyGone(lostKey);
  for (const event of events) judged.see(event);
  return judged.settled((ledger) => judgeWholeRun(ledger, run, events, life));
}

const whyGone = ({ sinceMs, calls }: LostKey): string =>
  `the key was refused from ${seconds(sinceMs)} on: each of the ${calls} calls with it since then was answered 401, and none before`;

/** Judges batch by batch. */
class JudgedBatches {
  readonly #run: RunEvent;
  readonly #life: TargetLife;
  readonly #selection: RunSelection;
  readonly #without: ReadonlySet<RequirementId>;
  readonly #batches: Batches;
  readonly #ledger: Ledger;

  set because(reason: string) {
    this.#ledger.goneBecause = reason;
  }

  constructor(run: RunEvent, life: TargetLife, { failuresMax, without, selection }: JudgeOptions) {
    this.#run = run;
    this.#life = life;
    this.#selection = selection ?? run.selection ?? WHOLE;
    this.#without = new Set(without);
    this.#batches = new Batches(run);
    this.#ledger = new Ledger(failuresMax);
  }

  see(event: HistoryEvent): void {
    const batch = this.#batches.see(event);
    if (batch !== null) this.#judge(batch);
  }

  settled(wholeRun: (ledger: Ledger) => void = () => undefined): Ledger {
    for (const batch of this.#batches.rest()) this.#judge(batch);
    const ledger = this.#ledger;
    ledger.targetGone ||= this.#life.isOver;
    settle(ledger, this.#run, this.#selection, () => wholeRun(ledger));
    defaultUnknown(ledger, this.#run);
    if (ledger.targetGone)
      ledger.warn(`${ledger.goneBecause}: whatever had not been observed by then is undecided`);
    return ledger;
  }

  #judge(batch: Batch): void {
    noteEnds(this.#ledger, batch);
    for (const part of partsOf(batch, this.#life)) judgeBatch(this.#ledger, part, this.#without);
  }
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
  settleUnanswered(ledger);
  settleAttributions(ledger, selection);
  settleMissingRoutes(ledger);
  settleKeys(ledger);
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
  judgeOwnCancels(ledger, run, events);
  const known = endpointJobsOf(run, events, life);
  if (known === null) return;
  judgeSharedCounts(ledger, run, known);
  judgeIdleWorkers(ledger, run, known);
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

/** How the scripts of a batch ended. */
function noteEnds(ledger: Ledger, batch: Batch): void {
  for (const { outcome, reason } of batch[0]?.ends.values() ?? [])
    if (reason === TARGET_GONE) ledger.targetGone = true;
    else if (outcome === 'aborted') ledger.warn(`a script was aborted: ${reason ?? 'no reason given'}`);
}
