/** What section 4.9 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_4_9 = [
  {
    id: '4.9/openai-answer',
    section: '4.9',
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
    section: '4.9',
    question: 'What does GET /requests answer?',
    quote: 'response shapes: not shown.',
    readings: [
      { id: 'list-of-jobs', text: "a list of the endpoint's jobs" },
      { id: 'not-offered', text: 'an error: this endpoint does not offer it' },
      { id: 'other', text: 'something else' },
    ],
    sticky: false,
  },
] as const satisfies readonly OpenQuestion[];
