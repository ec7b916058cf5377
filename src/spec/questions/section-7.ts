/** What section 7 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_7 = openIn('7', [
  {
    id: '7/error-body',
    question: 'What does the body of an error contain?',
    quote: 'The JSON body of an error response: not shown.',
    readings: [
      { id: 'error-string', text: 'an object whose `error` is a message' },
      { id: 'error-object', text: 'an object whose `error` is an object' },
      { id: 'problem-details', text: 'an object with `status`, `title`, `detail`' },
      { id: 'message', text: 'an object whose `message` or `detail` is a message' },
      { id: 'other-json', text: 'other JSON' },
      { id: 'empty', text: 'nothing' },
    ],
  },
  {
    id: '7/oversize-code',
    question: 'Which code refuses a body above the payload limit?',
    quote: 'Malformed the service or parameters.',
    readings: [
      { id: '400', text: '400' },
      { id: '413', text: '413' },
      {
        id: 'connection-closed',
        text: 'none: the connection is closed',
        unseen: 'a connection closed while a large body is sent gives no reason',
      },
      { id: 'other-4xx', text: 'another 4xx' },
    ],
  },
  {
    id: '7/unknown-job-code',
    question: 'What do calls for a job id that never existed answer?',
    readings: [
      { id: '404', text: '404' },
      { id: '400', text: '400' },
      { id: 'other', text: 'something else' },
    ],
  },
  {
    id: '7/malformed-job-id-code',
    question: 'What do calls answer for text that cannot be a job id?',
    readings: [
      { id: '404', text: '404' },
      { id: '400', text: '400' },
      { id: 'other', text: 'something else' },
    ],
  },
  {
    id: '7/crash-code',
    question: 'What does /runsync answer when the worker crashed?',
    quote: 'Endpoint-side failure; the worker may have crashed.',
    readings: [
      { id: 'record', text: 'the record with FAILED' },
      { id: '500', text: '500' },
      { id: 'other', text: 'something else' },
    ],
  },
]);
