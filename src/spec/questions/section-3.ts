/** What section 3 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_3 = openIn('3', [
  {
    id: '3/timed-out-state',
    question: 'In which state is a job that ran longer than `executionTimeout`?',
    quote: 'Moves not listed above (including the move into `TIMED_OUT`',
    readings: [
      { id: 'TIMED_OUT', text: 'TIMED_OUT' },
      { id: 'FAILED', text: 'FAILED' },
      { id: 'CANCELLED', text: 'CANCELLED' },
    ],
  },
  {
    id: '3/status-after-cancel',
    question: 'What does /status answer for a cancelled job?',
    quote: '`CANCELLED` is returned by `/cancel`',
    readings: [
      { id: 'CANCELLED', text: 'its record, with status CANCELLED' },
      { id: 'not-found', text: '404' },
    ],
  },
  {
    id: '3/status-operation-states',
    question: 'Which states does /status answer?',
    quote: "The `/status` operation's own list names the first four",
    readings: [
      { id: 'all-six', text: 'also CANCELLED and TIMED_OUT' },
      { id: 'first-four', text: 'the first four alone' },
    ],
    sticky: false,
  },
  {
    id: '3/worker-crash',
    question: 'What happens to a job whose worker dies?',
    quote: 'handler or worker error',
    readings: [
      { id: 'fails', text: 'it is FAILED at once' },
      {
        id: 're-dispatched',
        text: 'another worker runs it again; it is FAILED when that happens too often',
      },
    ],
  },
  {
    id: '3/retention-of-failed',
    question: 'How long can a FAILED job be read?',
    readings: [
      { id: 'as-completed', text: 'as long as a result of its operation' },
      { id: 'until-ttl', text: 'until its `ttl`' },
      { id: 'other', text: 'for another time' },
    ],
  },
  {
    id: '3/retention-of-timed-out',
    question: 'How long can a job ended by `executionTimeout` be read?',
    readings: [
      { id: 'as-completed', text: 'as long as a result of its operation' },
      { id: 'until-ttl', text: 'until its `ttl`' },
      { id: 'other', text: 'for another time' },
    ],
  },
  {
    id: '3/retention-of-cancelled',
    question: 'How long can a CANCELLED job be read?',
    readings: [
      { id: 'as-completed', text: 'as long as a result of its operation' },
      { id: 'until-ttl', text: 'until its `ttl`' },
      { id: 'not-at-all', text: 'not at all' },
      { id: 'other', text: 'for another time' },
    ],
  },
]);
