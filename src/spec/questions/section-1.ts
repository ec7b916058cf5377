/** What section 1 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_1 = [
  {
    id: '1/queue-order',
    section: '1',
    question: 'In which order do waiting jobs start?',
    quote: 'When no worker is free, the job waits in a queue.',
    readings: [
      { id: 'submission-order', text: 'in the order of submission' },
      { id: 'other-order', text: 'in another order' },
    ],
    sticky: true,
  },
  {
    id: '1/request-content-type-missing',
    section: '1',
    question: 'What happens to a submission without a content type?',
    quote: null,
    readings: [
      { id: 'accepted', text: 'the body is read as JSON all the same' },
      { id: 'refused-400', text: 'refused with 400' },
      { id: 'refused-415', text: 'refused with 415' },
    ],
    sticky: true,
  },
  {
    id: '1/request-content-type-other',
    section: '1',
    question: 'What happens to a submission whose content type is not application/json?',
    quote: null,
    readings: [
      { id: 'accepted', text: 'the body is read as JSON all the same' },
      { id: 'refused-400', text: 'refused with 400' },
      { id: 'refused-415', text: 'refused with 415' },
    ],
    sticky: true,
  },
  {
    id: '1/response-charset',
    section: '1',
    question: 'Does the content type of an answer carry parameters?',
    quote: '(`content-type: application/json`)',
    readings: [
      { id: 'none', text: '`application/json` alone' },
      { id: 'charset', text: 'with parameters, such as a charset' },
    ],
    sticky: false,
  },
] as const satisfies readonly OpenQuestion[];
