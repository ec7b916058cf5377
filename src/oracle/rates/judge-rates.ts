/**
 * Section 8: rates. Sound whatever the algorithm is (sliding or fixed window, token bucket): a 429 is wrong when
 * fewer calls than the base limit were made in the window behind it, and missing only where no algorithm
 * and no running worker could have allowed so many.
 */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { RATES, type RateLimit } from '../../spec/rates.js';
import { mustBeRefused } from '../calls/keys.js';
import { precedes } from '../cast/sightings.js';
import { answerOf, namedBy, ofOtherUser } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { servedAt } from '../cast/shown.js';
import { acceptedCrowds, refusedInACrowd } from './crowds.js';
import { noWorkers } from '../scene/idle.js';
import { LIMITED, type Limited } from '../observed/limited.js';
import { separatePaths } from './openai-paths.js';
import { isSeldom } from './seldom.js';
import { EarlyRefusals } from './too-early.js';
import { mostTogether, togetherWith, windowBefore } from '../observed/windows-before.js';

export function judgeRates(scene: Scene): void {
  const { session, cast } = scene;
  if (!session.exists || !scene.has('dedicated')) return;
  for (const op of LIMITED) {
    const calls = cast.roll.of(op);
    const limited = cast.roll.limited.some((call) => call.op === op);
    if (calls.length === 0 || (!limited && isSeldom(calls, RATES[op]!, NEAR))) continue;
    judgeOperation(scene, op, calls.toSorted(bySending));
  }
  separateAllowances(scene);
  observeLimits(scene);
}

const bySending = (left: CallEvent, right: CallEvent): number => left.sentTick - right.sentTick;

/** A limit counts as tried when this part of it was used. */
const NEAR = 0.9;

function judgeOperation(scene: Scene, op: Limited, calls: readonly CallEvent[]): void {
  const refusedAt = calls.filter((call) => call.reply?.status === 429);
  if (refusedAt.length > 0) {
    const counted = scene.session.calls.filter((call) => namedBy(call) === op).toSorted(bySending);
    // Most refusals are right: what a wrong one breaks is looked for only then.
    let early: EarlyRefusals | null = null;
    const refusals = (): EarlyRefusals => (early ??= new EarlyRefusals(scene, op, counted));
    for (const call of refusedAt) judgeRefusal(scene, op, call, counted, refusals);
  }
  // Each user may have an allowance of his own; whoever shows no valid key is none.
  const ofUsers = calls.filter((call) => !mustBeRefused(call));
  for (const own of [ofUsers.filter((call) => !ofOtherUser(call)), ofUsers.filter(ofOtherUser)])
    if (own.length > 0) judgeUser(scene, op, own);
}

function judgeUser(scene: Scene, op: Limited, calls: readonly CallEvent[]): void {
  const limit = RATES[op]!;
  // So many were let through that a lower limit would have refused one of them.
  const accepted = calls.filter((call) => call.reply !== null && call.reply.status !== 429);
  if (busiestWindow(accepted, limit.windowMs).length >= NEAR * limit.requests)
    scene.passWhere(servedAt(op), `8/rate-${op}-below` as RequirementId);
  if (op !== 'purge-queue') {
    if (mostTogether(accepted) >= NEAR * limit.concurrency!)
      scene.passWhere(servedAt(op), `8/concurrency-${op}-below`);
    acceptedCrowds(scene, op, calls);
  }
  if (op === 'openai') separatePaths(scene, calls);
  missingRefusal(scene, op, calls);
  otherRefusals(scene, op, calls);
  recovery(scene, op, calls);
}

/** By which whoever plays on an endpoint that was there before ends its jobs; no history tells of these calls. */
const SWEEPS: Limited = 'cancel';

/** Nobody but the scripts can have used the allowance: neither beside them nor before they began. */
function allCallsAreKnown({ session }: Scene, op: Limited, call: CallEvent): boolean {
  if (session.fresh) return true;
  const beganMs = session.calls[0]?.sentMs ?? 0;
  return op !== SWEEPS && call.sentMs - beganMs > 2 * RATES[op]!.windowMs;
}

function judgeRefusal(
  scene: Scene,
  op: Limited,
  call: CallEvent,
  calls: readonly CallEvent[],
  refusals: () => EarlyRefusals,
): void {
  const limit = RATES[op]!;
  const made = windowBefore(call, calls, limit.windowMs).length;
  const together = togetherWith(call, calls);
  if (op !== 'purge-queue' && together > limit.concurrency!) {
    // Where both limits are exceeded, nobody knows which of them it was.
    if (made <= limit.requests && allCallsAreKnown(scene, op, call)) refusedInACrowd(scene, call, calls, op);
    return;
  }
  if (made > limit.requests) {
    scene.passWhere(servedAt(op), `8/rate-${op}-above` as RequirementId);
    return;
  }
  if (
    windowBefore(call, calls, limit.windowMs + scene.graceAt(call.sentMs - limit.windowMs, call.sentMs))
      .length > limit.requests
  ) {
    // The window is a timer as any other: it may be late.
    scene.ledger.late('rateWindow', windowLateMs(call, calls, limit), null);
    return;
  }
  if (!allCallsAreKnown(scene, op, call)) return;
  const broken = refusals().brokenBy(call);
  const actual = `/${op} #${call.call} was answered 429 as number ${made} within 10 s, with ${together} under way, where ${limit.requests} are allowed`;
  const seen = scene.seen({ script: call.script, actual, calls: [call.call] });
  const { refused, byOthers } = scene.ledger.crowds;
  if (broken === '8/rate-per-operation') byOthers.push({ own: refusals().ofItsOwn(call), seen });
  else if (op === 'purge-queue' || broken !== `8/concurrency-${op}-below`)
    scene.check(broken, false, call, actual);
  else refused.push({ op, seen });
}

/** By so much the window had to be longer to hold one call too many. */
function windowLateMs(
  call: CallEvent,
  calls: readonly CallEvent[],
  { requests, windowMs }: RateLimit,
): number {
  const ends = windowBefore(call, calls, Infinity).map(({ receivedMs }) => receivedMs ?? Infinity);
  ends.sort((left, right) => right - left);
  return call.sentMs - windowMs - ends[requests]!;
}

function busiestWindow(calls: readonly CallEvent[], windowMs: number): readonly CallEvent[] {
  let from = 0;
  let best = { from: 0, end: 0 };
  for (let to = 0; to < calls.length; to += 1) {
    while (calls[to]!.sentMs - calls[from]!.sentMs > windowMs) from += 1;
    if (to + 1 - from > best.end - best.from) best = { from, end: to + 1 };
  }
  return calls.slice(best.from, best.end);
}

/** More were accepted at once than any reading allows, and no worker ran that could have raised the limit. */
function missingRefusal(scene: Scene, op: Limited, calls: readonly CallEvent[]): void {
  const limit = RATES[op]!;
  // Whether a call that fails for another reason counts is open.
  const accepted = calls.filter((call) => call.reply !== null && answerOf(call) === 'ok');
  // At one instant no window can have begun anew and no bucket have been refilled.
  const atOnce = busiestWindow(accepted, 0).filter((call) => call.receivedMs === call.sentMs);
  tooMany(scene, op, atOnce, limit.requests);
  // Of windows that are counted anew, a stretch meets one more than fit into it; a bucket may have been full before it.
  for (const windows of [1, 2, 3])
    tooMany(scene, op, busiestWindow(accepted, windows * limit.windowMs - 1), (windows + 1) * limit.requests);
}

/** All that is allowed had been accepted, and the next call was refused with another code than 429. */
function otherRefusals(scene: Scene, op: Limited, calls: readonly CallEvent[]): void {
  const { requests } = RATES[op]!;
  const above = `8/rate-${op}-above` as RequirementId;
  // Whatever workers allow beyond that, it is no reason for a 403.
  for (const call of calls)
    if (scene.cast.roll.forbidden.has(call))
      scene.check(
        above,
        false,
        call,
        `/${op} #${call.call} was answered 403 when ${requests} calls had been accepted within 10 s; those beyond the limit are answered 429`,
      );
  const accepted = calls.filter((call) => answerOf(call) === 'ok' && call.receivedMs === call.sentMs);
  if (accepted.length < requests || !scene.session.fresh) return;
  for (const call of calls) {
    // What an error of the server says is nothing that could come before the rate is looked at.
    if (call.request.illegal !== null || (call.reply?.status ?? 0) < 500) continue;
    const before = accepted.filter((one) => one.sentMs === call.sentMs && precedes(one, call));
    if (before.length < requests || !noWorkers(scene, [call])) continue;
    const actual = `/${op} #${call.call} was answered ${call.reply!.status} at an instant at which ${before.length} calls had been accepted; those beyond ${requests} are answered 429`;
    scene.check(above, false, call, actual);
  }
}

function tooMany(scene: Scene, op: Limited, burst: readonly CallEvent[], allowed: number): void {
  // Of jobs from before that still run nobody knows.
  if (burst.length <= allowed || !scene.session.fresh) return;
  if (!noWorkers(scene, burst)) return;
  const spanMs = (burst.at(-1)!.receivedMs ?? 0) - burst[0]!.sentMs;
  // Each path below /openai/ by itself kept within the limit.
  const perPath = new Map<string, number>();
  for (const { request } of burst) perPath.set(request.path, (perPath.get(request.path) ?? 0) + 1);
  const apart = op === 'openai' && [...perPath.values()].every((count) => count <= allowed);
  scene.check(
    apart ? '8/openai-shares-one-allowance' : (`8/rate-${op}-above` as RequirementId),
    false,
    burst.at(-1)!,
    `${burst.length} calls of /${op} within ${spanMs} ms were all accepted, with no worker running; ${RATES[op]!.requests} are allowed in 10 s`,
  );
}

function recovery(scene: Scene, op: Limited, calls: readonly CallEvent[]): void {
  if (op === 'openai' || op === 'requests') return;
  const { windowMs } = RATES[op]!;
  let refused = false;
  for (const call of calls) {
    if (call.reply?.status === 429) refused = true;
    else if (refused && call.reply !== null && windowBefore(call, calls, windowMs).length <= 1) {
      scene.passWhere(servedAt(op), `8/rate-${op}-recovers`);
      const before = calls.findLast((one) => one.sentTick < call.sentTick);
      scene.ledger.late('rateWindow', 0, call.receivedMs! - (before?.sentMs ?? call.sentMs) - windowMs);
    }
  }
}

/** While one operation is refused, another is not, nor the same one at another endpoint. */
function separateAllowances(scene: Scene): void {
  const [refused] = scene.cast.roll.limited;
  if (refused === undefined) return;
  const elsewhere = scene.beside.some(({ session }) =>
    session.calls.some(
      (call) =>
        session.exists &&
        call.op === refused.op &&
        ofOtherUser(call) === ofOtherUser(refused) &&
        call.reply !== null &&
        call.reply.status !== 429 &&
        call.sentTick > (refused.endedTick ?? Infinity) &&
        call.sentMs - refused.sentMs < 1000,
    ),
  );
  if (elsewhere) scene.passWhere(servedAt(refused.op), '8/rate-per-endpoint');
  const other = scene.session.calls.some(
    (call) =>
      call.op !== refused.op &&
      ofOtherUser(call) === ofOtherUser(refused) &&
      call.reply !== null &&
      call.reply.status !== 429 &&
      call.sentTick > refused.sentTick &&
      call.sentMs - refused.sentMs < 1000,
  );
  if (other) scene.passWhere(servedAt(refused.op), '8/rate-per-operation');
}

/** So many calls at one instant without a 429 are taken for no limit at all. */
const UNLIMITED = 550;

function observeLimits(scene: Scene): void {
  const { cast, ledger } = scene;
  for (const { reply } of cast.roll.limited) {
    const after = reply!.headers['retry-after'];
    if (after === undefined) ledger.observe('8/retry-after', 'absent');
    else ledger.observe('8/retry-after', /^[0-9]+$/.test(after.trim()) ? 'seconds' : 'date');
  }
  for (const op of ['retry', 'health'] as const) {
    const calls = cast.roll.of(op);
    const limited = calls.some((call) => call.reply?.status === 429);
    if (limited) ledger.observe(`8/${op}-limit`, 'limited');
    else if (busiestWindow(calls, 1000).length >= UNLIMITED) ledger.observe(`8/${op}-limit`, 'none');
  }
}
