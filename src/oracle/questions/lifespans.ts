/** When jobs ceased to be found: what a `ttl` counts from, which value holds instead, how long results are kept. */
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  RUN_RETENTION_MS,
  TTL_DEFAULT_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
} from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import type { Place } from '../model/hypothesis.js';
import type { Explained } from '../model/known.js';
import { policyFieldOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { endOf, retentionEnd, retriesOf, submittedIn, ttlOf, unfinished } from './lifespan-facts.js';
import { expiryOf, plus, spanOf, theOne, type Candidate, type Span } from './spans.js';
import { statusTtl } from './status-ttl.js';

export function lifespans(scene: Scene, job: Job, life: Explained): void {
  const setting = job.calls.filter(
    ({ op, request }) => op === 'status' && request.query['ttl'] !== undefined,
  );
  if (setting.length === 0) {
    afterRetry(scene, job, life);
    spelled(scene, job);
    retention(scene, job, life);
  } else if (setting.length === 1) statusTtl(scene, job, life, setting[0]!);
}

/** Does a retry restart the lifespan? */
function afterRetry(scene: Scene, job: Job, life: Explained): void {
  const [retry, ...more] = retriesOf(job);
  const ttlMs = ttlOf(job);
  const seen = expiryOf(job);
  if (retry === undefined || more.length > 0 || ttlMs === null || seen === null || !unfinished(life)) return;
  const reading = theOne(scene, seen, [
    { reading: 'goes-on', span: plus(submittedIn(job), ttlMs) },
    { reading: 'restarts', span: plus(spanOf(retry), ttlMs), atLeast: true },
  ]);
  if (reading !== null) scene.ledger.observe('2.2/ttl-after-retry', reading);
}

/** A `ttl` written as a string or with a fraction: taken as that number, or the default holds. */
function spelled(scene: Scene, job: Job): void {
  const value = policyFieldOf(job.submission, 'ttl');
  const asNumber = typeof value === 'string' ? Number(value) : value;
  const seen = expiryOf(job);
  if (typeof asNumber !== 'number' || Number.isNaN(asNumber) || seen === null) return;
  if (!(asNumber >= TTL_MIN_MS && asNumber <= TTL_DEFAULT_MS / 2)) return;
  const span = { ...plus(submittedIn(job), asNumber - 1, asNumber + 1) };
  const ignored = { ...plus(submittedIn(job), TTL_DEFAULT_MS) };
  if (typeof value === 'string') {
    const reading = theOne(scene, seen, [
      { reading: 'taken', span },
      { reading: 'ignored', span: ignored, atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe('2.2/numeric-string', reading);
  } else if (!Number.isInteger(value)) {
    const reading = theOne(scene, seen, [
      { reading: 'rounded', span },
      { reading: 'ignored', span: ignored, atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe('2.2/fractional-milliseconds', reading);
  }
}

const KEPT: {
  readonly [P in Place]?: '3/retention-of-failed' | '3/retention-of-timed-out' | '3/retention-of-cancelled';
} = {
  failed: '3/retention-of-failed',
  'timed-out': '3/retention-of-timed-out',
  cancelled: '3/retention-of-cancelled',
};

/** How long a job could be read after its end. */
function retention(scene: Scene, job: Job, life: Explained): void {
  const place = life.agreed((at) => (at.place === 'gone' ? at.goneFrom : at.place));
  const seen = expiryOf(job, { cancelled: place === 'cancelled' });
  const ttlMs = ttlOf(job);
  if (place === undefined || place === null || seen === null || ttlMs === null) return;
  if ((place === 'cancelled' || job.calls.some((call) => call.op === 'cancel')) && !stopped(life)) return;
  const end = endOf(life);
  // What its ttl deleted tells nothing of its retention, unless nothing else ever would have.
  const untilTtl = plus(submittedIn(job), ttlMs);
  if (place === 'completed') ofCompleted(scene, job, seen, end, untilTtl);
  const question = KEPT[place];
  if (question === undefined || retriesOf(job).length > 0) return;
  const kept = retentionEnd(job, end);
  if (untilTtl.fromMs < kept.byMs + 2 * scene.graceMax) return;
  const candidates: Candidate<'as-completed' | 'until-ttl' | 'not-at-all' | 'other'>[] = [
    { reading: 'as-completed', span: kept },
    { reading: 'until-ttl', span: untilTtl },
  ];
  if (place === 'cancelled') candidates.push({ reading: 'not-at-all', span: plus(end, 0, 1000) });
  const reading = theOne(scene, seen, candidates, 'other');
  if (reading !== null) scene.ledger.observe(question, reading as 'as-completed');
}

/** Cancelled while it waited or ran. */
function stopped(life: Explained): boolean {
  return life.mustBe(
    (at) => at.place === 'cancelled' && (at.goneFrom === 'queue' || at.goneFrom === 'progress'),
  );
}

function ofCompleted(scene: Scene, job: Job, seen: Span, end: Span, untilTtl: Span): void {
  if (!job.sync || untilTtl.fromMs < end.byMs + RUN_RETENTION_MS) return;
  const { life } = job.life;
  const asRun = { span: plus(end, RUN_RETENTION_MS), reading: 'as-run', atLeast: true } as const;
  const asRunsync = {
    reading: 'as-runsync',
    span: plus(
      end,
      RUNSYNC_RETENTION_MS,
      life.waitGiven ? RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : WAIT_DEFAULT_MS,
    ),
  } as const;
  if (retriesOf(job).length > 0) {
    const reading = theOne(scene, seen, [asRunsync, asRun]);
    if (reading !== null) scene.ledger.observe('4.6/retention-after-retry', reading);
  } else if (job.life.terms.every(({ keptAtMostMs }) => keptAtMostMs === RUN_RETENTION_MS)) {
    const reading = theOne(scene, seen, [asRunsync, asRun]);
    if (reading !== null) scene.ledger.observe('4.1/outlived-wait-retention', reading);
  } else if (life.waitGiven) withWait(scene, job, seen, end);
}

/** "1 minute after completion (up to 5 minutes with `wait`)". */
function withWait(scene: Scene, job: Job, seen: Span, end: Span): void {
  const waitMs = Number(job.submitted.request.query['wait']);
  const reading = theOne(
    scene,
    seen,
    [
      { reading: 'one-minute', span: plus(end, RUNSYNC_RETENTION_MS) },
      { reading: 'as-wait', span: plus(end, Math.max(RUNSYNC_RETENTION_MS, waitMs)) },
      { reading: 'five-minutes', span: plus(end, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS) },
    ],
    'in-between',
  );
  if (reading !== null) scene.ledger.observe('4.1/retention-with-wait', reading);
}
