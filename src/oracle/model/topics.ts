/** What requirements are about: where one is broken for a job, what the job shows of the same is no proof that it is kept. */
import type { RequirementId } from '../../spec/index.js';

/** Parts of ids. A requirement may be about several. */
const TOPICS: readonly (readonly string[])[] = [
  ['2.4/delay-time', '2.4/execution-time', '2.4/time'],
  ['/ttl-', '-ttl', 'outlives-default'],
  [
    'retention',
    '-result',
    '/result-',
    'does-not-consume',
    'failed-stays',
    'timed-out-stays',
    'completed-stays',
    'not-expired',
  ],
  ['execution-timeout', 'timed-out', 'long-run'],
  ['cancel'],
  ['retr', '4.6/'],
  ['purge', '4.7/'],
  [
    'success-',
    'not-completed-before',
    'error-fails',
    'crash',
    'completed-stays',
    'failed-stays',
    'every-job-is-processed',
    'retried-job-runs',
    'keeps-input',
  ],
  [
    'worker-takes',
    'waits-when',
    'than-workers',
    'low-priority',
    'start-moves',
    'starts-in-queue',
    'return-to-queue',
  ],
  ['shows-current-state', 'operation-status', 'no-return-to-queue'],
  ['webhook', '6/'],
];

/** They are about the same. */
export function areAkin(left: RequirementId, right: RequirementId): boolean {
  if (left === right) return true;
  return TOPICS.some((parts) => isAbout(left, parts) && isAbout(right, parts));
}

const isAbout = (id: RequirementId, parts: readonly string[]): boolean =>
  parts.some((part) => id.includes(part));
