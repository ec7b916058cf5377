/** What section 6 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_6 = openIn('6', [
  {
    id: '6/called-on-failed',
    question: 'Is the webhook called when the job becomes FAILED?',
    quote: 'The only event is a webhook notification on job completion.',
    readings: [
      { id: 'yes', text: 'yes' },
      { id: 'no', text: 'no' },
    ],
  },
  {
    id: '6/called-on-timed-out',
    question: 'Is the webhook called when `executionTimeout` ends the job?',
    quote: 'The only event is a webhook notification on job completion.',
    readings: [
      { id: 'yes', text: 'yes' },
      { id: 'no', text: 'no' },
    ],
  },
  {
    id: '6/called-on-cancelled',
    question: 'Is the webhook called when the job is cancelled?',
    quote: 'The only event is a webhook notification on job completion.',
    readings: [
      { id: 'no', text: 'no' },
      { id: 'yes', text: 'yes' },
    ],
  },
  {
    id: '6/success-status',
    question: 'Which answers end the calls?',
    quote: 'The receiving server should answer with status 200.',
    readings: [
      { id: 'any-2xx', text: 'any 2xx' },
      { id: '200-only', text: '200 only' },
    ],
  },
  {
    id: '6/redirect',
    question: 'What does a redirect answer count as?',
    readings: [
      { id: 'failure', text: 'a failed call' },
      { id: 'followed', text: 'followed', unseen: 'the receiver of a run does not redirect' },
      { id: 'success', text: 'a success' },
    ],
  },
  {
    id: '6/attempt-timeout',
    question: "How long does the service wait for the receiver's answer?",
    readings: [
      { id: 'up-to-10-s', text: 'up to 10 s' },
      { id: 'up-to-30-s', text: 'more than 10 s, up to 30 s' },
      { id: 'longer', text: 'longer' },
    ],
    sticky: false,
  },
  {
    id: '6/pause-origin',
    question: 'From when do the 10 seconds count?',
    quote: 'waiting 10 seconds between attempts',
    readings: [
      { id: 'from-end', text: 'from the end of the failed attempt' },
      { id: 'from-start', text: 'from its start' },
    ],
  },
  {
    id: '6/payload-shape',
    question: 'What does the body of the call contain?',
    quote: 'Payload shape, headers and signing of the webhook call: not shown.',
    readings: [
      { id: 'record', text: 'the job record' },
      { id: 'record-with-input', text: 'the job record and more, such as `input`' },
      { id: 'other', text: 'something else' },
    ],
  },
  {
    id: '6/method',
    question: 'With which method is the webhook called?',
    quote: 'Payload shape, headers and signing of the webhook call: not shown.',
    readings: [
      { id: 'POST', text: 'POST' },
      { id: 'other', text: 'another' },
    ],
  },
  {
    id: '6/content-type',
    question: 'Which content type does the call have?',
    quote: 'Payload shape, headers and signing of the webhook call: not shown.',
    readings: [
      { id: 'json', text: 'application/json' },
      { id: 'other', text: 'another, or none' },
    ],
  },
  {
    id: '6/signature',
    question: 'Is the call signed?',
    quote: 'Payload shape, headers and signing of the webhook call: not shown.',
    readings: [
      { id: 'none', text: 'no' },
      { id: 'header', text: 'a header contains a signature' },
    ],
  },
  {
    id: '6/after-retry',
    // "Job completes" holds of a job each time, "a webhook notification on job completion" can be one for each job.
    question: 'Is the webhook called when a retried job completes whose earlier end it was called for?',
    quote: 'The only event is a webhook notification on job completion.',
    readings: [
      { id: 'yes', text: 'yes, for each end' },
      { id: 'no', text: 'no, once for each job' },
    ],
  },
  {
    id: '6/job-gone-between-attempts',
    question: 'Do the attempts continue after the job is deleted or expires?',
    readings: [
      { id: 'go-on', text: 'yes' },
      { id: 'stop', text: 'no' },
    ],
  },
]);
