/** Section 4.1: calls that wait for their job. */
import type { JobStatus } from '../../spec/types.js';
import type { JobView, StopReason } from '../entities.js';
import type { ReadingOf } from './reads.js';

/** What a waiting call is told: its job's record, that there is no such job, an error, or nothing yet. */
export type WaitAnswer = 'record' | 'not-found' | 'other-error' | 'at-wait-end';

export function waitRules(readingOf: ReadingOf) {
  const onCancel = readingOf('4.1/cancelled-during-wait');
  const onTtl = readingOf('4.1/ttl-during-wait');
  const onPurge = readingOf('4.1/purge-during-wait');
  const hangUp = readingOf('4.1/hang-up');

  return {
    /** §4.1: a waiting call is answered as soon as its job has ended. */
    endsWait: (status: JobStatus): boolean => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS',

    /** §4.1: what it is told when its job was cancelled. */
    waitAnswerOnEnd: (job: JobView): WaitAnswer => (job.status === 'CANCELLED' ? onCancel : 'record'),

    /** §4.1: what it is told when its job is no longer there. Contract test-control, 6: emptied means 404. */
    waitAnswerOnRemoval: (_job: JobView, reason: StopReason): WaitAnswer =>
      reason === 'ttl' ? onTtl : reason === 'purge' ? onPurge : 'not-found',

    /** §4.1: what `wait` sets ends with the call: the job goes on. */
    elapsedWaitStopsJob: (_job: JobView): boolean => false,

    /** §4.1: the client went away. */
    hangUpCancels: (_job: JobView): boolean => hangUp === 'cancelled',
  };
}
