/** What section 4.2 of the document requires. */
import { inSection } from './rows.js';
import { RUN_RETENTION_MS } from '../limits.js';

export const SECTION_4_2 = inSection('4.2', [
  {
    id: '4.2/payload-up-to-limit-accepted',
    level: 'must',
    text: 'A /run body of 10,000,000 bytes is not refused for its size.',
    quote: 'Body: submission body (2.1). Maximum payload 10 MB.',
  },
  {
    id: '4.2/payload-above-limit-refused',
    level: 'must',
    text: 'A /run body of more than 10,485,760 bytes is refused.',
    quote: 'Body: submission body (2.1). Maximum payload 10 MB.',
  },
  {
    id: '4.2/status-in-queue',
    level: 'must',
    text: 'The `status` that /run answers is IN_QUEUE, whether or not a worker is free.',
    quote: 'where `status` is `IN_QUEUE`',
  },
  {
    id: '4.2/returns-at-once',
    level: 'must',
    text: '/run is answered without waiting for a worker or for the handler.',
    quote: 'Returns immediately.',
  },
  {
    id: '4.2/retention-kept',
    level: 'must',
    text: 'The result of a completed /run job can be read for 30 minutes after completion.',
    quote: 'Result retention: 30 minutes after completion.',
    waitMs: RUN_RETENTION_MS,
  },
  {
    id: '4.2/retention-gone',
    level: 'must',
    text: 'The result of a completed /run job is deleted 30 minutes after completion.',
    broken: 'Results of /run jobs are {not} deleted 30 minutes after completion',
    quote: 'Result retention: 30 minutes after completion.',
    waitMs: RUN_RETENTION_MS,
  },
  {
    id: '4.2/retention-from-completion',
    level: 'must',
    text: 'The retention of a /run result counts from completion, not from submission or start.',
    quote: 'Result retention: 30 minutes after completion.',
    needs: ['scripted-worker'],
    waitMs: RUN_RETENTION_MS,
  },
  {
    id: '4.2/retention-after-retry',
    level: 'must',
    text: 'The result of a /run job that was retried can be read for 30 minutes after its last completion.',
    quote: 'Result retention: 30 minutes after completion.',
    needs: ['scripted-worker'],
    waitMs: RUN_RETENTION_MS,
  },
  {
    id: '4.2/retention-not-restarted-by-reading',
    level: 'must',
    text: 'Calls that only read (/status, /stream, /health, /requests) do not prolong the retention of a /run result.',
    quote: 'Result retention: 30 minutes after completion.',
    waitMs: RUN_RETENTION_MS,
  },
]);
