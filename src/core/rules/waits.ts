/** Section 4.1: calls that wait for a job. */
import type { JobStatus } from '../../spec/types.js';
import type { JobView, StopReason } from '../entities.js';
import type { ReadingOf } from './reads.js';

/** The answer to a waiting call; `at-wait-end`: none before the end of `wait`. */
export type WaitAnswer = 'record' | 'not-found' | 'other-error' | 'at-wait-end';

export function waitRules(readingOf: ReadingOf) {
  const onCancel = readingOf('4.1/cancelled-during-wait');
  const onTtl = readingOf('4.1/ttl-during-wait');
  const onPurge = readingOf('4.1/purge-during-wait');
  const hangUp = readingOf('4.1/hang-up');

  return {
    /** §4.1: a waiting call is answered as soon as its job has ended. */
    endsWait: (status: JobStatus): boolean => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS',

    /** §4.1: the answer when the job has ended. */
    waitAnswerOnEnd: (job: JobView): WaitAnswer => (job.status === 'CANCELLED' ? onCancel : 'record'),

    /** §4.1: the answer when the job was deleted. Contract test-control, 6: an emptied endpoint means 404. */
    waitAnswerOnRemoval: (_job: JobView, reason: StopReason): WaitAnswer =>
      reason === 'ttl' ? onTtl : reason === 'purge' ? onPurge : 'not-found',

    /** §4.1: the end of `wait` does not stop the job. */
    elapsedWaitStopsJob: (_job: JobView): boolean => false,

    /** §4.1: whether a client that disconnects cancels its job. */
    hangUpCancels: (_job: JobView): boolean => hangUp === 'cancelled',
  };
}
