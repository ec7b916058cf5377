/** Judges a history: session by session, layer by layer, each sound alone. */
import type { HistoryEvent, RunEvent } from '../history/events.js';
import { castOf, type Cast, type Job } from './cases.js';
import type { Findings, JudgeOptions } from './findings.js';
import { Ledger } from './ledger.js';
import { judgeCalls } from './calls/judge-calls.js';
import { judgeCounts } from './counts/judge-counts.js';
import { judgeDispatch } from './counts/judge-dispatch.js';
import { judgeRates } from './rates/judge-rates.js';
import { judgeResults } from './results/judge-results.js';
import { judgeStreams } from './results/judge-streams.js';
import { judgeWaits } from './results/judge-waits.js';
import { judgeWebhooks } from './webhooks/judge-webhooks.js';
import { Context } from './life/context.js';
import { decide, measureLateness } from './life/decisions.js';
import { judgeLife } from './life/job.js';
import { Scene, type Known } from './scene.js';
import { batchesOf, type Batch, type Session } from './session.js';
import { findingsOf } from './verdicts.js';
import { placesDuring } from './life/operations.js';
import type { Place } from './life/hypothesis.js';

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
  return findingsOf(ledger, run, run.edition);
}

function judgeBatch(ledger: Ledger, batch: Batch): void {
  const casts = batch.map(castOf);
  batch.forEach((session, index) => {
    const others = casts.filter((_, other) => other !== index);
    const elsewhere = new Set(others.flatMap((cast) => cast.jobs.map((job) => job.id)));
    judgeSession(ledger, session, casts[index]!, elsewhere);
  });
  for (const end of batch[0]?.ends.values() ?? [])
    if (end.outcome === 'aborted') ledger.warn(`a script was aborted: ${end.reason ?? 'no reason given'}`);
}

function judgeSession(ledger: Ledger, session: Session, cast: Cast, elsewhere: ReadonlySet<string>): void {
  const known = new Map<string, Known>();
  const scene = new Scene(ledger, session, cast, known, elsewhere);
  judgeCalls(scene);
  for (const job of cast.jobs) known.set(job.id, judgeJob(scene, job));
  judgeWaits(scene);
  judgeResults(scene);
  judgeStreams(scene);
  judgeWebhooks(scene);
  judgeCounts(scene);
  judgeDispatch(scene);
  judgeRates(scene);
}

/** One job's life: its breach goes to the ledger, and what is known of it is kept for the layers above. */
function judgeJob(scene: Scene, job: Job): Known {
  const { ledger } = scene;
  const { run } = scene.session;
  const ctx = new Context(run.graceMs, run.earlyMs);
  const probes = new Map<number, ReadonlySet<Place>>();
  const verdict = judgeLife(ctx, job.life, (op, before, after) => {
    if (op.kind === 'probe') {
      const places = new Set<Place>();
      for (const at of after) for (const place of placesDuring(ctx, job.life.life, at, op)) places.add(place);
      probes.set(op.call!.call, places);
      return;
    }
    const seen = { ledger, ctx, job: job.life, op, before, after };
    decide(seen);
    measureLateness(seen);
  });
  if (verdict.kind === 'breach') {
    const { breach } = verdict;
    scene.fail(breach.requirement, {
      script: job.script,
      actual: breach.actual,
      proof: breach.proof,
      calls: breach.calls,
    });
    return { probes, hypotheses: null, broken: true };
  }
  if (verdict.kind === 'undecided') {
    ledger.warn(verdict.reason);
    return { probes, hypotheses: null, broken: false };
  }
  return { probes, hypotheses: verdict.hypotheses, broken: false };
}
