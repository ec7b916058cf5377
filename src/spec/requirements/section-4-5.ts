/** What section 4.5 of the document requires. */
import type { Requirement } from '../types.js';
import { WAIT_MIN_MS } from '../limits.js';

export const SECTION_4_5 = [
  {
    id: '4.5/this-job-only',
    section: '4.5',
    level: 'must',
    text: '/cancel has no effect on other jobs.',
    quote: 'No body. Stops an in-progress job or removes a queued job before it starts',
    needs: [],
    waitMs: 0,
  },
  {
    id: '4.5/cancels-runsync-job',
    section: '4.5',
    level: 'must',
    text: 'A job submitted by /runsync can be cancelled like one submitted by /run.',
    quote: 'No body. Stops an in-progress job or removes a queued job before it starts',
    needs: ['scripted-worker'],
    waitMs: WAIT_MIN_MS,
  },
  {
    id: '4.5/cancels-retried-job',
    section: '4.5',
    level: 'must',
    text: 'A job that waits or runs after a retry can be cancelled like any other.',
    quote: 'No body. Stops an in-progress job or removes a queued job before it starts',
    needs: ['scripted-worker', 'worker-count-known'],
    waitMs: 0,
  },
  {
    id: '4.5/returns-at-once',
    section: '4.5',
    level: 'must',
    text: '/cancel is answered without waiting for the handler to end.',
    quote: 'returns immediately',
    needs: [],
    waitMs: 0,
  },
  {
    id: '4.5/status-cancelled-queued',
    section: '4.5',
    level: 'must',
    text: '/cancel of a waiting job answers `status` CANCELLED.',
    quote: 'Response: `{id: string, status: string}` with `status` equal to `CANCELLED`.',
    needs: ['scripted-worker', 'worker-count-known'],
    waitMs: 0,
  },
  {
    id: '4.5/status-cancelled-running',
    section: '4.5',
    level: 'must',
    text: '/cancel of a running job answers `status` CANCELLED.',
    quote: 'Response: `{id: string, status: string}` with `status` equal to `CANCELLED`.',
    needs: ['scripted-worker'],
    waitMs: 0,
  },
] as const satisfies readonly Requirement[];
