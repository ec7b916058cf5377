/** What section 9 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_9 = [
  {
    id: '9/other-version-answer',
    section: '9',
    question: 'What does a path with another version segment answer?',
    quote: 'The API version is the path segment `v2` in every operation path.',
    readings: [
      { id: '404', text: '404' },
      { id: '401', text: '401' },
      { id: 'other', text: 'something else' },
    ],
    sticky: true,
  },
] as const satisfies readonly OpenQuestion[];
