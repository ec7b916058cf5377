/**
 * How rates are counted. Each way to count them foresees which calls of a sequence are refused: the ways that
 * foresee exactly what was seen remain, and a question is answered where all of those answer it alike.
 */
import type { CallEvent } from '../../history/events.js';
import { RATES } from '../../spec/rates.js';
import type { Operation } from '../../spec/types.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import { noWorkerRuns } from '../scene/idle.js';
import { answerOf, ofOtherUser } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { limitScope } from './limit-scope.js';

type Algorithm = 'sliding-window' | 'fixed-window' | 'token-bucket' | 'other';

interface Way {
  readonly algorithm: Algorithm;
  readonly refusedCount: boolean;
  /** When windows begin, for those that are fixed, ms. */
  readonly phaseMs: number;
}

interface Rate {
  readonly requests: number;
  readonly windowMs: number;
}

const PHASE_STEP_MS = 250;
/** Bursts of thousands need no such scrutiny; limits of a few calls tell the same. */
const REQUESTS_MAX = 200;

export function allowances(scene: Scene): void {
  const { session } = scene;
  if (!scene.has('dedicated')) return;
  if (session.calls.some(ofOtherUser)) {
    limitScope(scene);
    return;
  }
  if (!session.fresh) return;
  for (const op of ['purge-queue', 'cancel', 'requests'] as const) {
    const calls = scene.cast.roll
      .of(op)
      .filter((call) => call.reply !== null)
      .sort((left, right) => left.sentTick - right.sentTick);
    if (calls.length === 0) continue;
    if (noWorkerRuns(scene, calls)) {
      howCounted(scene, RATES[op]!, calls);
      failedCalls(scene, RATES[op]!, calls);
    } else perWorker(scene, op, calls);
  }
  unauthorizedCalls(scene);
}

function howCounted(scene: Scene, rate: Rate, calls: readonly CallEvent[]): void {
  const plain = calls.every((call) => answerOf(call) === 'ok' || call.reply!.status === 429);
  const refused = calls.filter((call) => call.reply!.status === 429);
  if (!plain || refused.length === 0 || rate.requests > REQUESTS_MAX || !apart(calls) || !prompt(calls))
    return;
  const left = waysFor(rate).filter((way) => foresees(way, rate, calls));
  const algorithms = new Set(left.map(({ algorithm }) => algorithm));
  if (algorithms.size === 1) scene.ledger.observe('8/rate-algorithm', [...algorithms][0]!);
  else if (algorithms.size === 0) scene.ledger.observe('8/rate-algorithm', 'other');
  const counted = new Set(left.map(({ refusedCount }) => refusedCount));
  if (counted.size === 1) scene.ledger.observe('8/refused-calls-count', counted.has(true) ? 'yes' : 'no');
}

/** When each was counted is known well enough. */
function prompt(calls: readonly CallEvent[]): boolean {
  return calls.every(({ sentMs, receivedMs }) => receivedMs! - sentMs <= PHASE_STEP_MS);
}

/** Calls follow one another: of those under way together nobody knows which came first. */
function apart(calls: readonly CallEvent[]): boolean {
  return calls.every((call, index) => index === 0 || calls[index - 1]!.endedTick! < call.sentTick);
}

function waysFor({ windowMs }: Rate): Way[] {
  const ways: Way[] = [];
  for (const refusedCount of [false, true]) {
    ways.push({ algorithm: 'sliding-window', refusedCount, phaseMs: 0 });
    ways.push({ algorithm: 'token-bucket', refusedCount, phaseMs: 0 });
    ways.push({ algorithm: 'other', refusedCount, phaseMs: 0 });
    for (let phaseMs = 0; phaseMs < windowMs; phaseMs += PHASE_STEP_MS)
      ways.push({ algorithm: 'fixed-window', refusedCount, phaseMs });
  }
  return ways;
}

/** Does this way of counting foresee exactly the refusals that were seen? */
function foresees(way: Way, rate: Rate, calls: readonly CallEvent[]): boolean {
  const counted: number[] = [];
  let tokens = rate.requests;
  let filledMs = 0;
  /** Of a window that begins with a call: the way that is no common one, and is seen all the same. */
  let openedMs = -Infinity;
  for (const call of calls) {
    const atMs = (call.sentMs + call.receivedMs!) / 2;
    tokens = Math.min(rate.requests, tokens + ((atMs - filledMs) * rate.requests) / rate.windowMs);
    filledMs = atMs;
    if (atMs >= openedMs + rate.windowMs) openedMs = atMs;
    const sinceMs =
      way.algorithm === 'fixed-window'
        ? Math.floor((atMs - way.phaseMs) / rate.windowMs) * rate.windowMs + way.phaseMs
        : way.algorithm === 'other'
          ? openedMs
          : atMs - rate.windowMs;
    const used = counted.filter((at) =>
      way.algorithm === 'sliding-window' ? at > sinceMs : at >= sinceMs,
    ).length;
    const room = way.algorithm === 'token-bucket' ? tokens >= 1 : used < rate.requests;
    if (room !== (call.reply!.status !== 429)) return false;
    if (!room && !way.refusedCount) continue;
    counted.push(atMs);
    tokens = Math.max(0, tokens - 1);
  }
  return true;
}

/** Do calls count that were answered 400 or 404? Made at one instant, they are too many or they are not. */
function failedCalls(scene: Scene, rate: Rate, calls: readonly CallEvent[]): void {
  const failed = calls.filter(({ reply }) => reply!.status === 400 || reply!.status === 404);
  if (failed.length < rate.requests) return;
  const firstRefused = calls.find(({ reply }) => reply!.status === 429);
  if (firstRefused === undefined) {
    const since = failed[0]!.sentMs;
    const atOnce = failed.filter(({ receivedMs }) => receivedMs! - since < rate.windowMs / 4);
    // Two fixed windows may meet within a burst.
    if (atOnce.length > 2 * rate.requests) scene.ledger.observe('8/failed-calls-count', 'no');
    return;
  }
  const ok = calls.filter((call) => call.sentTick < firstRefused.sentTick && answerOf(call) === 'ok');
  if (ok.length < rate.requests) scene.ledger.observe('8/failed-calls-count', 'yes');
}

/** With a worker running, more may be allowed than the base limit. Made at once, the accepted calls show how many. */
function perWorker(scene: Scene, op: Operation, calls: readonly CallEvent[]): void {
  const { session, cast } = scene;
  const { requests, windowMs } = RATES[op]!;
  if (session.workersAtFirst !== 1 || session.workers.length > 0 || cast.jobs.length !== 1) return;
  const [job] = cast.jobs;
  const first = calls[0]!;
  const ran = sightingsOf(job!).some(({ call, shows }) => shows === 'IN_PROGRESS' && precedes(call, first));
  if (!ran || job!.foreseen(0).outcome !== 'never') return;
  const atOnce = calls.filter(({ receivedMs }) => receivedMs! - first.sentMs < windowMs / 10);
  const accepted = atOnce.filter((call) => answerOf(call) === 'ok').length;
  if (!atOnce.some((call) => call.reply!.status === 429)) return;
  const within = (least: number): boolean => accepted >= least && accepted <= least * 1.1 + 1;
  if (within(requests)) scene.ledger.observe('8/requests-per-worker', 'none');
  else scene.ledger.observe('8/requests-per-worker', within(50) ? '50' : 'other');
}

/** Calls without a key, and then as many with one as the limit allows. */
function unauthorizedCalls(scene: Scene): void {
  const calls = scene.cast.roll.of('purge-queue');
  const { requests, windowMs } = RATES['purge-queue']!;
  const keyless = calls.filter((call) => call.reply?.status === 401 && call.request.auth === 'missing');
  const keyed = calls.filter(({ request: { auth } }) => auth === 'bare' || auth === 'bearer');
  const [first] = keyed;
  if (first === undefined || keyless.length < requests || !apart(calls)) return;
  if (calls.some(({ sentMs }) => sentMs > calls[0]!.sentMs + windowMs / 4)) return;
  if (!keyless.slice(0, requests).every(({ sentTick }) => sentTick < first.sentTick)) return;
  if (first.reply?.status === 429) scene.ledger.observe('8/unauthorized-calls-count', 'yes');
  else if (keyed.slice(0, requests).every((call) => answerOf(call) === 'ok') && keyed.length >= requests)
    scene.ledger.observe('8/unauthorized-calls-count', 'no');
}
