/** What section 2.3 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_2_3 = openIn('2.3', [
  {
    id: '2.3/required-fields',
    question: 'Which of the four fields must an `s3Config` contain?',
    quote: 'Which of the four fields are required: not shown.',
    readings: [
      { id: 'none', text: 'none' },
      { id: 'all', text: 'all four' },
      { id: 'some', text: 'some of them' },
    ],
  },
  {
    id: '2.3/unknown-fields',
    question: 'What happens to fields of `s3Config` that the document does not name?',
    quote: 'The service only passes this information along',
    readings: [
      { id: 'passed-along', text: 'passed along to the worker' },
      { id: 'dropped', text: 'left out' },
      { id: 'refused', text: 'refused with 400' },
    ],
  },
  {
    id: '2.3/field-types',
    question: 'What happens to a field of `s3Config` that is not a string?',
    quote: 'The service only passes this information along',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'passed-along', text: 'passed along to the worker' },
    ],
  },
]);
