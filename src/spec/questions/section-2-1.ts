/** What section 2.1 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_2_1 = [
  {
    id: '2.1/unknown-fields',
    section: '2.1',
    question: 'What happens to fields of the submission that the document does not name?',
    quote: null,
    readings: [
      { id: 'ignored', text: 'ignored' },
      { id: 'refused', text: 'refused with 400' },
    ],
    sticky: true,
  },
  {
    id: '2.1/null-optional-field',
    section: '2.1',
    question: 'What does null mean for an optional field (`webhook`, `policy`, `s3Config`)?',
    quote: null,
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'as-absent', text: 'the same as leaving the field out' },
    ],
    sticky: true,
  },
  {
    id: '2.1/duplicate-keys',
    section: '2.1',
    question: 'Which value applies when the body contains a key twice?',
    quote: null,
    readings: [
      { id: 'last-wins', text: 'the last value' },
      { id: 'first-wins', text: 'the first value' },
      { id: 'refused', text: 'refused with 400' },
    ],
    sticky: true,
  },
  {
    id: '2.1/invalid-webhook',
    section: '2.1',
    question: 'What happens to a `webhook` that is not a URL?',
    quote: '| `webhook` | string (URL) | no |',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'ignored', text: 'accepted, and no call is made' },
    ],
    sticky: true,
  },
  {
    id: '2.1/webhook-scheme',
    section: '2.1',
    question: 'What happens to a `webhook` whose scheme is neither http nor https?',
    quote: null,
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'ignored', text: 'accepted, and no call is made' },
    ],
    sticky: true,
  },
  {
    id: '2.1/private-webhook-address',
    section: '2.1',
    question: 'Are webhook addresses within private networks allowed?',
    quote: null,
    readings: [
      { id: 'called', text: 'called like any other' },
      { id: 'refused', text: 'refused with 400' },
      {
        id: 'not-called',
        text: 'accepted, and no call is made',
        unseen: 'a receiver that is never called cannot tell whether its address is the reason',
      },
    ],
    sticky: true,
  },
] as const satisfies readonly OpenQuestion[];
