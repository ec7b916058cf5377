/** What section 2.2 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_2_2 = [
  {
    id: '2.2/execution-timeout-default',
    section: '2.2',
    question: 'How long may a job run whose submission has no `executionTimeout`?',
    quote: "Overrides the endpoint's default setting",
    readings: [
      { id: 'ten-minutes', text: '600000 ms' },
      { id: 'own-setting', text: 'as the endpoint is set' },
    ],
    sticky: true,
  },
  {
    id: '2.2/execution-timeout-below-min',
    section: '2.2',
    question: 'What happens to an `executionTimeout` below 5 seconds?',
    quote: 'min 5 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '5 seconds apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
    sticky: true,
  },
  {
    id: '2.2/execution-timeout-above-max',
    section: '2.2',
    question: 'What happens to an `executionTimeout` above 7 days?',
    quote: 'min 5 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'lowered', text: '7 days apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
      { id: 'as-given', text: 'it applies as given', onlyIn: ['runpod'] },
    ],
    sticky: true,
  },
  {
    id: '2.2/execution-timeout-not-positive',
    section: '2.2',
    question: 'What happens to an `executionTimeout` of 0 or less?',
    quote: 'min 5 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '5 seconds apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
    sticky: true,
  },
  {
    id: '2.2/ttl-below-min',
    section: '2.2',
    question: 'What happens to a `ttl` below 10 seconds?',
    quote: 'min 10 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '10 seconds apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
    sticky: true,
  },
  {
    id: '2.2/ttl-above-max',
    section: '2.2',
    question: 'What happens to a `ttl` above 7 days?',
    quote: 'min 10 seconds, max 7 days',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'lowered', text: '7 days apply instead' },
      { id: 'default-instead', text: 'the default applies instead' },
      { id: 'as-given', text: 'it applies as given', onlyIn: ['runpod'] },
    ],
    sticky: true,
  },
  {
    id: '2.2/ttl-not-positive',
    section: '2.2',
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
    section: '2.2',
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
    sticky: true,
  },
  {
    id: '2.2/numeric-string',
    section: '2.2',
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
    sticky: true,
  },
  {
    id: '2.2/null-policy-field',
    section: '2.2',
    question: 'What does null mean for a field of `policy`?',
    quote: null,
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'as-absent', text: 'the same as leaving the field out' },
    ],
    sticky: true,
  },
  {
    id: '2.2/unknown-policy-fields',
    section: '2.2',
    question: 'What happens to fields of `policy` that the document does not name?',
    quote: null,
    readings: [
      { id: 'ignored', text: 'ignored' },
      { id: 'refused', text: 'refused with 400' },
    ],
    sticky: true,
  },
  {
    id: '2.2/ttl-below-execution-timeout',
    section: '2.2',
    question: 'Is a submission refused whose `ttl` is smaller than its `executionTimeout`?',
    quote: '`ttl` must cover expected queue time plus execution time.',
    readings: [
      { id: 'accepted', text: 'accepted; what ends first, ends the job' },
      { id: 'refused', text: 'refused with 400' },
    ],
    sticky: true,
  },
  {
    id: '2.2/low-priority-order',
    section: '2.2',
    question: 'Do jobs with `lowPriority` wait behind others?',
    quote: 'When true, the job does not trigger worker scaling.',
    readings: [
      { id: 'same-queue', text: 'no, they take their turn like any other' },
      { id: 'after-others', text: 'yes, jobs without it start first' },
    ],
    sticky: true,
  },
  {
    id: '2.2/execution-timeout-after-retry',
    section: '2.2',
    question: 'Does the run after a retry get the whole `executionTimeout`?',
    quote: 'Maximum time a job may run once a worker has picked it up.',
    readings: [
      { id: 'whole', text: 'yes, it counts from each pick-up' },
      { id: 'remaining', text: 'no, the time of the runs before counts' },
    ],
    sticky: true,
  },
] as const satisfies readonly OpenQuestion[];
