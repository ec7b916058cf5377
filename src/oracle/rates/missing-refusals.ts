/** Section 8: calls beyond the limit that were not answered 429, and paths below `/openai/` that have a limit each. */
import type { CallEvent } from '../../history/events.js';
import { precedes } from '../jobs/sightings.js';
import type { JudgingContext } from '../context/judging-context.js';
import { answerOf } from '../observed/recorded-call.js';
import { noWorkers } from './concurrency.js';
import type { RateRow } from './rate-table.js';

/** The calls of the busiest stretch of this length. */
export function busiestWindow(calls: readonly CallEvent[], windowMs: number): readonly CallEvent[] {
  let from = 0;
  let best = { from: 0, end: 0 };
  for (let to = 0; to < calls.length; to += 1) {
    while (calls[to]!.sentMs - calls[from]!.sentMs > windowMs) from += 1;
    if (to + 1 - from > best.end - best.from) best = { from, end: to + 1 };
  }
  return calls.slice(best.from, best.end);
}

/** More were accepted at once than any reading allows, and there was no worker that could have raised the limit. */
export function missingRefusals(context: JudgingContext, row: RateRow, calls: readonly CallEvent[]): void {
  // Of jobs from before that still run nobody knows.
  if (!context.session.fresh) return;
  const accepted = calls.filter((call) => answerOf(call) === 'ok');
  for (const [burst, allowed] of beyond(row, accepted))
    if (noWorkers(context, burst)) context.check(...tooMany(row, burst, allowed));
  if (row.recovers !== null) return;
  // What /openai/* and /requests answer is not shown: whoever answers with an error serves them, too.
  for (const [burst, allowed] of beyond(row, calls.filter(isServed))) {
    if (burst.every((call) => answerOf(call) === 'ok')) continue;
    const [id, , call, actual] = tooMany(row, burst, allowed);
    const seen = context.observedFailure({ script: call.script, actual, calls: [call.call] });
    context.ledger.errorsBeyondRate.push({ id, seen: noWorkers(context, burst) ? seen : null });
  }
}

/** Neither of these says of a path that it is there, nor of a call that it was let in. */
const SAYS_NOT_SERVED: readonly number[] = [401, 403, 404, 405, 429, 501];
const isServed = ({ reply }: CallEvent): boolean =>
  reply !== null && !SAYS_NOT_SERVED.includes(reply.status) && (reply.status < 300 || reply.status >= 400);

/** The stretches with more of these calls than any reading allows within them, and how many those allow. */
function beyond({ requests, windowMs }: RateRow, calls: readonly CallEvent[]) {
  // At one instant no window can have begun anew and no bucket have been refilled.
  const atOnce = busiestWindow(calls, 0).filter((call) => call.receivedMs === call.sentMs);
  // Of windows that are counted anew, a stretch meets one more than fit into it; a bucket may have been full before it.
  const longer = [1, 2, 3].map(
    (windows) => [busiestWindow(calls, windows * windowMs - 1), (windows + 1) * requests] as const,
  );
  return [[atOnce, requests] as const, ...longer].filter(([burst, allowed]) => burst.length > allowed);
}

function tooMany(row: RateRow, burst: readonly CallEvent[], allowed: number) {
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
export function separatePaths(
  context: JudgingContext,
  { requests, windowMs }: RateRow,
  calls: readonly CallEvent[],
): void {
  const first = calls[0];
  if (!context.session.fresh || first === undefined) return;
  const refused = calls.filter(
    (call) =>
      call.reply?.status === 429 &&
      call.receivedMs! < first.sentMs + SURELY_WITHIN * windowMs &&
      isIdle(context, call),
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
    context.check(id, false, elsewhere.at(-1)!, actual);
  } else if (elsewhere.length === 0 && !isEarlierElsewhere && refused.some(isElsewhere)) context.pass(id);
}

/** There is no worker from before the call was sent until after it was answered. */
function isIdle({ session: { workersAtFirst, workers } }: JudgingContext, call: CallEvent): boolean {
  const before = workers.findLast(({ receivedMs }) => receivedMs <= call.sentMs);
  const next = workers.find(({ receivedMs }) => receivedMs > call.sentMs);
  return (before?.workers ?? workersAtFirst) === 0 && (next === undefined || next.sentMs >= call.receivedMs!);
}
