/** What a failure of lateness cannot show by its first read: for how long the job stayed as it was. */
import type { ObservedJob } from '../model/observed-job.js';
import type { JobOperation } from '../model/operations.js';
import { seconds } from '../../util/duration.js';
import type { Contradiction, Later } from './contradiction.js';

/** What later reads of the job showed, where a timer had not expired in time; null for any other failure. */
export function laterReads(
  job: ObservedJob,
  op: JobOperation,
  contradiction: Contradiction | null,
): Later | null {
  if (contradiction?.kind !== 'time' || op.kind !== 'status' || op.observed === null) return null;
  // An upper bound was exceeded: it came too late, not too early.
  const ruled = contradiction.bounds.filter(({ requirement }) => requirement !== null);
  if (ruled.length === 0 || ruled.some(({ limit }) => limit !== 'at-most')) return null;
  const reads = job.operations
    .slice(job.operations.indexOf(op))
    .filter(({ kind, code }) => kind === 'status' && code > 0);
  const other = reads.findIndex(({ observed, code }) => observed !== op.observed || code !== op.code);
  const same = other === -1 ? reads : reads.slice(0, other);
  const lateMs = (same.at(-1)?.fromMs ?? op.fromMs) - (op.fromMs - contradiction.overMs);
  const after = other === -1 ? null : shownBy(reads[other]!);
  const looks = `${same.length} ${same.length === 1 ? 'read' : 'reads'}`;
  const end = after === null ? 'never in another state' : `then ${after}`;
  const text = `still ${op.observed} ${seconds(lateMs)} after the latest legal moment (${looks}), ${end}`;
  const tolerances = contradiction.bounds.filter(
    ({ from, limit, requirement, call }) =>
      limit === 'at-most' && from !== 'clock' && requirement === null && call === null,
  );
  const allowedMs = tolerances.reduce((sum, { ms }) => sum + ms, 0);
  return { text, still: op.observed, lateMs, timer: ruled[0]!.why, allowedMs, after };
}

const shownBy = ({ observed, code }: JobOperation): string =>
  code === 404 ? 'not found' : (observed ?? `answered ${code}`);
