/** What section 4.4 of the document leaves open. The first reading is the one our own endpoint takes. */
import { openIn } from './rows.js';

export const QUESTIONS_4_4 = openIn('4.4', [
  {
    id: '4.4/answer-shape',
    question: 'Is the array the whole answer?',
    quote: 'Response: JSON array of stream chunks (2.5)',
    readings: [
      { id: 'bare-array', text: 'the answer is the array', onlyIn: ['document'] },
      {
        id: 'wrapped',
        text: 'the array is the member `stream` of an object that also holds `status`',
        onlyIn: ['runpod'],
      },
    ],
  },
  {
    id: '4.4/second-read',
    question: 'What does a second read deliver?',
    quote: 'delivering incremental results as produced',
    readings: [
      { id: 'only-new', text: 'what was produced since the read before' },
      { id: 'all-so-far', text: 'everything from the beginning' },
      {
        id: 'at-least-once',
        text: 'what was produced since the last read whose answer arrived: after an interrupted one, the same again',
        unseen: 'a client cannot tell an answer that was lost from a call that never arrived',
      },
    ],
  },
  {
    id: '4.4/while-running',
    question: 'When does /stream answer while the job runs?',
    quote: 'delivering incremental results as produced',
    readings: [
      { id: 'at-once', text: 'at once, with what there is' },
      { id: 'on-next-chunk', text: 'when there is something new, or after some time' },
      { id: 'at-end', text: 'when the job has ended' },
    ],
  },
  {
    id: '4.4/queued-job',
    question: 'What does /stream answer for a job that waits?',
    readings: [
      { id: 'empty-array', text: 'an empty array, at once' },
      { id: 'waits', text: 'nothing until there is a chunk, or for some time' },
      { id: 'error', text: 'an error' },
    ],
  },
  {
    id: '4.4/non-streaming-handler',
    question: 'What does /stream answer when the handler does not stream?',
    quote: "The endpoint's handler must support streaming.",
    readings: [
      { id: 'empty-array', text: 'an empty array' },
      { id: 'output-as-chunk', text: 'the final output as one chunk' },
      { id: 'error', text: 'an error' },
    ],
  },
  {
    id: '4.4/drained',
    question: 'What does /stream answer when the job has ended and everything was delivered?',
    readings: [
      { id: 'empty-array', text: 'an empty array' },
      { id: 'all-again', text: 'everything again' },
      { id: 'not-found', text: '404' },
    ],
  },
  {
    id: '4.4/failed-job',
    question: 'What does /stream answer for a job that failed?',
    readings: [
      { id: 'chunks', text: 'the chunks produced before' },
      { id: 'chunks-and-error', text: 'the chunks, and the error among them' },
      { id: 'error', text: 'an error' },
    ],
  },
  {
    id: '4.4/cancelled-job',
    question: 'What does /stream answer for a cancelled job?',
    readings: [
      { id: 'chunks', text: 'the chunks produced before' },
      { id: 'empty-array', text: 'an empty array' },
      { id: 'not-found', text: '404' },
      { id: 'error', text: 'another error' },
    ],
  },
  {
    id: '4.4/final-output',
    question: 'What is `output` of a job whose handler streams?',
    readings: [
      { id: 'all-chunks', text: 'a list of all incremental results' },
      { id: 'last-chunk', text: 'the last incremental result' },
      { id: 'handler-return', text: 'what the handler returned at its end' },
      { id: 'absent', text: 'absent or null' },
      { id: 'other', text: 'something else' },
    ],
  },
  {
    id: '4.4/chunk-size-measure',
    question: 'What is measured against 1 MB?',
    quote: 'A single streamed chunk is at most 1 MB',
    readings: [
      { id: 'output-text', text: 'the text of a string, the JSON of anything else' },
      { id: 'output-json', text: 'the JSON of `output`' },
      { id: 'whole-chunk', text: 'the JSON of the whole chunk' },
    ],
  },
  {
    id: '4.4/non-string-split',
    question: 'How is an incremental result split that is not a string?',
    quote: 'larger outputs are split over several chunks',
    readings: [
      { id: 'json-text', text: 'its JSON text is split' },
      { id: 'by-elements', text: 'by elements or members' },
      { id: 'other', text: 'in another way' },
    ],
    sticky: false,
  },
]);
