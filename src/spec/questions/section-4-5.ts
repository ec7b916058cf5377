/** What section 4.5 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4_5 = openIn('4.5', [
  {
    id: '4.5/cancel-ended-answer',
    question: 'What does /cancel answer for a job that has ended?',
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
    question: 'Does /cancel change a job that has ended?',
    readings: [
      { id: 'none', text: 'no' },
      { id: 'cancelled', text: 'it becomes CANCELLED' },
      { id: 'removed', text: 'it is no longer found' },
    ],
  },
  {
    id: '4.5/cancel-twice',
    question: 'What does /cancel answer for a job that is cancelled already?',
    readings: [
      { id: 'refused-400', text: '400' },
      { id: 'refused-404', text: '404' },
      { id: 'refused-409', text: '409' },
      { id: 'status-cancelled', text: 'success, with status CANCELLED' },
      { id: 'other-error', text: 'another error' },
    ],
  },
  {
    id: '4.5/worker-after-cancel',
    question: 'When is the worker of a cancelled job free again?',
    quote: 'Stops an in-progress job',
    readings: [
      { id: 'at-once', text: 'at once' },
      { id: 'later', text: 'after a restart' },
    ],
    sticky: false,
  },
]);
