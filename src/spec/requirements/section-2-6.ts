/** What section 2.6 of the document requires. */
import { inSection } from './rows.js';

export const SECTION_2_6 = inSection('2.6', [
  {
    id: '2.6/removed-integer',
    level: 'must',
    text: 'A purge result contains `removed`, a non-negative integer.',
    quote: '| `removed` | integer (number of queued jobs removed) |',
    needs: ['dedicated'],
    countInAnswer: { op: 'purge-queue', field: 'removed' },
  },
  {
    id: '2.6/removed-counts-queued',
    level: 'must',
    text: '`removed` is the number of queued jobs that the call removed.',
    quote: '| `removed` | integer (number of queued jobs removed) |',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '2.6/status-completed',
    level: 'must',
    text: 'A purge result contains `status` with exactly the value `completed`, in lower case.',
    quote: '| `status` | string (the value `completed`, lower case) |',
    needs: ['dedicated'],
  },
]);
