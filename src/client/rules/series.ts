/**
 * Calls of one series ask for the same: the same operation on the same job, or a submission of the same body. A client
 * that tries again adds to a series.
 */
import { getOrMake } from '../../util/maps.js';
import type { ClientCall, SeenSession } from '../session.js';
import { jsonOf } from '../../history/exchange.js';
import { acceptedId, codeOf, isSubmission, jobOf, operationCalls, retryAfterMs } from './calls.js';

/** All series, each in the order in which its calls began. Submissions whose body is not known belong to none. */
export function seriesOf(session: SeenSession): readonly (readonly ClientCall[])[] {
  const series = new Map<string, ClientCall[]>();
  for (const call of operationCalls(session)) {
    const name = nameOf(call);
    if (name !== null) getOrMake(series, name, (): ClientCall[] => []).push(call);
  }
  return [...series.values()];
}

function nameOf(call: ClientCall): string | null {
  const { operation, job } = call.names!;
  if (!isSubmission(call)) return `${operation} ${job ?? ''}`;
  const value = jsonOf(call.request.body);
  return value === undefined ? null : `${operation} ${JSON.stringify(value)}`;
}

/** Calls of a series in a row that were answered with 429 without `Retry-After`, and the call after them. */
export interface LimitedRun {
  readonly calls: readonly ClientCall[];
  readonly next: ClientCall | null;
  /** Whether no failed call stands right before them, after which the client may have been waiting longer already. */
  readonly fresh: boolean;
}

export function limitedRuns(
  { weather, calls }: SeenSession,
  series: readonly ClientCall[],
): readonly LimitedRun[] {
  if (!series.some(isLimited)) return [];
  // The first calls of a series may be missing, but for reads of a job whose submission is not.
  const job = jobOf(series[0]!);
  const isWhole = weather !== null || (job !== null && calls.some((call) => acceptedId(call) === job));
  const runs: LimitedRun[] = [];
  let from = 0;
  while (from < series.length) {
    let to = from;
    while (to < series.length && isLimited(series[to]!)) to += 1;
    if (to > from) {
      const before = series[from - 1];
      runs.push({
        calls: series.slice(from, to),
        next: series[to] ?? null,
        fresh: before === undefined ? isWhole : (codeOf(before) ?? 500) < 300,
      });
    }
    from = to + 1;
  }
  return runs;
}

const isLimited = (call: ClientCall): boolean => codeOf(call) === 429 && retryAfterMs(call) === null;
