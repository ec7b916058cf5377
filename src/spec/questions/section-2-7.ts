/** What section 2.7 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_2_7 = openIn('2.7', [
  {
    id: '2.7/other-fields',
    question: 'Does the health record contain further members?',
    readings: [
      { id: 'none', text: 'no' },
      { id: 'some', text: 'yes' },
    ],
    sticky: false,
  },
  {
    id: '2.7/counters-window',
    question: 'What do `jobs.completed`, `jobs.failed` and `jobs.retried` count?',
    readings: [
      { id: 'lifetime', text: 'everything since the endpoint exists' },
      { id: 'retained', text: 'only jobs that can still be read' },
      { id: 'recent', text: 'what happened within a period of time, no shorter than a minute' },
    ],
  },
  {
    id: '2.7/failed-includes-timed-out',
    question: 'Does `jobs.failed` count jobs ended by `executionTimeout`?',
    readings: [
      { id: 'yes', text: 'yes' },
      { id: 'no', text: 'no' },
    ],
  },
  {
    id: '2.7/failed-includes-cancelled',
    question: 'Does `jobs.failed` count cancelled jobs?',
    readings: [
      { id: 'no', text: 'no' },
      { id: 'yes', text: 'yes' },
    ],
  },
  {
    id: '2.7/failed-after-retry',
    question: 'Does `jobs.failed` fall when a failed job is retried?',
    readings: [
      { id: 'stays', text: 'no' },
      { id: 'falls', text: 'yes' },
    ],
  },
  {
    id: '2.7/retried-counts',
    question: 'What does `jobs.retried` count?',
    readings: [
      { id: 'retry-calls', text: 'accepted /retry calls' },
      { id: 're-dispatches', text: 'runs begun again by the service itself' },
      { id: 'both', text: 'both' },
    ],
  },
  {
    id: '2.7/workers-running-meaning',
    question: 'What does `workers.running` count?',
    quote: '| `workers.running` | integer |',
    readings: [
      { id: 'busy', text: 'workers that run a job' },
      { id: 'live', text: 'all workers that are up, with a job or without one' },
    ],
  },
  {
    id: '2.7/workers-idle-meaning',
    question: 'What does `workers.idle` count?',
    quote: '| `workers.idle` | integer |',
    readings: [
      { id: 'started-only', text: 'started workers without a job' },
      {
        id: 'all',
        text: 'workers without a job, also those that do not exist until needed',
        unseen: 'a test has a fixed number of workers, all of which are started',
      },
      { id: 'every', text: 'all workers that are up, with a job or without one' },
    ],
  },
]);
