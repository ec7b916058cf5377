/** What section 2.7 of the document leaves open. The first reading is the one our own endpoint takes. */
import type { OpenQuestion } from '../types.js';

export const QUESTIONS_2_7 = [
  {
    id: '2.7/other-fields',
    section: '2.7',
    question: 'Does the health record contain further members?',
    quote: null,
    readings: [
      { id: 'none', text: 'no' },
      { id: 'some', text: 'yes' },
    ],
    sticky: false,
  },
  {
    id: '2.7/counters-window',
    section: '2.7',
    question: 'What do `jobs.completed`, `jobs.failed` and `jobs.retried` count?',
    quote: null,
    readings: [
      { id: 'lifetime', text: 'everything since the endpoint exists' },
      { id: 'retained', text: 'only jobs that can still be read' },
      { id: 'recent', text: 'what happened within a period of time, no shorter than a minute' },
    ],
    sticky: true,
  },
  {
    id: '2.7/failed-includes-timed-out',
    section: '2.7',
    question: 'Does `jobs.failed` count jobs ended by `executionTimeout`?',
    quote: null,
    readings: [
      { id: 'yes', text: 'yes' },
      { id: 'no', text: 'no' },
    ],
    sticky: true,
  },
  {
    id: '2.7/failed-includes-cancelled',
    section: '2.7',
    question: 'Does `jobs.failed` count cancelled jobs?',
    quote: null,
    readings: [
      { id: 'no', text: 'no' },
      { id: 'yes', text: 'yes' },
    ],
    sticky: true,
  },
  {
    id: '2.7/failed-after-retry',
    section: '2.7',
    question: 'Does `jobs.failed` fall when a failed job is retried?',
    quote: null,
    readings: [
      { id: 'stays', text: 'no' },
      { id: 'falls', text: 'yes' },
    ],
    sticky: true,
  },
  {
    id: '2.7/retried-counts',
    section: '2.7',
    question: 'What does `jobs.retried` count?',
    quote: null,
    readings: [
      { id: 'retry-calls', text: 'accepted /retry calls' },
      { id: 're-dispatches', text: 'runs begun again by the service itself' },
      { id: 'both', text: 'both' },
    ],
    sticky: true,
  },
  {
    id: '2.7/workers-running-meaning',
    section: '2.7',
    question: 'What does `workers.running` count?',
    quote: '| `workers.running` | integer |',
    readings: [
      { id: 'busy', text: 'workers that run a job' },
      { id: 'live', text: 'all workers that are up, with a job or without one' },
    ],
    sticky: true,
  },
  {
    id: '2.7/workers-idle-meaning',
    section: '2.7',
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
    sticky: true,
  },
] as const satisfies readonly OpenQuestion[];
