/** Jobs that come and go: what answers may be several servers that do not share their jobs. */
import type { StatusObservation } from '../jobs/status-observations.js';
import type { JudgingContext } from '../context/judging-context.js';

/** One server loses and finds single jobs for other reasons. */
const JOBS_MIN = 3;

/** A load balancer before servers without a common store is told first: what fails then fails by it. */
export function warnOfSeveralServers({ jobs, ledger }: JudgingContext): void {
  const count = jobs.filter(({ reads }) => comesBack(reads)).length;
  if (count < JOBS_MIN) return;
  ledger.warn(
    `${count} jobs were answered with 200, 404, and 200 again: perhaps several servers answer that do not share their jobs. ` +
      'Check one of them by its own address first',
  );
}

/** It was there, was not found, and was there again. */
function comesBack(reads: readonly StatusObservation[]): boolean {
  const first = reads.findIndex(({ observed }) => observed !== 'GONE');
  const gone = reads.findIndex(({ observed }, at) => first >= 0 && at > first && observed === 'GONE');
  return gone >= 0 && reads.slice(gone).some(({ observed }) => observed !== 'GONE');
}
