/** What section 2.6 of the document requires. */
import type { Requirement } from '../types.js';

export const SECTION_2_6 = [
  {
    id: '2.6/removed-integer',
    section: '2.6',
    level: 'must',
    text: 'A purge result contains `removed`, a non-negative integer.',
    quote: '| `removed` | integer (number of queued jobs removed) |',
    needs: ['dedicated'],
    waitMs: 0,
    countInAnswer: { op: 'purge-queue', field: 'removed' },
  },
  {
    id: '2.6/removed-counts-queued',
    section: '2.6',
    level: 'must',
    text: '`removed` is the number of queued jobs that the call removed.',
    quote: '| `removed` | integer (number of queued jobs removed) |',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    waitMs: 0,
  },
  {
    id: '2.6/status-completed',
    section: '2.6',
    level: 'must',
    text: 'A purge result contains `status` with exactly the value `completed`, in lower case.',
    quote: '| `status` | string (the value `completed`, lower case) |',
    needs: ['dedicated'],
    waitMs: 0,
  },
] as const satisfies readonly Requirement[];
