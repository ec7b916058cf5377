/** What section 4.6 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4_6 = openIn('4.6', [
  {
    id: '4.6/wrong-state-answer-in-queue',
    question: 'What does /retry answer for a waiting job?',
    quote: 'The response to a retry of a job in any other state: not shown.',
    readings: [
      { id: 'refused-400', text: '400' },
      { id: 'refused-404', text: '404' },
      { id: 'refused-409', text: '409' },
      { id: 'refused-422', text: '422' },
      { id: 'success-without-effect', text: 'success, with the current state; nothing changes' },
      { id: 'other-error', text: 'another error' },
    ],
  },
  {
    id: '4.6/wrong-state-answer-in-progress',
    question: 'What does /retry answer for a running job?',
    quote: 'The response to a retry of a job in any other state: not shown.',
    readings: [
      { id: 'refused-400', text: '400' },
      { id: 'refused-404', text: '404' },
      { id: 'refused-409', text: '409' },
      { id: 'refused-422', text: '422' },
      { id: 'success-without-effect', text: 'success, with the current state; nothing changes' },
      { id: 'other-error', text: 'another error' },
    ],
  },
  {
    id: '4.6/wrong-state-answer-completed',
    question: 'What does /retry answer for a completed job?',
    quote: 'The response to a retry of a job in any other state: not shown.',
    readings: [
      { id: 'refused-400', text: '400' },
      { id: 'refused-404', text: '404' },
      { id: 'refused-409', text: '409' },
      { id: 'refused-422', text: '422' },
      { id: 'success-without-effect', text: 'success, with the current state; nothing changes' },
      { id: 'other-error', text: 'another error' },
    ],
  },
  {
    id: '4.6/wrong-state-answer-cancelled',
    question: 'What does /retry answer for a cancelled job?',
    quote: 'The response to a retry of a job in any other state: not shown.',
    readings: [
      { id: 'refused-400', text: '400' },
      { id: 'refused-404', text: '404' },
      { id: 'refused-409', text: '409' },
      { id: 'refused-422', text: '422' },
      { id: 'success-without-effect', text: 'success, with the current state; nothing changes' },
      { id: 'other-error', text: 'another error' },
    ],
  },
  {
    id: '4.6/queue-position',
    question: 'Where in the queue does a retried job stand?',
    quote: 'Requeues a job with the same id and original input',
    readings: [
      { id: 'back', text: 'behind the jobs that wait' },
      { id: 'front', text: 'before them' },
      { id: 'by-submission', text: 'where its submission puts it' },
    ],
  },
  {
    id: '4.6/retention-after-retry',
    question: 'How long is the result of a retried /runsync job kept?',
    readings: [
      { id: 'as-runsync', text: 'as that of any /runsync job' },
      { id: 'as-run', text: '30 minutes, as that of a /run job' },
    ],
  },
  {
    id: '4.6/output-after-retry',
    question: 'What is `output` between the retry and the end of the new run?',
    quote: 'removes the previous output',
    readings: [
      { id: 'absent', text: 'not there' },
      { id: 'null', text: 'null' },
    ],
  },
]);
