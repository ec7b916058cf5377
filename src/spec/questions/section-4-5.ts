/** What section 4.5 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_4_5 = [
  {
    id: '4.5/cancel-ended-answer',
    section: '4.5',
    question: 'What does /cancel answer for a job that has ended?',
    quote: null,
    readings: [
      { id: 'refused-400', text: '400' },
      { id: 'refused-404', text: '404' },
      { id: 'refused-409', text: '409' },
      { id: 'status-as-it-is', text: 'success, with the current status' },
      { id: 'status-cancelled', text: 'success, with status CANCELLED' },
      { id: 'other-error', text: 'another error' },
    ],
    sticky: false,
  },
  {
    id: '4.5/cancel-ended-effect',
    section: '4.5',
    question: 'Does /cancel change a job that has ended?',
    quote: null,
    readings: [
      { id: 'none', text: 'no' },
      { id: 'cancelled', text: 'it becomes CANCELLED' },
      { id: 'removed', text: 'it is no longer found' },
    ],
    sticky: true,
  },
  {
    id: '4.5/cancel-twice',
    section: '4.5',
    question: 'What does /cancel answer for a job that is cancelled already?',
    quote: null,
    readings: [
      { id: 'refused-400', text: '400' },
      { id: 'refused-404', text: '404' },
      { id: 'refused-409', text: '409' },
      { id: 'status-cancelled', text: 'success, with status CANCELLED' },
      { id: 'other-error', text: 'another error' },
    ],
    sticky: true,
  },
  {
    id: '4.5/worker-after-cancel',
    section: '4.5',
    question: 'When is the worker of a cancelled job free again?',
    quote: 'Stops an in-progress job',
    readings: [
      { id: 'at-once', text: 'at once' },
      { id: 'later', text: 'after a restart' },
    ],
    sticky: false,
  },
] as const satisfies readonly OpenQuestion[];
