/** What section 2.1 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_2_1 = openIn('2.1', [
  {
    id: '2.1/unknown-fields',
    question: 'What happens to fields of the submission that the document does not name?',
    readings: [
      { id: 'ignored', text: 'ignored' },
      { id: 'refused', text: 'refused with 400' },
    ],
  },
  {
    id: '2.1/null-optional-field',
    question: 'What does null mean for an optional field (`webhook`, `policy`, `s3Config`)?',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'as-absent', text: 'the same as leaving the field out' },
    ],
  },
  {
    id: '2.1/duplicate-keys',
    question: 'Which value applies when the body contains a key twice?',
    readings: [
      { id: 'last-wins', text: 'the last value' },
      { id: 'first-wins', text: 'the first value' },
      { id: 'refused', text: 'refused with 400' },
    ],
  },
  {
    id: '2.1/invalid-webhook',
    question: 'What happens to a `webhook` that is not a URL?',
    quote: '| `webhook` | string (URL) | no |',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'ignored', text: 'accepted, and no call is made' },
    ],
  },
  {
    id: '2.1/webhook-scheme',
    question: 'What happens to a `webhook` whose scheme is neither http nor https?',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'ignored', text: 'accepted, and no call is made' },
    ],
  },
  {
    id: '2.1/private-webhook-address',
    question: 'Are webhook addresses within private networks allowed?',
    readings: [
      { id: 'called', text: 'called like any other' },
      { id: 'refused', text: 'refused with 400' },
      {
        id: 'not-called',
        text: 'accepted, and no call is made',
        unseen: 'a receiver that is never called cannot tell whether its address is the reason',
      },
    ],
  },
]);
