/** What section 2.4 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_2_4 = openIn('2.4', [
  {
    id: '2.4/other-fields',
    question: 'Does the job record contain further fields?',
    quote: 'Other fields of the job record: not shown.',
    readings: [
      { id: 'none', text: 'no' },
      { id: 'some', text: 'yes' },
    ],
    sticky: false,
  },
  {
    id: '2.4/id-shape',
    question: 'What do job ids look like?',
    quote: 'Job identifier, assigned by the service.',
    readings: [
      { id: 'uuid', text: 'a UUID' },
      { id: 'uuid-with-suffix', text: 'a UUID with something before or after it' },
      { id: 'other', text: 'something else' },
    ],
  },
  {
    id: '2.4/runsync-id-prefix',
    question: 'Are the ids of /runsync jobs marked?',
    readings: [
      { id: 'none', text: 'no' },
      { id: 'sync', text: 'they begin with `sync-`' },
    ],
  },
  {
    id: '2.4/time-unit',
    question: 'In which unit are `delayTime` and `executionTime`?',
    quote: 'Time the job waited before execution. Unit: not shown.',
    readings: [
      { id: 'milliseconds', text: 'milliseconds' },
      { id: 'seconds', text: 'seconds' },
      { id: 'microseconds', text: 'microseconds' },
      { id: 'nanoseconds', text: 'nanoseconds' },
    ],
  },
  {
    id: '2.4/delay-time-in-queue',
    question: 'What is `delayTime` while the job waits?',
    readings: [
      { id: 'so-far', text: 'the time waited so far' },
      { id: 'absent', text: 'not there', against: ['2.4/times-in-every-state'] },
      { id: 'null', text: 'null', against: ['2.4/times-in-every-state'] },
      { id: 'zero', text: '0' },
    ],
  },
  {
    id: '2.4/delay-time-in-progress',
    question: 'What is `delayTime` while the job runs?',
    readings: [
      { id: 'final', text: 'the time it waited' },
      { id: 'absent', text: 'not there', against: ['2.4/times-in-every-state'] },
      { id: 'null', text: 'null', against: ['2.4/times-in-every-state'] },
      { id: 'zero', text: '0' },
    ],
  },
  {
    id: '2.4/execution-time-in-queue',
    question: 'What is `executionTime` while the job waits?',
    readings: [
      { id: 'zero', text: '0' },
      { id: 'absent', text: 'not there', against: ['2.4/times-in-every-state'] },
      { id: 'null', text: 'null', against: ['2.4/times-in-every-state'] },
    ],
  },
  {
    id: '2.4/execution-time-in-progress',
    question: 'What is `executionTime` while the job runs?',
    readings: [
      { id: 'so-far', text: 'the time it has run so far' },
      { id: 'absent', text: 'not there', against: ['2.4/times-in-every-state'] },
      { id: 'null', text: 'null', against: ['2.4/times-in-every-state'] },
      { id: 'zero', text: '0' },
    ],
  },
  {
    id: '2.4/times-of-never-run',
    question: 'What are `delayTime` and `executionTime` of a job that was cancelled before it ran?',
    readings: [
      { id: 'zero', text: '0, or the time waited' },
      { id: 'absent', text: 'not there' },
      { id: 'null', text: 'null' },
    ],
  },
  {
    id: '2.4/delay-time-after-retry',
    question: 'What is `delayTime` of a job that was retried?',
    quote: 'Time the job waited before execution.',
    readings: [
      { id: 'last-wait', text: 'the wait before the last run' },
      { id: 'all-waits', text: 'the waits before all its runs together' },
      { id: 'since-submission', text: 'the time from submission to the last run' },
    ],
  },
  {
    id: '2.4/execution-time-after-retry',
    question: 'What is `executionTime` of a job that was retried?',
    quote: 'Time the job ran.',
    readings: [
      { id: 'last-run', text: 'the time of the last run' },
      { id: 'all-runs', text: 'the time of all its runs together' },
    ],
  },
  {
    id: '2.4/output-before-end',
    question: 'What is `output` of a job that has not ended?',
    quote: '(optional)',
    readings: [
      { id: 'absent', text: 'not there' },
      { id: 'null', text: 'null' },
      {
        id: 'progress',
        text: 'what the worker has reported so far',
        unseen: 'the contract of the scripted worker has no progress reports',
      },
    ],
    sticky: false,
  },
  {
    id: '2.4/output-of-failed',
    question: 'What is `output` of a job that failed?',
    readings: [
      { id: 'absent', text: 'not there' },
      { id: 'null', text: 'null' },
      { id: 'error', text: 'the error' },
      { id: 'partial', text: 'what the handler had produced' },
    ],
  },
  {
    id: '2.4/output-of-null',
    question: 'What is `output` of a job whose handler produced nothing or null?',
    readings: [
      { id: 'null', text: 'null' },
      { id: 'absent', text: 'not there' },
    ],
  },
  {
    id: '2.4/failure-reason',
    question: 'Where does the record of a FAILED job give the reason?',
    quote: 'Other fields of the job record: not shown.',
    readings: [
      { id: 'error-string', text: 'in `error`, a string' },
      { id: 'error-object', text: 'in `error`, an object' },
      { id: 'in-output', text: 'in `output`' },
      { id: 'nowhere', text: 'nowhere' },
      { id: 'elsewhere', text: 'elsewhere' },
    ],
  },
  {
    id: '2.4/output-size-limit',
    question: 'What happens to an output of several MB?',
    readings: [
      { id: 'kept', text: 'it is returned whole' },
      { id: 'dropped', text: 'COMPLETED without `output`', against: ['2.4/large-output-whole'] },
      { id: 'failed', text: 'the job is FAILED', against: ['2.4/large-output-whole'] },
    ],
    sticky: false,
  },
]);
