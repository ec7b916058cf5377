/** What section 2.5 of the document requires. */
import { inSection } from './rows.js';

export const SECTION_2_5 = inSection('2.5', [
  {
    id: '2.5/chunk-is-object',
    level: 'must',
    text: 'Each element of a /stream answer is an object.',
    quote: 'Each element of a `/stream` response array is an object with:',
    needs: ['scripted-worker'],
  },
  {
    id: '2.5/chunk-has-output',
    level: 'must',
    text: 'Each chunk has a member `output`.',
    quote: '`output`: the incremental result produced by the handler',
    needs: ['scripted-worker'],
  },
  {
    id: '2.5/chunk-output-unchanged',
    level: 'must',
    text: 'The `output` of a chunk is the incremental result as the handler produced it, unless it was split.',
    quote: '`output`: the incremental result produced by the handler',
    needs: ['scripted-worker'],
  },
  {
    id: '2.5/metrics-optional-object',
    level: 'must',
    text: '`metrics`, if a chunk has it, is an object.',
    quote: '`metrics` (optional, worker-defined)',
    needs: ['scripted-worker'],
  },
  {
    id: '2.5/metrics-values',
    level: 'must',
    text: 'Each member of `metrics` is a number or a string.',
    quote: 'an object of numeric and string counters about the generation',
    needs: ['scripted-worker'],
  },
  {
    id: '2.5/metrics-unchanged',
    level: 'must',
    text: 'Members of `metrics` that the worker set, if a chunk has them, have the values that it set for this chunk, and other chunks do not have them.',
    quote: '`metrics` (optional, worker-defined)',
    needs: ['scripted-worker'],
  },
]);
