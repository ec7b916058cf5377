/** What section 4.3 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4_3 = openIn('4.3', [
  {
    id: '4.3/ttl-origin',
    question: 'From when does a `ttl` given by /status count?',
    quote: 'sets the time-to-live of the individual job',
    readings: [
      { id: 'from-submission', text: "from the job's submission" },
      { id: 'from-now', text: 'from the call' },
    ],
  },
  {
    id: '4.3/ttl-below-min',
    question: 'What happens to a `ttl` of 1 to 9999 given by /status?',
    quote: '(a value of 6000 means 6 seconds)',
    readings: [
      { id: 'as-given', text: "it applies as given, as in the document's example of 6000" },
      { id: 'raised', text: '10 seconds apply instead', against: ['4.3/ttl-of-the-example'] },
      { id: 'refused', text: 'refused with 400', against: ['4.3/ttl-of-the-example'] },
      { id: 'ignored', text: "the job's `ttl` stays as it was", against: ['4.3/ttl-of-the-example'] },
    ],
  },
  {
    id: '4.3/ttl-not-positive',
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
    question: 'What happens to a `ttl` above 7 days given by /status?',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'lowered', text: '7 days apply instead' },
      { id: 'as-given', text: 'it applies as given' },
      { id: 'ignored', text: "the job's `ttl` stays as it was" },
    ],
  },
  {
    id: '4.3/ttl-already-over',
    question: 'What does /status answer when the `ttl` it gives has already passed?',
    readings: [
      { id: 'not-found', text: '404' },
      { id: 'last-record', text: 'the record, for the last time' },
    ],
  },
  {
    id: '4.3/ttl-of-ended-job',
    question: 'Does a `ttl` given by /status apply to a job that has ended?',
    readings: [
      { id: 'holds', text: 'yes' },
      { id: 'ignored', text: 'no' },
      { id: 'refused', text: 'no, the call is refused with a 4xx' },
    ],
  },
  {
    id: '4.3/ttl-over-retention',
    question: 'Does a longer `ttl` given by /status prolong the retention of a result?',
    readings: [
      { id: 'no', text: 'no' },
      { id: 'yes', text: 'yes' },
    ],
  },
]);
