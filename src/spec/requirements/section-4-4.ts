/** What section 4.4 of the document requires. */
import { inSection } from './rows.js';
import { SECOND_MS } from '../limits.js';

export const SECTION_4_4 = inSection('4.4', [
  {
    id: '4.4/answer-is-array',
    level: 'must',
    text: 'A successful /stream answer is a JSON array.',
    quote: 'Response: JSON array of stream chunks (2.5)',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/chunks-in-order',
    level: 'must',
    text: 'Chunks are delivered in the order in which the handler produced them.',
    quote: 'delivering incremental results as produced',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/chunks-not-lost',
    level: 'must',
    text: 'Every incremental result produced is delivered to a client that reads until the end.',
    quote: 'delivering incremental results as produced',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/chunks-not-duplicated',
    level: 'must',
    text: 'No chunk is delivered twice in one answer, and a read that continues does not begin with a chunk of the read before.',
    quote: 'delivering incremental results as produced',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/chunks-not-invented',
    level: 'must',
    text: "Only chunks that this job's handler has produced are delivered.",
    quote: 'delivering incremental results as produced',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/chunks-while-running',
    level: 'must',
    text: 'A /stream answer while the job runs contains results produced so far, if any are undelivered.',
    quote: 'delivering incremental results as produced',
    needs: ['scripted-worker'],
    waitMs: 2 * SECOND_MS,
  },
  {
    id: '4.4/chunks-after-end',
    level: 'must',
    text: '/stream reads after the end deliver every chunk not delivered before; each makes progress until all are delivered.',
    quote: 'delivering incremental results as produced',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/chunk-size',
    level: 'must',
    text: "No delivered chunk's `output` is larger than 1 MB.",
    quote: 'A single streamed chunk is at most 1 MB',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/chunk-below-limit-whole',
    level: 'should',
    text: 'An incremental result well below 1 MB is delivered as one chunk.',
    quote: 'A single streamed chunk is at most 1 MB',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/large-output-split',
    level: 'must',
    text: 'An incremental result larger than 1 MB is delivered as several chunks.',
    quote: 'larger outputs are split over several chunks',
    needs: ['scripted-worker'],
  },
  {
    id: '4.4/large-output-rejoins',
    level: 'must',
    text: 'The chunks of a split string, joined in order, are the original string.',
    quote: 'larger outputs are split over several chunks',
    needs: ['scripted-worker'],
  },
]);
