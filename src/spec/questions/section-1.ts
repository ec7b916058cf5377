/** What section 1 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_1 = openIn('1', [
  {
    id: '1/queue-order',
    question: 'In which order do waiting jobs start?',
    quote: 'When no worker is free, the job waits in a queue.',
    readings: [
      { id: 'submission-order', text: 'in the order of submission' },
      { id: 'other-order', text: 'in another order' },
    ],
  },
  {
    id: '1/request-content-type-missing',
    question: 'What happens to a submission without a content type?',
    readings: [
      { id: 'accepted', text: 'the body is read as JSON anyway' },
      { id: 'refused-400', text: 'refused with 400' },
      { id: 'refused-415', text: 'refused with 415' },
    ],
  },
  {
    id: '1/request-content-type-other',
    question: 'What happens to a submission whose content type is not application/json?',
    readings: [
      { id: 'accepted', text: 'the body is read as JSON anyway' },
      { id: 'refused-400', text: 'refused with 400' },
      { id: 'refused-415', text: 'refused with 415' },
    ],
  },
  {
    id: '1/response-charset',
    question: 'Does the content type of an answer carry parameters?',
    quote: '(`content-type: application/json`)',
    readings: [
      { id: 'none', text: '`application/json` alone' },
      { id: 'charset', text: 'with parameters, such as a charset' },
    ],
    sticky: false,
  },
]);
