import type { Json } from '../../src/history/events.js';
import { scenario } from '../../src/scenario/index.js';

/**
 * Values that a service would change which splits, joins, trims or parses streams, or ends them at certain
 * contents.
 */
const ODD: readonly Json[] = [
  ' token',
  ' ',
  'two\nlines\n',
  '\n',
  '{"json": true}',
  '42',
  { output: { output: 1 } },
  { none: null, inside: [null] },
  [],
  ['only'],
  '[DONE]',
  'data: 1\n\n',
  '',
  false,
  { error: 'none', status: 'FAILED', id: 'mine' },
  { camelCase: 1 / 3, _private: '', Case: 1, case: [1, null], 'a.b': { $set: [] } },
  { numbered: { '0': 'a', '1': 'b' }, tiny: 1e-7, huge: 1e21 },
  '<b>&amp;</b> it\'s "so" \\',
  'one\r\ntwo\u0000 e\u0301 \u200b\ufeff',
  '2024-02-28T09:05:00Z',
  'true',
  null,
  'last',
];

export default scenario({
  title: 'each streamed result is a chunk with its output, whatever JSON it is',
  needs: ['scripted-worker'],
  draw: (arb) => ({ any: arb.json() }),
  script: ({ any }, s) => [
    s.run('job', {
      plan: [
        { stream: any },
        { stream: { token: 'čćžš 🚀', n: 1 } },
        { stream: [1, [2]] },
        { stream: 'text' },
        { stream: 0 },
        ...ODD.map((stream) => ({ stream })),
        { return: 'end' },
      ],
    }),
    s.await('job'),
    s.stream('job'),
    s.stream('job'),
  ],
});
