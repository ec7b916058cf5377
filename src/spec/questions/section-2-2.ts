/** What section 2.2 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_2_2 = openIn('2.2', [
  {
    id: '2.2/execution-timeout-default',
    question: 'How long may a job run whose submission has no `executionTimeout`?',
    quote: "Overrides the endpoint's default setting",
    readings: [
      { id: 'ten-minutes', text: '600000 ms' },
      { id: 'own-setting', text: 'as the endpoint is set' },
    ],
  },
  {
    id: '2.2/execution-timeout-below-min',
    question: 'What happens to an `executionTimeout` below 5 seconds?',
    quote: 'min 5 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '5 seconds apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
  },
  {
    id: '2.2/execution-timeout-above-max',
    question: 'What happens to an `executionTimeout` above 7 days?',
    quote: 'min 5 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'lowered', text: '7 days apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
      { id: 'as-given', text: 'it applies as given', onlyIn: ['runpod'] },
    ],
  },
  {
    id: '2.2/execution-timeout-not-positive',
    question: 'What happens to an `executionTimeout` of 0 or less?',
    quote: 'min 5 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '5 seconds apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
  },
  {
    id: '2.2/ttl-below-min',
    question: 'What happens to a `ttl` below 10 seconds?',
    quote: 'min 10 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '10 seconds apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
  },
  {
    id: '2.2/ttl-above-max',
    question: 'What happens to a `ttl` above 7 days?',
    quote: 'min 10 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'lowered', text: '7 days apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
      { id: 'as-given', text: 'it applies as given', onlyIn: ['runpod'] },
    ],
  },
  {
    id: '2.2/ttl-not-positive',
    question: 'What happens to a `ttl` of 0 or less?',
    quote: 'min 10 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '10 seconds apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
    // A service may refuse a sign and take 0 for a number.
    sticky: false,
  },
  {
    id: '2.2/fractional-milliseconds',
    question: 'What happens to a policy value with a fraction?',
    quote: 'integer, milliseconds',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      {
        id: 'rounded',
        text: 'accepted, rounded or truncated',
        against: ['2.2/execution-timeout-integer', '2.2/ttl-integer'],
      },
      {
        id: 'ignored',
        text: 'accepted, and the default applies',
        against: ['2.2/execution-timeout-integer', '2.2/ttl-integer'],
      },
    ],
  },
  {
    id: '2.2/numeric-string',
    question: 'What happens to a policy value that is a number written as a string?',
    quote: 'integer, milliseconds',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      {
        id: 'taken',
        text: 'accepted as that number',
        against: ['2.2/execution-timeout-integer', '2.2/ttl-integer'],
      },
      {
        id: 'ignored',
        text: 'accepted, and the default applies',
        against: ['2.2/execution-timeout-integer', '2.2/ttl-integer'],
      },
    ],
  },
  {
    id: '2.2/null-policy-field',
    question: 'What does null mean for a field of `policy`?',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'as-absent', text: 'the same as leaving the field out' },
    ],
  },
  {
    id: '2.2/unknown-policy-fields',
    question: 'What happens to fields of `policy` that the document does not name?',
    readings: [
      { id: 'ignored', text: 'ignored' },
      { id: 'refused', text: 'refused with 400' },
    ],
  },
  {
    id: '2.2/ttl-below-execution-timeout',
    question: 'Is a submission refused whose `ttl` is smaller than its `executionTimeout`?',
    quote: '`ttl` must cover expected queue time plus execution time.',
    readings: [
      { id: 'accepted', text: 'accepted; what ends first, ends the job' },
      { id: 'refused', text: 'refused with 400' },
    ],
  },
  {
    id: '2.2/low-priority-order',
    question: 'Do jobs with `lowPriority` wait behind others?',
    quote: 'When true, the job does not trigger worker scaling.',
    readings: [
      { id: 'same-queue', text: 'no, they take their turn like any other' },
      { id: 'after-others', text: 'yes, jobs without it start first' },
    ],
  },
  {
    id: '2.2/execution-timeout-after-retry',
    question: 'Does the run after a retry get the whole `executionTimeout`?',
    quote: 'Maximum time a job may run once a worker has picked it up.',
    readings: [
      { id: 'whole', text: 'yes, it counts from each pick-up' },
      {
        id: 'remaining',
        text: 'no, the time of the runs before counts',
        against: ['4.6/whole-execution-timeout'],
      },
    ],
  },
]);
