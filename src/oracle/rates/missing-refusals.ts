/** Section 8: calls beyond the limit without a 429, and `/openai/` paths with separate limits. */
import type { CallEvent } from '../../history/events.js';
import { precedes } from '../jobs/status-observations.js';
import type { JudgingContext } from '../context/judging-context.js';
import { answerOf } from '../observed/recorded-call.js';
import { noWorkers } from './concurrency.js';
import type { RateRow } from './rate-table.js';

/** The calls of the busiest period of this length. */
export function busiestWindow(calls: readonly CallEvent[], windowMs: number): readonly CallEvent[] {
  let from = 0;
  let best = { from: 0, end: 0 };
  for (let to = 0; to < calls.length; to += 1) {
    while (calls[to]!.sentMs - calls[from]!.sentMs > windowMs) from += 1;
    if (to + 1 - from > best.end - best.from) best = { from, end: to + 1 };
  }
  return calls.slice(best.from, best.end);
}

/** More calls were accepted than any algorithm allows, and no worker could have raised the limit. */
export function missingRefusals(context: JudgingContext, row: RateRow, calls: readonly CallEvent[]): void {
  // Jobs from before the run may still be running.
  if (!context.session.fresh) return;
  const accepted = calls.filter((call) => answerOf(call) === 'ok');
  for (const [burst, allowed] of beyond(row, accepted))
    if (noWorkers(context, burst)) context.check(...tooMany(row, burst, allowed));
  if (row.recovers !== null) return;
  // The document does not show the answers of /openai/* and /requests, so an error may be a regular answer.
  for (const [burst, allowed] of beyond(row, calls.filter(isImplemented))) {
    if (burst.every((call) => answerOf(call) === 'ok')) continue;
    const [id, , call, actual] = tooMany(row, burst, allowed);
    const seen = noWorkers(context, burst) ? context.failureOf(call, actual) : null;
    context.ledger.errorsBeyondRate.push({ id, seen });
  }
}

/** Codes that do not show that the path exists or that the call was admitted. */
const NOT_IMPLEMENTED_CODES: readonly number[] = [401, 403, 404, 405, 429, 501];
const isImplemented = ({ reply }: CallEvent): boolean =>
  reply !== null &&
  !NOT_IMPLEMENTED_CODES.includes(reply.status) &&
  (reply.status < 300 || reply.status >= 400);

/** The periods with more of these calls than any algorithm allows, and how many are allowed. */
function beyond({ requests, windowMs }: RateRow, calls: readonly CallEvent[]) {
  // Within one instant no window can have restarted and no bucket been refilled.
  const atOnce = busiestWindow(calls, 0).filter((call) => call.receivedMs === call.sentMs);
  // A period overlaps one more fixed window than fits into it; a bucket may have been full at its start.
  const longer = [1, 2, 3].map(
    (windows) => [busiestWindow(calls, windows * windowMs - 1), (windows + 1) * requests] as const,
  );
  return [[atOnce, requests] as const, ...longer].filter(([burst, allowed]) => burst.length > allowed);
}

function tooMany(row: RateRow, burst: readonly CallEvent[], allowed: number) {
  const last = burst.at(-1)!;
  const spanMs = (last.receivedMs ?? 0) - burst[0]!.sentMs;
  // Each path below /openai/ stayed within the limit by itself.
  const perPath = new Map<string, number>();
  for (const { request } of burst) perPath.set(request.path, (perPath.get(request.path) ?? 0) + 1);
  const isApart = row.op === 'openai' && [...perPath.values()].every((count) => count <= allowed);
  const id = isApart ? '8/openai-shares-one-allowance' : row.above;
  const actual = `none of ${burst.length} calls of /${row.op} within ${spanMs} ms was answered with 429, without workers; ${row.requests} are allowed in 10 s`;
  return [id, false, last, actual] as const;
}

/** However late a window is, it still contains a call that is no older than this share of it. */
const SURELY_WITHIN = 0.9;

/**
 * The table has one row `/openai/*`, so the paths below it share one limit. Here one path was refused,
 * another was accepted, and the first was refused again, all within the window of the first call and without
 * workers: so the other path has a separate limit.
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
  // A refilled bucket admits a few calls meanwhile.
  const refill = (requests * (last.receivedMs! - from.sentMs)) / windowMs;
  const isEarlierElsewhere = calls.some((call) => call.sentTick < from.sentTick && isElsewhere(call));
  const id = '8/openai-shares-one-allowance';
  if (elsewhere.length > refill + 1 && !isElsewhere(last)) {
    const actual = `${elsewhere.length} calls of other paths were accepted between two calls of ${path} that were answered with 429`;
    context.check(id, false, elsewhere.at(-1)!, actual);
  } else if (elsewhere.length === 0 && !isEarlierElsewhere && refused.some(isElsewhere)) context.pass(id);
}

/** There was no worker from before the call until its answer. */
function isIdle({ session: { workersAtFirst, workers } }: JudgingContext, call: CallEvent): boolean {
  const before = workers.findLast(({ receivedMs }) => receivedMs <= call.sentMs);
  const next = workers.find(({ receivedMs }) => receivedMs > call.sentMs);
  return (before?.workers ?? workersAtFirst) === 0 && (next === undefined || next.sentMs >= call.receivedMs!);
}
