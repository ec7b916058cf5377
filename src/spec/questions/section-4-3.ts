/** What section 4.3 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_4_3 = [
  {
    id: '4.3/ttl-origin',
    section: '4.3',
    question: 'From when does a `ttl` given by /status count?',
    quote: 'sets the time-to-live of the individual job',
    readings: [
      { id: 'from-submission', text: "from the job's submission" },
      { id: 'from-now', text: 'from the call' },
    ],
    sticky: true,
  },
  {
    id: '4.3/ttl-below-min',
    section: '4.3',
    question: 'What happens to a `ttl` of 1 to 9999 given by /status?',
    quote: '(a value of 6000 means 6 seconds)',
    readings: [
      { id: 'as-given', text: "it applies as given, as in the document's example of 6000" },
      { id: 'raised', text: '10 seconds apply instead', against: ['4.3/ttl-of-the-example'] },
      { id: 'refused', text: 'refused with 400', against: ['4.3/ttl-of-the-example'] },
      { id: 'ignored', text: "the job's `ttl` stays as it was", against: ['4.3/ttl-of-the-example'] },
    ],
    sticky: true,
  },
  {
    id: '4.3/ttl-not-positive',
    section: '4.3',
    question: 'What happens to a `ttl` of 0 or less given by /status?',
    quote: 'integer, milliseconds; sets the time-to-live of the individual job',
    readings: [
      { id: 'refused', text: 'refused with 400: it is not a time to live' },
      { id: 'as-given', text: 'it expires at once: the job is deleted' },
      { id: 'raised', text: '10 seconds apply instead' },
      { id: 'ignored', text: "the job's `ttl` stays as it was" },
    ],
    // A service may refuse a sign and take 0 for a number.
    sticky: false,
  },
  {
    id: '4.3/ttl-above-max',
    section: '4.3',
    question: 'What happens to a `ttl` above 7 days given by /status?',
    quote: null,
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'lowered', text: '7 days apply instead' },
      { id: 'as-given', text: 'it applies as given' },
      { id: 'ignored', text: "the job's `ttl` stays as it was" },
    ],
    sticky: true,
  },
  {
    id: '4.3/ttl-already-over',
    section: '4.3',
    question: 'What does /status answer when the `ttl` it gives has already passed?',
    quote: null,
    readings: [
      { id: 'not-found', text: '404' },
      { id: 'last-record', text: 'the record, for the last time' },
    ],
    sticky: true,
  },
  {
    id: '4.3/ttl-of-ended-job',
    section: '4.3',
    question: 'Does a `ttl` given by /status apply to a job that has ended?',
    quote: null,
    readings: [
      { id: 'holds', text: 'yes' },
      { id: 'ignored', text: 'no' },
      { id: 'refused', text: 'no, the call is refused with a 4xx' },
    ],
    sticky: true,
  },
  {
    id: '4.3/ttl-over-retention',
    section: '4.3',
    question: 'Does a longer `ttl` given by /status prolong the retention of a result?',
    quote: null,
    readings: [
      { id: 'no', text: 'no' },
      { id: 'yes', text: 'yes' },
    ],
    sticky: true,
  },
] as const satisfies readonly OpenQuestion[];
