/** What section 5 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_5 = [
  {
    id: '5/key-forms',
    section: '5',
    question: 'In which form is the key accepted?',
    quote: 'Whether the prefix is required or optional: not shown.',
    readings: [
      { id: 'both', text: 'bare and after `Bearer `' },
      { id: 'bare-only', text: 'bare only', onlyIn: ['document'] },
      { id: 'bearer-only', text: 'after `Bearer ` only' },
    ],
    sticky: true,
  },
  {
    id: '5/bearer-case',
    section: '5',
    question: 'Is the prefix accepted in lower case?',
    quote: null,
    readings: [
      { id: 'accepted', text: 'yes' },
      { id: 'refused', text: 'no' },
    ],
    sticky: true,
  },
  {
    id: '5/unauthorized-before-unknown-endpoint',
    section: '5',
    question: 'What does a call without a valid key answer for an endpoint that does not exist?',
    quote: null,
    readings: [
      { id: '401', text: '401' },
      { id: '404', text: '404' },
    ],
    sticky: true,
  },
  {
    id: '5/unauthorized-before-malformed',
    section: '5',
    question: 'What does a malformed submission without a valid key answer?',
    quote: null,
    readings: [
      { id: '401', text: '401' },
      { id: '400', text: '400' },
    ],
    sticky: true,
  },
  {
    id: '5/unauthorized-before-unknown-job',
    section: '5',
    question: 'What does a call without a valid key answer for a job that does not exist?',
    quote: null,
    readings: [
      { id: '401', text: '401' },
      { id: '404', text: '404' },
    ],
    sticky: true,
  },
  {
    id: '5/unknown-endpoint-before-malformed',
    section: '5',
    question: 'What does a malformed submission to an endpoint that does not exist answer?',
    quote: null,
    readings: [
      { id: '404', text: '404' },
      { id: '400', text: '400' },
    ],
    sticky: true,
  },
  {
    id: '5/challenge-header',
    section: '5',
    question: 'Does an answer with status 401 contain `www-authenticate`?',
    quote: null,
    readings: [
      { id: 'absent', text: 'no' },
      { id: 'present', text: 'yes' },
    ],
    sticky: true,
  },
] as const satisfies readonly OpenQuestion[];
