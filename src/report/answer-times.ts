/** How long answers took, for each operation. Only where real time passed: on a clock that is moved, an answer takes none. */
import type { HistoryEvent } from '../history/events.js';
import { MAIN_OPERATIONS, type MainOperation } from '../spec/operations.js';
import type { Operation } from '../spec/types.js';
import { formatDuration } from './formatting.js';
import type { Report } from './report.js';

/** For each operation, how many answers took so many ms of the history's clock. Unlike percentiles, they add up. */
export type AnswerCounts = ReadonlyMap<Operation, ReadonlyMap<number, number>>;

/**
 * How long the answers to one operation took, in ms of real time, from the request to the end of the reply. `p90Ms`: 90 % of
 * them took that long or less. A `/runsync` waits for its job.
 *
 * @internal
 */
export interface AnswerTimes {
  readonly op: MainOperation;
  /** The calls that were answered; calls without an answer, and those whose body was held back, do not count. */
  readonly calls: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function countAnswers(history: readonly HistoryEvent[]): AnswerCounts {
  const counts = new Map<Operation, Map<number, number>>();
  for (const event of history)
    if (event.kind === 'call' && event.op !== null && event.receivedMs !== null && event.held === undefined)
      add(counts, event.op, event.receivedMs - event.sentMs, 1);
  return counts;
}

export function sumOfAnswers(one: AnswerCounts, other: AnswerCounts): AnswerCounts {
  const sum = new Map<Operation, Map<number, number>>();
  for (const [op, times] of [...one, ...other]) for (const [ms, count] of times) add(sum, op, ms, count);
  return sum;
}

function add(counts: Map<Operation, Map<number, number>>, op: Operation, ms: number, more: number): void {
  const times = counts.get(op) ?? new Map<number, number>();
  counts.set(op, times.set(ms, (times.get(ms) ?? 0) + more));
}

/** @param speed how many times as fast as real time the clock ran */
export function answerTimes(counts: AnswerCounts, speed = 1): readonly AnswerTimes[] {
  return MAIN_OPERATIONS.flatMap((op) => {
    const times = [...(counts.get(op) ?? [])].sort(([left], [right]) => left - right);
    const calls = times.reduce((sum, [, count]) => sum + count, 0);
    if (calls === 0) return [];
    const within = (percent: number): number => {
      let left = Math.ceil((calls * percent) / 100);
      return Math.round(times.find(([, count]) => (left -= count) <= 0)![0] / speed);
    };
    return [{ op, calls, p50Ms: within(50), p90Ms: within(90), p99Ms: within(99), maxMs: within(100) }];
  });
}

/** As texts, the headings first; empty where nothing is known. */
export function answerTable({ answerTimes: all = [] }: Report): readonly (readonly string[])[] {
  if (all.length === 0) return [];
  const rows = all.map(({ op, calls, p50Ms, p90Ms, p99Ms, maxMs }) => [
    ...[`/${op}`, `${calls}`],
    ...[p50Ms, p90Ms, p99Ms, maxMs].map(formatDuration),
  ]);
  return [['Operation', 'Answers', 'p50', 'p90', 'p99', 'max'], ...rows];
}

export const ANSWERS_TITLE = 'How long answers took';
