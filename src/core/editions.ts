/** Which reading of each open question the service follows. */
import { dialectOf } from '../spec/index.js';
import type { Dialect, Edition, FullDialect, QuestionId } from '../spec/index.js';

/**
 * Edition `runpod`: readings that suit its clients best, for questions without evidence from the deployed
 * service.
 */
const RUNPOD_CHOICES: Dialect = {
  '2.4/times-of-never-run': 'absent',
  '2.4/output-of-failed': 'partial',
  '2.7/retried-counts': 'both',
  '4.1/wait-below-min': 'raised',
  '4.1/wait-above-max': 'lowered',
};

/**
 * A reading for every question: from the dialect, else from the edition, else the first reading of the
 * question.
 */
export function readingsOf(dialect: Dialect, edition: Edition): FullDialect {
  return { ...dialectOf(edition), ...(edition === 'runpod' ? RUNPOD_CHOICES : {}), ...dialect };
}

/** Readings that the core cannot implement, each with the reason. */
export const NOT_MADE: readonly {
  readonly question: QuestionId;
  readonly reading: string;
  readonly why: string;
}[] = [
  {
    question: '4.4/second-read',
    reading: 'at-least-once',
    why: 'the core is not told whether an answer arrived',
  },
  { question: '6/redirect', reading: 'followed', why: 'no address is called that no submission names' },
];
