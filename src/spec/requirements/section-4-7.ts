/** What section 4.7 of the document requires. */
import { inSection } from './rows.js';
import { WAIT_MIN_MS } from '../limits.js';

export const SECTION_4_7 = inSection('4.7', [
  {
    id: '4.7/removes-all-waiting',
    level: 'must',
    text: 'After /purge-queue, no job that was waiting before is left in the queue.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '4.7/removes-waiting-runsync',
    level: 'must',
    text: 'Waiting jobs submitted by /runsync are purged, too.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    waitMs: WAIT_MIN_MS,
  },
  {
    id: '4.7/removes-waiting-retried',
    level: 'must',
    text: 'Jobs that wait after a retry are purged, too.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '4.7/removes-waiting-low-priority',
    level: 'must',
    text: 'Waiting jobs with `lowPriority` are purged, too.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '4.7/second-purge-removes-nothing',
    level: 'must',
    text: 'A second /purge-queue removes 0 jobs if nothing was submitted in between.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '4.7/empty-queue-removes-nothing',
    level: 'must',
    text: '/purge-queue of an empty queue answers `removed` 0.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['worker-count-known', 'dedicated'],
  },
  {
    id: '4.7/purged-jobs-never-run',
    level: 'must',
    text: 'A purged job is never run.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '4.7/later-jobs-unaffected',
    level: 'must',
    text: 'Jobs submitted after /purge-queue are queued and processed as usual.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['dedicated'],
  },
  {
    id: '4.7/keeps-finished',
    level: 'must',
    text: '/purge-queue removes no job that has ended.',
    quote: 'Removes all jobs waiting in the queue',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.7/keeps-running',
    level: 'must',
    text: 'A job that is running at /purge-queue continues and ends as its handler decides.',
    quote: 'jobs in progress keep running',
    needs: ['scripted-worker', 'dedicated'],
  },
]);
