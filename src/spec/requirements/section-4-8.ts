/**
 * What section 4.8 of the document requires.
 *
 * Section 2.7 gives the two worker counts a name and a type, but no meaning. A target whose counts fit one of the known meanings
 * should keep to it. If no count fits any of them, this is reported as an open question, without advice.
 */
import { inSection } from './rows.js';

export const SECTION_4_8 = inSection('4.8', [
  {
    id: '4.8/counts-in-queue',
    level: 'must',
    text: '`jobs.inQueue` is the number of jobs that wait in the queue.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.8/counts-in-progress',
    level: 'must',
    text: '`jobs.inProgress` is the number of jobs that run.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.8/counts-completed',
    level: 'must',
    text: '`jobs.completed` grows by one with each job that completes.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.8/completed-counts-nothing-else',
    level: 'must',
    text: '`jobs.completed` does not count jobs that fail or are cancelled, purged or deleted before completion.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.8/counts-failed',
    level: 'must',
    text: '`jobs.failed` grows by one with each job that becomes FAILED because of an error.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.8/failed-not-completed',
    level: 'must',
    text: '`jobs.failed` does not count jobs that complete.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.8/counts-retried',
    level: 'should',
    text: '`jobs.retried` grows when a job is retried.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
    waivedBy: ['2.7/retried-counts=re-dispatches'],
  },
  {
    id: '4.8/retried-counts-nothing-else',
    level: 'must',
    text: '`jobs.retried` does not grow while no job is retried or run again.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'dedicated'],
  },
  {
    id: '4.8/counts-workers-running',
    level: 'should',
    text: '`workers.running` counts workers that run a job, or all started workers, if it was observed to count one of these.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    onceShown: '2.7/workers-running-meaning',
  },
  {
    id: '4.8/counts-workers-idle',
    level: 'should',
    text: '`workers.idle` counts workers without a job, or all started workers, if it was observed to count one of these; none if all started workers count as running.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    onceShown: '2.7/workers-idle-meaning',
  },
  {
    id: '4.8/reading-changes-nothing',
    level: 'must',
    text: '/health changes nothing.',
    quote: 'No body. Response: health record (2.7).',
    needs: ['dedicated'],
  },
]);
