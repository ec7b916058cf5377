/** What a report finds besides its rows: readings that drifted, and where Runproof itself was wrong. */
import { selfChecksIn } from './client/build.js';
import { formatDrift } from './dialect.js';
import type { Report } from './report.js';

export interface Extra {
  readonly suite: 'dialect' | 'self-check';
  /** The question, or the condition. */
  readonly id: string;
  readonly text: string;
}

export const extrasOf = (report: Pick<Report, 'dialect' | 'conditions'>): readonly Extra[] => [
  ...(report.dialect?.drift ?? []).map((drift): Extra => ({
    suite: 'dialect',
    id: drift.question,
    text: formatDrift(drift),
  })),
  ...selfChecksIn(report).map(({ condition, text }): Extra => ({ suite: 'self-check', id: condition, text })),
];
