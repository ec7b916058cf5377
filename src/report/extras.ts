/** What a report finds besides its rows: readings that drifted, and where Runproof itself was wrong. */
import { formatDrift } from './dialect.js';
import { escapeControls } from './escape.js';
import type { Report } from './report.js';

export interface Extra {
  readonly suite: 'dialect' | 'self-check';
  /** The question, or the condition. */
  readonly id: string;
  readonly text: string;
}

export const extrasOf = ({ dialect, conditions = [] }: Partial<Report>): readonly Extra[] => [
  ...(dialect?.drift ?? []).map((drift): Extra => ({
    suite: 'dialect',
    id: drift.question,
    text: formatDrift(drift),
  })),
  ...conditions.flatMap(({ weather: { id }, selfCheck }) =>
    selfCheck.map((line): Extra => {
      const text = `Runproof itself was wrong under ${id}: please report it: ${escapeControls(line)}`;
      return { suite: 'self-check', id, text };
    }),
  ),
];
