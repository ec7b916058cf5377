import { scenario } from '../../src/scenario/index.js';

/** Values that a service would change which rounds, counts by itself, or writes numbers as text. */
const METRICS = {
  'set.tokens': 3,
  set_rate: 12.75,
  setModel: 'a model',
  'set none': 0,
  set_digits: '042',
  set_text: '',
  set_below: -1,
  set_tiny: 1e-7,
  set_huge: 9_007_199_254_740_991,
};

export default scenario({
  title: 'the metrics of a chunk are as the worker set them',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', {
      plan: [
        { streamWithMetrics: { output: { token: 'first' }, metrics: METRICS } },
        { stream: 'without metrics' },
        { streamWithMetrics: { output: 'second', metrics: { ...METRICS, 'set.tokens': 4 } } },
        { return: 'end' },
      ],
    }),
    s.await('job'),
    s.stream('job'),
    s.stream('job'),
  ],
});
