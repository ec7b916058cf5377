/** What section 2.7 of the document requires. */
import { inSection } from './rows.js';

export const SECTION_2_7 = inSection('2.7', [
  {
    id: '2.7/jobs-completed',
    level: 'must',
    text: 'A health record contains `jobs.completed`, a non-negative integer.',
    quote: '| `jobs.completed` | integer |',
    countInAnswer: { op: 'health', field: 'jobs.completed' },
  },
  {
    id: '2.7/jobs-failed',
    level: 'must',
    text: 'A health record contains `jobs.failed`, a non-negative integer.',
    quote: '| `jobs.failed` | integer |',
    countInAnswer: { op: 'health', field: 'jobs.failed' },
  },
  {
    id: '2.7/jobs-in-progress',
    level: 'must',
    text: 'A health record contains `jobs.inProgress`, a non-negative integer.',
    quote: '| `jobs.inProgress` | integer |',
    countInAnswer: { op: 'health', field: 'jobs.inProgress' },
  },
  {
    id: '2.7/jobs-in-queue',
    level: 'must',
    text: 'A health record contains `jobs.inQueue`, a non-negative integer.',
    quote: '| `jobs.inQueue` | integer |',
    countInAnswer: { op: 'health', field: 'jobs.inQueue' },
  },
  {
    id: '2.7/jobs-retried',
    level: 'must',
    text: 'A health record contains `jobs.retried`, a non-negative integer.',
    quote: '| `jobs.retried` | integer |',
    countInAnswer: { op: 'health', field: 'jobs.retried' },
  },
  {
    id: '2.7/workers-idle',
    level: 'must',
    text: 'A health record contains `workers.idle`, a non-negative integer.',
    quote: '| `workers.idle` | integer |',
    countInAnswer: { op: 'health', field: 'workers.idle' },
  },
  {
    id: '2.7/workers-running',
    level: 'must',
    text: 'A health record contains `workers.running`, a non-negative integer.',
    quote: '| `workers.running` | integer |',
    countInAnswer: { op: 'health', field: 'workers.running' },
  },
]);
