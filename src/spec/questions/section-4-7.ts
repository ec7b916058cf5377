/** What section 4.7 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4_7 = openIn('4.7', [
  {
    id: '4.7/purged-job-status',
    question: 'What does /status answer for a purged job?',
    quote: 'Removes all jobs waiting in the queue',
    readings: [
      { id: 'not-found', text: '404' },
      { id: 'CANCELLED', text: 'its record, with status CANCELLED' },
      { id: 'FAILED', text: 'its record, with status FAILED' },
      { id: 'other', text: 'something else' },
    ],
  },
]);
