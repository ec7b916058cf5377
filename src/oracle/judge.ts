/** Judges a history: session by session, layer by layer, each sound alone. */
import { TARGET_GONE, type HistoryEvent, type RunEvent } from '../history/events.js';
import { castOf, isLarge, type Cast, type Job } from './cases.js';
import { unitsOf } from './fine-times.js';
import type { Findings, JudgeOptions } from './findings.js';
import { Ledger } from './ledger.js';
import { judgeCalls } from './calls/judge-calls.js';
import { judgeSecrets } from './calls/secrets.js';
import { blameRefusals } from './calls/refusals.js';
import { blameCounts } from './counts/blame-counts.js';
import { neverServed } from './calls/served.js';
import { judgeReadings } from './calls/job-readings.js';
import { judgeCounts } from './counts/judge-counts.js';
import { blame } from './effects/blame.js';
import { judgeEffects } from './effects/judge-effects.js';
import { settleCrowds } from './rates/crowds.js';
import { judgeRates } from './rates/judge-rates.js';
import { judgeResults } from './results/judge-results.js';
import { judgeStreams } from './results/judge-streams.js';
import { judgeWaits } from './results/judge-waits.js';
import { judgeWebhooks } from './webhooks/judge-webhooks.js';
import { narrowByLooks } from './life/between-looks.js';
import { Context } from './life/context.js';
import { decide, measureLateness } from './life/decisions.js';
import { explainedAnew, judgeLife } from './life/job.js';
import { Contradicted, Unknown, type KnownLife } from './life/known.js';
import type { Step } from './life/linearize.js';
import { replay, UNKNOWN, windowsOf, type Window } from './windows.js';
import { Scene, type Known } from './scene.js';
import { countedSinceMs } from './counts/counted-since.js';
import { batchesOf, type Batch, type Session } from './session.js';
import { findingsOf } from './verdicts.js';
import type { Place } from './life/hypothesis.js';
import { hasRequeued, placesAt } from './life/told-by.js';

/**
 * Judges the events of one run, in the order in which they were recorded.
 * Throws when the first event is not the run's own: such a history does not say what it was made of.
 */
export function judge(events: Iterable<HistoryEvent>, options: JudgeOptions = {}): Findings {
  const iterator = events[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true || first.value.kind !== 'run')
    throw new Error('a history begins with a line of kind "run"; is this file a history.ndjson of Runproof?');
  const run: RunEvent = {
    ...first.value,
    edition: options.edition ?? first.value.edition,
    graceMs: options.graceMs ?? first.value.graceMs,
  };
  const ledger = new Ledger();
  const rest: Iterable<HistoryEvent> = { [Symbol.iterator]: () => iterator };
  for (const batch of batchesOf(run, rest)) judgeBatch(ledger, batch);
  ledger.settleWithheld();
  blameRefusals(ledger);
  blameCounts(ledger);
  settleCrowds(ledger);
  neverServed(ledger);
  neverCalled(ledger);
  if (ledger.targetGone) ledger.warn('the target stopped answering: what was not seen by then is undecided');
  return findingsOf(ledger, run, run.edition);
}

/** The receiver may stand where the target cannot, or will not, reach it; who promises webhooks is held to them all the same. */
function neverCalled(ledger: Ledger): void {
  if (ledger.webhookCame || ledger.silentPrivateUrl === null) return;
  const host = ledger.silentPrivateUrl.split('/')[2]!;
  ledger.warn(
    `no webhook ever came to ${host}: a target that cannot reach that address, or calls none within a private ` +
      'network (the document does not say), wants another one, by --webhook-listen and --webhook-url',
  );
}

/** Shorter pauses of the harness are told to nobody. */
const LAG_TOLD_MS = 1_000;

function judgeBatch(ledger: Ledger, batch: Batch): void {
  const endpoints = batch.map((session) => ({ session, cast: castOf(session) }));
  for (const one of endpoints)
    judgeSession(
      ledger,
      one.session,
      one.cast,
      endpoints.filter((other) => other !== one),
    );
  for (const { outcome, reason, harnessLagMs = 0 } of batch[0]?.ends.values() ?? []) {
    if (reason === TARGET_GONE) ledger.targetGone = true;
    else if (outcome === 'aborted') ledger.warn(`a script was aborted: ${reason ?? 'no reason given'}`);
    if (harnessLagMs > LAG_TOLD_MS)
      ledger.warn(
        'the harness itself ran late while a script played: what was due just then may be late by as much',
      );
  }
}

function judgeSession(ledger: Ledger, session: Session, cast: Cast, beside: Scene['beside']): void {
  const known: Known[] = [];
  const scene = new Scene(ledger, session, cast, known, beside);
  const scenarios = new Set([...session.scripts.values()].map(({ scenario }) => scenario));
  ledger.scenario = scenarios.size === 1 ? [...scenarios][0]! : '';
  judgeCalls(scene);
  judgeSecrets(scene);
  const { graceMs, earlyMs } = session.run;
  const ctx = new Context(graceMs, earlyMs, unitsOf(ledger, cast, scene.graceMax), new Set(), session.lags);
  const windows = windowsOf(ctx, session, cast);
  for (const job of cast.jobs) known.push(judgeJob(scene, ctx, job, windows.get(job.id) ?? UNKNOWN));
  judgeWaits(scene);
  judgeResults(scene);
  judgeStreams(scene);
  judgeWebhooks(scene);
  judgeCounts(scene);
  judgeEffects(scene);
  judgeRates(scene);
  judgeReadings(scene);
}

const NO_PROBES: Known['probes'] = new Map();
const NONE_REQUEUED: Known['requeued'] = new Map();
/** Nothing else is judged of such a job. */
const STRAYED = new Unknown('what a call by another method has done is its own affair');

/** One job's life: its breach goes to the ledger, and what is known of it is kept for the layers above. */
function judgeJob(scene: Scene, ctx: Context, job: Job, { window, followed }: Window): Known {
  const { ledger } = scene;
  const life = job.life.within(window);
  // Of most jobs there is nothing to keep, and there are many of them.
  let probes: Map<number, ReadonlySet<Place>> | null = null;
  let requeued: Map<number, boolean> | null = null;
  const known = (found: KnownLife, places: Known['probes'] | null): Known => ({
    life: found,
    probes: places ?? NO_PROBES,
    requeued: requeued ?? NONE_REQUEUED,
  });
  let goneByMs = Infinity;
  const step: Step = (op, before, after) => {
    if (op.kind === 'status' && op.code === 404) goneByMs = Math.min(goneByMs, op.byMs);
    if (op.kind === 'probe' || op.kind === 'purge') {
      const sinceMs = countedSinceMs(scene.session, op.call!);
      (probes ??= new Map()).set(op.call!.call, placesAt(ctx, life.life, op, after, sinceMs, goneByMs));
    }
    if (op.kind === 'probe') return;
    if (op.kind === 'retry') {
      const effect = hasRequeued(life, op, after);
      if (effect !== null) (requeued ??= new Map()).set(op.call!.call, effect);
    }
    const seen = { scene, ledger, ctx, job: life, op, before, after };
    decide(seen);
    measureLateness(seen);
  };
  const verdict = followed === null ? judgeLife(ctx, life, step) : replay(followed, step);
  if (probes !== null) narrowByLooks(life, probes, (count) => countedSinceMs(scene.session, count));
  if (verdict.kind === 'breach') {
    const { breach } = verdict;
    const blamed = blame(scene, job, breach);
    const { lines, contradiction } = breach.proofBy(blamed);
    const { actual, calls } = breach;
    scene.fail(blamed, { script: job.script, actual, proof: lines, calls, contradiction });
    return known(new Contradicted(), null);
  }
  if (verdict.kind === 'unknown') ledger.warn(verdict.reason);
  if (job.strayed) return known(STRAYED, null);
  const isToBeFoundAgain = verdict.kind === 'explained' && isLarge(scene.cast.roll);
  return known(isToBeFoundAgain ? explainedAnew(ctx, life) : verdict, probes);
}
