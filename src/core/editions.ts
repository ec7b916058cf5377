/** Which reading of each open question the service follows. */
import { dialectOf } from '../spec/index.js';
import type { Dialect, Edition, FullDialect } from '../spec/index.js';

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
