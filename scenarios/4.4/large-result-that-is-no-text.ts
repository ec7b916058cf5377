import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a streamed list above one megabyte is split without loss',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', {
      plan: [
        { stream: Array.from({ length: 40 }, (__, i) => `${i} `.padEnd(40_000, '.')) },
        { return: 'end' },
      ],
    }),
    s.await('job', s.ended, { everyMs: 500 }),
    s.stream('job'),
    s.stream('job'),
  ],
});
