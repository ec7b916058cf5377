/** What section 8 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_8 = openIn('8', [
  {
    id: '8/megabyte',
    question: 'How many bytes are 1 MB?',
    quote: '| `/run` payload | 10 MB |',
    readings: [
      { id: 'decimal', text: '1,000,000' },
      { id: 'binary', text: '1,048,576' },
    ],
  },
  {
    id: '8/payload-measure',
    question: 'What is measured against the payload limit?',
    quote: '| `/run` payload | 10 MB |',
    readings: [
      { id: 'whole-body', text: 'the bytes of the body as sent' },
      { id: 'input', text: 'the bytes of `input`' },
    ],
  },
  {
    id: '8/rate-algorithm',
    question: 'How is the rate measured?',
    quote: 'Rate limits, enforced per endpoint and per operation:',
    readings: [
      { id: 'sliding-window', text: 'over the 10 s before each call' },
      { id: 'fixed-window', text: 'in consecutive windows of 10 s' },
      { id: 'token-bucket', text: 'by a token bucket that is refilled steadily' },
      { id: 'other', text: 'in another way' },
    ],
  },
  {
    id: '8/limit-scope',
    question: 'Whose calls share a limit?',
    quote: 'the base limit above (per user per endpoint)',
    readings: [
      { id: 'per-user-and-endpoint', text: 'those with one key, or of one user, at the endpoint' },
      { id: 'per-endpoint', text: 'all calls at the endpoint' },
    ],
  },
  {
    id: '8/requests-per-worker',
    question: 'How large is `requests_per_worker`?',
    quote: 'The value of `requests_per_worker`: not shown.',
    readings: [
      { id: 'none', text: '0, or so small that the base limit applies' },
      { id: '50', text: '50 per 10 s' },
      { id: 'other', text: 'another value' },
    ],
  },
  {
    id: '8/concurrency-meaning',
    question: 'What does the column Concurrency limit?',
    quote: '| Operation | Method | Rate | Concurrency |',
    readings: [
      {
        id: 'calls-under-way',
        text: 'calls whose header fields have arrived and that have not been answered',
      },
      {
        id: 'calls-received',
        text: 'calls that have arrived completely and have not been answered',
      },
      // The table is headed "enforced", so this reading violates the advice 8/concurrency-enforced.
      { id: 'not-enforced', text: 'nothing; no call is refused', onlyIn: [] },
    ],
  },
  {
    id: '8/refused-calls-count',
    question: 'Do refused calls count towards the limit?',
    quote: 'Requests beyond the effective limit receive 429.',
    readings: [
      { id: 'no', text: 'no' },
      { id: 'yes', text: 'yes' },
    ],
  },
  {
    id: '8/failed-calls-count',
    question: 'Do calls answered with 400 or 404 count towards the limit?',
    readings: [
      { id: 'yes', text: 'yes' },
      { id: 'no', text: 'no' },
    ],
  },
  {
    id: '8/unauthorized-calls-count',
    question: 'Do calls answered with 401 count towards the limit?',
    readings: [
      { id: 'no', text: 'no' },
      { id: 'yes', text: 'yes' },
    ],
  },
  {
    id: '8/retry-limit',
    question: 'Is /retry limited?',
    quote: 'Rate limits for `/retry` and `/health`: not shown.',
    readings: [
      { id: 'none', text: 'no limit was observed' },
      { id: 'limited', text: 'yes' },
    ],
  },
  {
    id: '8/health-limit',
    question: 'Is /health limited?',
    quote: 'Rate limits for `/retry` and `/health`: not shown.',
    readings: [
      { id: 'none', text: 'no limit was observed' },
      { id: 'limited', text: 'yes' },
    ],
  },
  {
    id: '8/retry-after',
    question: 'Does an answer with status 429 contain `retry-after`?',
    readings: [
      { id: 'absent', text: 'no' },
      { id: 'seconds', text: 'yes, in seconds' },
      { id: 'date', text: 'yes, as a date' },
    ],
  },
]);
