/** What section 4 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4 = openIn('4', [
  {
    id: '4/success-code-runsync',
    question: 'Which code does a successful /runsync answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: '201', text: '201' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/success-code-run',
    question: 'Which code does a successful /run answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: '201', text: '201' },
      { id: '202', text: '202' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/success-code-status',
    question: 'Which code does a successful /status answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/success-code-stream',
    question: 'Which code does a successful /stream answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/success-code-cancel',
    question: 'Which code does a successful /cancel answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: '202', text: '202' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/success-code-retry',
    question: 'Which code does a successful /retry answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: '201', text: '201' },
      { id: '202', text: '202' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/success-code-purge-queue',
    question: 'Which code does a successful /purge-queue answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: '202', text: '202' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/success-code-health',
    question: 'Which code does a successful /health answer have?',
    readings: [
      { id: '200', text: '200' },
      { id: 'other-2xx', text: 'another 2xx' },
    ],
  },
  {
    id: '4/wrong-method',
    question: 'What does a path of the table answer to another method?',
    readings: [
      { id: '405', text: '405' },
      { id: '404', text: '404' },
      { id: '400', text: '400' },
      { id: 'same', text: 'the same as to the method of the table' },
    ],
  },
  {
    id: '4/unknown-path',
    question: 'What does a path below a known endpoint answer that is not an operation?',
    readings: [
      { id: '404', text: '404' },
      { id: '405', text: '405' },
      { id: '400', text: '400' },
    ],
  },
  {
    id: '4/missing-job-id',
    question: 'What does an operation on a job answer when the path ends before the id?',
    readings: [
      { id: '404', text: '404' },
      { id: '405', text: '405' },
      { id: '400', text: '400' },
    ],
  },
  {
    id: '4/trailing-slash',
    question: 'What does the path of an operation answer with a slash at its end?',
    readings: [
      { id: '404', text: '404' },
      { id: 'same', text: 'the same as without' },
      { id: 'redirect', text: 'a redirect to the path without' },
    ],
  },
  {
    id: '4/head-request',
    question: 'What does HEAD answer where GET is an operation?',
    readings: [
      { id: 'like-get', text: 'the headers of what GET answers' },
      { id: '405', text: '405' },
      { id: '404', text: '404' },
    ],
  },
  {
    id: '4/options-request',
    question: 'What does OPTIONS answer?',
    readings: [
      { id: '405', text: '405' },
      { id: '404', text: '404' },
      { id: 'success', text: 'a 2xx' },
      { id: '401', text: '401' },
    ],
  },
  {
    id: '4/unneeded-body',
    question: 'What happens to a body sent to an operation that has none?',
    readings: [
      { id: 'ignored', text: 'ignored' },
      { id: 'refused', text: 'refused with 400' },
    ],
  },
  {
    id: '4/unknown-query',
    question: 'What happens to query parameters that the document does not name?',
    readings: [
      { id: 'ignored', text: 'ignored' },
      { id: 'refused', text: 'refused with 400' },
    ],
  },
]);
