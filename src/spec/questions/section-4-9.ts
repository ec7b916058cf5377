/** What section 4.9 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4_9 = openIn('4.9', [
  {
    id: '4.9/openai-answer',
    question: 'What does POST /openai/* answer?',
    quote: 'response shapes: not shown.',
    readings: [
      { id: 'worker-decides', text: 'what the worker makes of it' },
      { id: 'not-offered', text: 'an error: this endpoint does not offer it' },
    ],
    sticky: false,
  },
  {
    id: '4.9/requests-answer',
    question: 'What does GET /requests answer?',
    quote: 'response shapes: not shown.',
    readings: [
      { id: 'list-of-jobs', text: "a list of the endpoint's jobs" },
      { id: 'not-offered', text: 'an error: this endpoint does not offer it' },
      { id: 'other', text: 'something else' },
    ],
    sticky: false,
  },
]);
