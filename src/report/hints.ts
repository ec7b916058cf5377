/** Statistics of recorded traffic, as lines of a report: apart from verdicts, as they prove nothing. */
import type { Hint } from '../traffic/hints/hint.js';
import type { Report } from './report.js';

/** The title of `hintLines`. */
export const HINTS_TITLE = 'Hints: statistics, which prove nothing and change no verdict';

/** `7 of 7 submissions … (call 12). Look at its answer`. */
export const hintText = ({ text, call, next }: Hint): string => `${text} (call ${call}). Look at ${next}`;

/** A line for each; none without recorded traffic. */
export const hintLines = ({ hints = [] }: Pick<Report, 'hints'>): readonly string[] => hints.map(hintText);
