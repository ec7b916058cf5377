import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a streamed list above one megabyte is split without loss',
  exercises: ['4.4/chunk-size', '4.4/chunks-not-lost', '2.5/chunk-is-object'],
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', {
      plan: [
        { stream: Array.from({ length: 40 }, (__, i) => `${i} `.padEnd(40_000, '.')) },
        { return: 'end' },
      ],
    }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 500 }),
    s.stream('job'),
    s.stream('job'),
  ],
});
