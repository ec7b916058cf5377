/**
 * Section 8: rates. Sound whatever the algorithm is (sliding or fixed window, token bucket): a 429 is wrong when
 * fewer calls than the base limit were made in the window behind it, and missing only where no algorithm
 * and no running worker could have allowed so many. All of this is a second reading of the table, which knows nothing of
 * how `core/meters` counts: one mistake in both is less likely than one in either.
 */
import type { CallEvent } from '../../history/events.js';
import type { RatedOperation } from '../../spec/index.js';
import { mustBeRefused } from '../calls/keys.js';
import { precedes } from '../cast/sightings.js';
import { servedAt } from '../cast/shown.js';
import { answerOf, namedBy, ofOtherUser } from '../observed/reading.js';
import { mostTogether, togetherWith, windowBefore } from '../observed/windows-before.js';
import type { Scene } from '../scene/scene.js';
import { acceptedCrowds, noWorkers, refusedInACrowd } from './crowds.js';
import { ROWS, type Row } from './rows.js';
import { earlyRefusals, type EarlyRefusals } from './too-early.js';

/** A limit counts as tried when this part of it was used. */
const NEAR = 0.9;

export function judgeRates(scene: Scene): void {
  const { session, cast } = scene;
  if (!session.exists || !scene.has('dedicated')) return;
  for (const row of ROWS) {
    const calls = cast.roll.of(row.op).toSorted(bySending);
    const refused = calls.filter(isLimited);
    if (refused.length > 0) judgeRefusals(scene, row, refused);
    else if (!isTried(row, calls)) continue;
    // Each user may have an allowance of his own; whoever shows no valid key is none.
    const ofUsers = calls.filter((call) => !mustBeRefused(call));
    for (const own of [ofUsers.filter((call) => !ofOtherUser(call)), ofUsers.filter(ofOtherUser)])
      if (own.length > 0) judgeUser(scene, row, own);
  }
  separateAllowances(scene);
  observeLimits(scene);
}

const bySending = (left: CallEvent, right: CallEvent): number => left.sentTick - right.sentTick;
const isLimited = ({ reply }: CallEvent): boolean => reply?.status === 429;
const wasLetIn = ({ reply }: CallEvent): boolean => reply !== null && reply.status !== 429;

/** So many were made that a lower limit would have been met. */
const isRateTried = ({ requests, windowMs }: Row, calls: readonly CallEvent[]): boolean =>
  busiestWindow(calls, windowMs).length >= NEAR * requests;
const isCrowdTried = ({ crowd }: Row, calls: readonly CallEvent[]): boolean =>
  crowd !== null && calls.length >= NEAR * crowd.most && mostTogether(calls) >= NEAR * crowd.most;
const isTried = (row: Row, calls: readonly CallEvent[]): boolean =>
  isRateTried(row, calls) || isCrowdTried(row, calls);

function judgeUser(scene: Scene, row: Row, calls: readonly CallEvent[]): void {
  const served = servedAt(row.op);
  const letIn = calls.filter(wasLetIn);
  if (isRateTried(row, letIn)) scene.passWhere(served, row.below);
  if (row.crowd !== null) {
    if (isCrowdTried(row, letIn)) scene.passWhere(served, row.crowd.below);
    acceptedCrowds(scene, row.crowd, calls);
  }
  if (row.op === 'openai') separatePaths(scene, row, calls);
  missingRefusals(scene, row, calls);
  otherRefusals(scene, row, calls);
  recovery(scene, row, calls);
}

function judgeRefusals(scene: Scene, row: Row, refused: readonly CallEvent[]): void {
  const counted = scene.session.calls.filter((call) => namedBy(call) === row.op).toSorted(bySending);
  // Most refusals are right: what a wrong one breaks is looked for only then.
  let early: EarlyRefusals | null = null;
  for (const call of refused) {
    const { requests, windowMs, crowd } = row;
    const made = windowBefore(call, counted, windowMs).length;
    const together = togetherWith(call, counted);
    const lateMs = windowMs + scene.graceAt(call.sentMs - windowMs, call.sentMs);
    if (crowd !== null && together > crowd.most) {
      // Where both limits are exceeded, nobody knows which of them it was.
      if (made <= requests && areAllCallsKnown(scene, row, call))
        refusedInACrowd(scene, crowd, call, counted);
    } else if (made > requests) scene.passWhere(servedAt(row.op), row.above);
    // The window is a timer as any other: it may be late.
    else if (windowBefore(call, counted, lateMs).length > requests)
      scene.ledger.late('rateWindow', windowLateMs(row, call, counted), null);
    else if (areAllCallsKnown(scene, row, call)) {
      const actual = `/${row.op} #${call.call} was answered 429 as number ${made} within 10 s, with ${together} under way, where ${requests} are allowed`;
      tooEarly(scene, row, call, actual, (early ??= earlyRefusals(scene, row, counted)));
    }
  }
}

/** What concerns the column Concurrency, or other operations, shows beside the other calls of the run. */
function tooEarly(scene: Scene, row: Row, call: CallEvent, actual: string, early: EarlyRefusals): void {
  const broken = early.brokenBy(call);
  const { refused, byOthers } = scene.ledger.crowds;
  const seen = scene.seen({ script: call.script, actual, calls: [call.call] });
  if (broken === '8/rate-per-operation') byOthers.push({ own: early.ofItsOwn(call), seen });
  else if (row.crowd !== null && broken === row.crowd.below) refused.push({ op: row.crowd.op, seen });
  else scene.check(broken, false, call, actual);
}

/** By which whoever plays on an endpoint that was there before ends its jobs; no history tells of these calls. */
const SWEEPS: RatedOperation = 'cancel';

/** Nobody but the scripts can have used the allowance: neither beside them nor before they began. */
function areAllCallsKnown({ session }: Scene, { op, windowMs }: Row, call: CallEvent): boolean {
  const beganMs = session.calls[0]?.sentMs ?? 0;
  return session.fresh || (op !== SWEEPS && call.sentMs - beganMs > 2 * windowMs);
}

/** By so much the window had to be longer to hold one call too many. */
function windowLateMs({ requests, windowMs }: Row, call: CallEvent, calls: readonly CallEvent[]): number {
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

/** More were accepted at once than any reading allows, and there was no worker that could have raised the limit. */
function missingRefusals(scene: Scene, row: Row, calls: readonly CallEvent[]): void {
  // Of jobs from before that still run nobody knows.
  if (!scene.session.fresh) return;
  const accepted = calls.filter((call) => answerOf(call) === 'ok');
  for (const [burst, allowed] of beyond(row, accepted))
    if (noWorkers(scene, burst)) scene.check(...tooMany(row, burst, allowed));
  if (row.recovers !== null) return;
  // What /openai/* and /requests answer is not shown: whoever answers with an error serves them, too.
  for (const [burst, allowed] of beyond(row, calls.filter(isServed))) {
    if (burst.every((call) => answerOf(call) === 'ok')) continue;
    const [id, , call, actual] = tooMany(row, burst, allowed);
    const seen = scene.seen({ script: call.script, actual, calls: [call.call] });
    scene.ledger.errorsBeyondRate.push({ id, seen: noWorkers(scene, burst) ? seen : null });
  }
}

/** Neither of these says of a path that it is there, nor of a call that it was let in. */
const SAYS_NOT_SERVED: readonly number[] = [401, 403, 404, 405, 429, 501];
const isServed = ({ reply }: CallEvent): boolean =>
  reply !== null && !SAYS_NOT_SERVED.includes(reply.status) && (reply.status < 300 || reply.status >= 400);

/** The stretches with more of these calls than any reading allows within them, and how many those allow. */
function beyond({ requests, windowMs }: Row, calls: readonly CallEvent[]) {
  // At one instant no window can have begun anew and no bucket have been refilled.
  const atOnce = busiestWindow(calls, 0).filter((call) => call.receivedMs === call.sentMs);
  // Of windows that are counted anew, a stretch meets one more than fit into it; a bucket may have been full before it.
  const longer = [1, 2, 3].map(
    (windows) => [busiestWindow(calls, windows * windowMs - 1), (windows + 1) * requests] as const,
  );
  return [[atOnce, requests] as const, ...longer].filter(([burst, allowed]) => burst.length > allowed);
}

function tooMany(row: Row, burst: readonly CallEvent[], allowed: number) {
  const last = burst.at(-1)!;
  const spanMs = (last.receivedMs ?? 0) - burst[0]!.sentMs;
  // Each path below /openai/ by itself kept within the limit.
  const perPath = new Map<string, number>();
  for (const { request } of burst) perPath.set(request.path, (perPath.get(request.path) ?? 0) + 1);
  const isApart = row.op === 'openai' && [...perPath.values()].every((count) => count <= allowed);
  const id = isApart ? '8/openai-shares-one-allowance' : row.above;
  const actual = `none of ${burst.length} calls of /${row.op} within ${spanMs} ms was answered 429, without workers; ${row.requests} are allowed in 10 s`;
  return [id, false, last, actual] as const;
}

/** However late a window is, it has not let go of a call that is as old as this part of it. */
const SURELY_WITHIN = 0.9;

/**
 * The row `/openai/*` is one row, so the paths below it share what it allows. One path was refused, another was let in after that, and the first was refused again, all within the window that
 * began with the first call and while nobody worked: so the other path draws on something else.
 */
function separatePaths(scene: Scene, { requests, windowMs }: Row, calls: readonly CallEvent[]): void {
  const first = calls[0];
  if (!scene.session.fresh || first === undefined) return;
  const refused = calls.filter(
    (call) =>
      call.reply?.status === 429 &&
      call.receivedMs! < first.sentMs + SURELY_WITHIN * windowMs &&
      isIdle(scene, call),
  );
  const [from, last] = [refused[0], refused.at(-1)];
  if (from === undefined || last === undefined) return;
  const { path } = from.request;
  const isElsewhere = ({ request }: CallEvent): boolean => request.path !== path;
  const elsewhere = calls.filter(
    (call) =>
      isElsewhere(call) && precedes(from, call) && call.sentTick < last.sentTick && answerOf(call) === 'ok',
  );
  // A bucket that is refilled lets in a few meanwhile.
  const refill = (requests * (last.receivedMs! - from.sentMs)) / windowMs;
  const isEarlierElsewhere = calls.some((call) => call.sentTick < from.sentTick && isElsewhere(call));
  const id = '8/openai-shares-one-allowance';
  if (elsewhere.length > refill + 1 && !isElsewhere(last)) {
    const actual = `${elsewhere.length} calls of other paths were let in between two calls of ${path} that were answered 429`;
    scene.check(id, false, elsewhere.at(-1)!, actual);
  } else if (elsewhere.length === 0 && !isEarlierElsewhere && refused.some(isElsewhere)) scene.pass(id);
}

/** There is no worker from before the call was sent until after it was answered. */
function isIdle({ session: { workersAtFirst, workers } }: Scene, call: CallEvent): boolean {
  const before = workers.findLast(({ receivedMs }) => receivedMs <= call.sentMs);
  const next = workers.find(({ receivedMs }) => receivedMs > call.sentMs);
  return (before?.workers ?? workersAtFirst) === 0 && (next === undefined || next.sentMs >= call.receivedMs!);
}

/** All that is allowed had been accepted, and the next call was refused with another code than 429. */
function otherRefusals(scene: Scene, { op, above, requests }: Row, calls: readonly CallEvent[]): void {
  const beyond = (call: CallEvent, when: string, what: string): void =>
    scene.check(
      above,
      false,
      call,
      `/${op} #${call.call} was answered ${call.reply!.status} ${when}; ${what} are answered 429`,
    );
  // Whatever workers allow beyond that, it is no reason for a 403.
  for (const call of calls)
    if (scene.cast.roll.forbidden.has(call))
      beyond(call, `when ${requests} calls had been accepted within 10 s`, 'those beyond the limit');
  const accepted = calls.filter((call) => answerOf(call) === 'ok' && call.receivedMs === call.sentMs);
  if (accepted.length < requests || !scene.session.fresh) return;
  for (const call of calls) {
    // What an error of the server says is nothing that could come before the rate is looked at.
    if (call.request.illegal !== null || (call.reply?.status ?? 0) < 500) continue;
    const before = accepted.filter((one) => one.sentMs === call.sentMs && precedes(one, call)).length;
    if (before < requests || !noWorkers(scene, [call])) continue;
    beyond(call, `at an instant at which ${before} calls had been accepted`, `those beyond ${requests}`);
  }
}

/** Served again once a window has passed without a call. */
function recovery(scene: Scene, { op, windowMs, recovers }: Row, calls: readonly CallEvent[]): void {
  const first = calls.findIndex(isLimited);
  if (recovers === null || first < 0) return;
  for (const call of calls.slice(first)) {
    if (!wasLetIn(call) || windowBefore(call, calls, windowMs).length > 1) continue;
    scene.passWhere(servedAt(op), recovers);
    const before = calls.findLast((one) => one.sentTick < call.sentTick);
    scene.ledger.late('rateWindow', 0, call.receivedMs! - (before?.sentMs ?? call.sentMs) - windowMs);
  }
}

/** While one operation is refused, another is not, nor the same one at another endpoint. */
function separateAllowances(scene: Scene): void {
  const refused = scene.session.calls.find(isLimited);
  if (refused === undefined) return;
  const isLetInThen = (call: CallEvent): boolean =>
    wasLetIn(call) && ofOtherUser(call) === ofOtherUser(refused) && call.sentMs - refused.sentMs < 1000;
  const isElsewhere = scene.beside.some(
    ({ session }) =>
      session.exists &&
      session.calls.some(
        (call) =>
          call.op === refused.op && call.sentTick > (refused.endedTick ?? Infinity) && isLetInThen(call),
      ),
  );
  if (isElsewhere) scene.passWhere(servedAt(refused.op), '8/rate-per-endpoint');
  const isOfAnother = scene.session.calls.some(
    (call) => call.op !== refused.op && call.sentTick > refused.sentTick && isLetInThen(call),
  );
  if (isOfAnother) scene.passWhere(servedAt(refused.op), '8/rate-per-operation');
}

/** So many calls at one instant without a 429 are taken for no limit at all. */
const UNLIMITED = 550;
/** Operations that the table does not name. */
const NOT_SHOWN = [
  ['retry', '8/retry-limit'],
  ['health', '8/health-limit'],
] as const;

function observeLimits({ session, cast, ledger }: Scene): void {
  for (const { reply } of session.calls.filter(isLimited)) {
    const after = reply!.headers['retry-after'];
    if (after === undefined) ledger.observe('8/retry-after', 'absent');
    else ledger.observe('8/retry-after', /^[0-9]+$/.test(after.trim()) ? 'seconds' : 'date');
  }
  for (const [op, question] of NOT_SHOWN) {
    const calls = cast.roll.of(op);
    if (calls.some(isLimited)) ledger.observe(question, 'limited');
    else if (busiestWindow(calls, 1000).length >= UNLIMITED) ledger.observe(question, 'none');
  }
}
