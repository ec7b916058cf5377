/** What section 4.1 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4_1 = openIn('4.1', [
  {
    id: '4.1/wait-elapsed-body',
    question: 'What does /runsync answer when `wait` elapses before the job has ended?',
    quote: 'What the response holds when `wait` elapses before the job completes: not shown.',
    readings: [
      { id: 'record-as-it-stands', text: "the job's record as it stands: IN_QUEUE or IN_PROGRESS" },
      { id: 'id-and-status', text: '`id` and `status` alone' },
      {
        id: 'error',
        text: 'an error, or nothing about the job: the caller has no id to read or cancel it by',
      },
    ],
  },
  {
    id: '4.1/wait-elapsed-code',
    question: 'Which code does that answer have?',
    quote: 'What the response holds when `wait` elapses before the job completes: not shown.',
    readings: [
      { id: '200', text: '200' },
      { id: '202', text: '202' },
      { id: '408', text: '408' },
      { id: '504', text: '504' },
      { id: 'other', text: 'another' },
    ],
  },
  {
    id: '4.1/wait-below-min',
    question: 'What happens to a `wait` below 1000?',
    quote: 'integer, milliseconds, 1000 to 300000',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'raised', text: '1000 applies instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
  },
  {
    id: '4.1/wait-above-max',
    question: 'What happens to a `wait` above 300000?',
    quote: 'integer, milliseconds, 1000 to 300000',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'lowered', text: '300000 applies instead' },
      { id: 'default-instead', text: 'the default applies instead' },
    ],
  },
  {
    id: '4.1/wait-fraction',
    question: 'What happens to a `wait` with a fraction?',
    quote: 'integer, milliseconds, 1000 to 300000',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'rounded', text: 'accepted, rounded or truncated' },
      { id: 'ignored', text: 'the default applies' },
    ],
  },
  {
    id: '4.1/empty-wait',
    question: 'What does `wait=` without a value mean?',
    readings: [
      { id: 'refused', text: 'refused with 400' },
      { id: 'as-absent', text: 'the same as leaving it out' },
    ],
  },
  {
    id: '4.1/retention-with-wait',
    question: 'How long is a result kept when the call had a `wait`?',
    quote: '1 minute after completion (up to 5 minutes with `wait`)',
    readings: [
      { id: 'one-minute', text: '1 minute, as without' },
      { id: 'as-wait', text: 'as long as `wait`, but at least 1 minute' },
      { id: 'five-minutes', text: '5 minutes' },
      { id: 'in-between', text: 'another time between 1 and 5 minutes' },
    ],
  },
  {
    id: '4.1/outlived-wait-retention',
    question: 'How long is the result of a /runsync job kept that completed after `wait` had elapsed?',
    quote: 'Result retention: 1 minute after completion',
    readings: [
      { id: 'as-runsync', text: 'as that of any /runsync job' },
      { id: 'as-wait', text: 'as long as `wait`, but at least 1 minute, however long others are kept' },
      { id: 'as-run', text: '30 minutes, as that of a /run job' },
    ],
  },
  {
    id: '4.1/failed-job-code',
    question: 'Which code does /runsync answer when the job failed?',
    readings: [
      { id: '200', text: 'a success code, with the record' },
      { id: '500', text: '500' },
      { id: '400', text: '400' },
      { id: 'other', text: 'another' },
    ],
  },
  {
    id: '4.1/cancelled-during-wait',
    question: 'What does a waiting /runsync call answer when its job is cancelled?',
    readings: [
      { id: 'record', text: 'at once, the record with CANCELLED' },
      { id: 'not-found', text: 'at once, 404' },
      { id: 'at-wait-end', text: 'nothing until `wait` elapses' },
      { id: 'other-error', text: 'another error' },
    ],
    unobservable:
      'the job cannot be cancelled during the call: only the answer of the waiting call gives its id',
  },
  {
    id: '4.1/ttl-during-wait',
    question: 'What does a waiting /runsync call answer when its job is deleted by `ttl`?',
    readings: [
      { id: 'not-found', text: 'at once, 404' },
      { id: 'record', text: 'at once, a record' },
      { id: 'at-wait-end', text: 'nothing until `wait` elapses' },
      { id: 'other-error', text: 'another error' },
    ],
  },
  {
    id: '4.1/purge-during-wait',
    question: 'What does a waiting /runsync call answer when its job is purged?',
    readings: [
      { id: 'not-found', text: 'at once, 404' },
      { id: 'record', text: 'at once, a record' },
      { id: 'at-wait-end', text: 'nothing until `wait` elapses' },
      { id: 'other-error', text: 'another error' },
    ],
  },
  {
    id: '4.1/hang-up',
    question: 'What happens to the job when the client of a waiting /runsync call disconnects?',
    readings: [
      { id: 'goes-on', text: 'it continues' },
      { id: 'cancelled', text: 'it is cancelled' },
    ],
    unobservable: 'the id of the job is only known from an answer that the client no longer receives',
  },
]);
