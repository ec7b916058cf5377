/** What section 2.5 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_2_5 = openIn('2.5', [
  {
    id: '2.5/metrics',
    question: 'Which `metrics` do chunks contain?',
    quote: '`metrics` (optional, worker-defined)',
    readings: [
      { id: 'as-set', text: 'those that the worker set' },
      { id: 'left-out', text: 'none, even where the worker set some' },
      { id: 'own', text: 'further ones that the worker did not set' },
    ],
    sticky: false,
  },
  {
    id: '2.5/chunk-other-fields',
    question: 'Do chunks contain further members?',
    readings: [
      { id: 'none', text: 'no' },
      { id: 'some', text: 'yes' },
    ],
    sticky: false,
  },
]);
