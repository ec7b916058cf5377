import type { HistoryEvent } from '../src/history/events.js';
import type { ReportFailure } from '../src/report/report.js';

/** The events by what the checks ask for. */
export interface History {
  readonly call: ReadonlyMap<number, unknown>;
}

/** What becomes of a failure, the `nth` of its requirement from 1. */
export interface Row {
  readonly id: string;
  readonly nth: number;
  readonly kind: 'answer' | 'time' | 'order' | 'number';
  readonly result: 'verified' | 'REFUSED' | 'not checkable';
  readonly how: string;
}

interface Requirement {
  readonly id: string;
  readonly failures: readonly ReportFailure[];
}

export function historyOf(events: readonly HistoryEvent[]): History;
export function checkReport(
  report: { readonly requirements: readonly Requirement[] },
  history: History,
): readonly Row[];
/** Prints a row for each failure and the totals. 0: no proof is refused; 1: at least one is; 2: a file cannot be read. */
export function main(
  args: readonly string[],
  write: (text: string) => void,
  complain: (text: string) => void,
): 0 | 1 | 2;
