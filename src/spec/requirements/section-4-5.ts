/** What section 4.5 of the document requires. */
import { inSection } from './rows.js';
import { WAIT_MIN_MS } from '../limits.js';

export const SECTION_4_5 = inSection('4.5', [
  {
    id: '4.5/this-job-only',
    level: 'must',
    text: '/cancel has no effect on other jobs.',
    quote: 'No body. Stops an in-progress job or removes a queued job before it starts',
  },
  {
    id: '4.5/cancels-runsync-job',
    level: 'must',
    text: 'A job submitted by /runsync can be cancelled like one submitted by /run.',
    quote: 'No body. Stops an in-progress job or removes a queued job before it starts',
    needs: ['scripted-worker'],
    waitMs: WAIT_MIN_MS,
  },
  {
    id: '4.5/cancels-retried-job',
    level: 'must',
    text: 'A job that waits or runs after a retry can be cancelled like any other.',
    quote: 'No body. Stops an in-progress job or removes a queued job before it starts',
    needs: ['scripted-worker', 'worker-count-known'],
  },
  {
    id: '4.5/returns-at-once',
    level: 'must',
    text: '/cancel is answered without waiting for the handler to end.',
    quote: 'returns immediately',
  },
  {
    id: '4.5/status-cancelled-queued',
    level: 'must',
    text: '/cancel of a waiting job answers `status` CANCELLED.',
    quote: 'Response: `{id: string, status: string}` with `status` equal to `CANCELLED`.',
    needs: ['scripted-worker', 'worker-count-known'],
  },
  {
    id: '4.5/status-cancelled-running',
    level: 'must',
    text: '/cancel of a running job answers `status` CANCELLED.',
    quote: 'Response: `{id: string, status: string}` with `status` equal to `CANCELLED`.',
    needs: ['scripted-worker'],
  },
]);
