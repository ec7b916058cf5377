/** What section 2.5 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_2_5 = [
  {
    id: '2.5/metrics',
    section: '2.5',
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
    section: '2.5',
    question: 'Do chunks contain further members?',
    quote: null,
    readings: [
      { id: 'none', text: 'no' },
      { id: 'some', text: 'yes' },
    ],
    sticky: false,
  },
] as const satisfies readonly OpenQuestion[];
