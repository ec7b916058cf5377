/** What section 9 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_9 = openIn('9', [
  {
    id: '9/other-version-answer',
    question: 'What does a path with another version segment answer?',
    quote: 'The API version is the path segment `v2` in every operation path.',
    readings: [
      { id: '404', text: '404' },
      { id: '401', text: '401' },
      { id: 'other', text: 'something else' },
    ],
  },
]);
