/** What section 5 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_5 = openIn('5', [
  {
    id: '5/key-forms',
    question: 'In which form is the key accepted?',
    quote: 'Whether the prefix is required or optional: not shown.',
    readings: [
      { id: 'both', text: 'bare and after `Bearer `' },
      { id: 'bare-only', text: 'bare only', onlyIn: ['document'] },
      { id: 'bearer-only', text: 'after `Bearer ` only' },
    ],
  },
  {
    id: '5/bearer-case',
    question: 'Is the prefix accepted in lower case?',
    readings: [
      { id: 'accepted', text: 'yes' },
      { id: 'refused', text: 'no' },
    ],
  },
  {
    id: '5/unauthorized-before-unknown-endpoint',
    question: 'What does a call without a valid key answer for an endpoint that does not exist?',
    readings: [
      { id: '401', text: '401' },
      { id: '404', text: '404' },
    ],
  },
  {
    id: '5/unauthorized-before-malformed',
    question: 'What does a malformed submission without a valid key answer?',
    readings: [
      { id: '401', text: '401' },
      { id: '400', text: '400' },
    ],
  },
  {
    id: '5/unauthorized-before-unknown-job',
    question: 'What does a call without a valid key answer for a job that does not exist?',
    readings: [
      { id: '401', text: '401' },
      { id: '404', text: '404' },
    ],
  },
  {
    id: '5/unknown-endpoint-before-malformed',
    question: 'What does a malformed submission to an endpoint that does not exist answer?',
    readings: [
      { id: '404', text: '404' },
      { id: '400', text: '400' },
    ],
  },
  {
    id: '5/challenge-header',
    question: 'Does an answer with status 401 contain `www-authenticate`?',
    readings: [
      { id: 'absent', text: 'no' },
      { id: 'present', text: 'yes' },
    ],
  },
]);
