/** What section 4.3 of the document requires. */
import { inSection } from './rows.js';
import { SECOND_MS, TTL_MIN_MS } from '../limits.js';

export const SECTION_4_3 = inSection('4.3', [
  {
    id: '4.3/ttl-optional',
    level: 'must',
    text: '/status without `ttl` answers the record and changes nothing about the job.',
    quote:
      'Query parameter `ttl` (optional): integer, milliseconds; sets the time-to-live of the individual job',
  },
  {
    id: '4.3/ttl-accepted',
    level: 'must',
    text: '/status with a `ttl` from 10000 to 7 days, of a waiting or running job, answers the same record as without.',
    quote:
      'Query parameter `ttl` (optional): integer, milliseconds; sets the time-to-live of the individual job',
  },
  {
    id: '4.3/ttl-shortens-life',
    level: 'must',
    text: 'A running or waiting job given a shorter `ttl` by /status is deleted when that time has passed since the call, or before.',
    quote:
      'Query parameter `ttl` (optional): integer, milliseconds; sets the time-to-live of the individual job',
    needs: ['scripted-worker'],
    waitMs: TTL_MIN_MS,
  },
  {
    id: '4.3/ttl-lengthens-life',
    level: 'must',
    text: 'A running or waiting job given a longer `ttl` by /status is not deleted before that time has passed since submission.',
    quote:
      'Query parameter `ttl` (optional): integer, milliseconds; sets the time-to-live of the individual job',
    needs: ['scripted-worker'],
    waitMs: TTL_MIN_MS,
  },
  {
    id: '4.3/ttl-not-at-once',
    level: 'must',
    text: 'A running or waiting job given a `ttl` of 10000 or more by /status is not deleted before that time has passed since submission.',
    quote:
      'Query parameter `ttl` (optional): integer, milliseconds; sets the time-to-live of the individual job',
    needs: ['scripted-worker'],
    waitMs: TTL_MIN_MS,
  },
  {
    id: '4.3/ttl-of-the-example',
    level: 'should',
    text: 'A `ttl` of 6000 given by /status to a waiting or running job applies, although it is below the minimum of `policy.ttl`: the call succeeds, and the job is deleted when that time has passed.',
    quote: '(a value of 6000 means 6 seconds)',
    needs: ['scripted-worker'],
    waitMs: 6 * SECOND_MS,
  },
  {
    id: '4.3/ttl-this-job-only',
    level: 'must',
    text: 'A `ttl` given by /status has no effect on other jobs.',
    quote:
      'Query parameter `ttl` (optional): integer, milliseconds; sets the time-to-live of the individual job',
    needs: ['scripted-worker'],
    waitMs: TTL_MIN_MS,
  },
  {
    id: '4.3/shows-current-state',
    level: 'must',
    text: 'The record shows the state of the job at the time of the call.',
    quote:
      'Response: job record with `id`, `status`, `delayTime`, `executionTime` and, when available, `output`.',
  },
  {
    id: '4.3/reading-does-not-consume',
    level: 'must',
    text: 'Reading a result does not remove or change it: every read within retention returns the same.',
    quote:
      'Response: job record with `id`, `status`, `delayTime`, `executionTime` and, when available, `output`.',
  },
]);
