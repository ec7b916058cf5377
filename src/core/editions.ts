/** Which reading the endpoint follows where neither the document nor the edition answers a question. */
import { dialectOf } from '../spec/index.js';
import type { Dialect, Edition, FullDialect } from '../spec/index.js';

/** Edition `runpod`: where nothing is known of the service, what its clients get on best with. */
const RUNPOD_CHOICES: Dialect = {
  '2.4/times-of-never-run': 'absent',
  '2.4/output-of-failed': 'partial',
  '2.7/retried-counts': 'both',
  '4.1/wait-below-min': 'raised',
  '4.1/wait-above-max': 'lowered',
};

/** Every question answered: by the dialect, else by the edition, else by its first reading. */
export function readingsOf(dialect: Dialect, edition: Edition): FullDialect {
  return { ...dialectOf(edition), ...(edition === 'runpod' ? RUNPOD_CHOICES : {}), ...dialect };
}
