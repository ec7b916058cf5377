import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a streamed result above one megabyte arrives in several chunks that join to the original',
  needs: ['scripted-worker'],
  script: (_, s) => [
    [1_048_577 + 64, 2_000_000, 3 * 1_048_576].map((bytes) => [
      s.run(`${bytes}`, {
        plan: [
          { stream: 'small before' },
          { streamBytes: bytes },
          { streamBytes: 400_000 },
          { stream: 'small after' },
        ],
      }),
      s.await(`${bytes}`, s.ended, { everyMs: 500 }),
      s.stream(`${bytes}`),
      s.stream(`${bytes}`),
    ]),
    s.run('with metrics', {
      plan: [{ streamWithMetrics: { output: 'x'.repeat(2_500_000), metrics: { tokens: 1 } } }],
    }),
    s.await('with metrics', s.ended, { everyMs: 500 }),
    s.stream('with metrics'),
    // Far from one megabyte.
    s.run('small texts', { plan: [1, 2, 3].map(() => ({ streamBytes: 30_000 })) }),
    s.run('small list', { plan: [{ stream: ['x'.repeat(15_000), 'y'.repeat(15_000)] }] }),
    s.await(['small texts', 'small list'], s.ended, { everyMs: 500 }),
    s.stream(['small texts', 'small list']),
    s.run('alone', { plan: [{ streamBytes: 2_500_000 }, { streamBytes: 1_200_000 }] }),
    s.await('alone', s.ended, { everyMs: 500 }),
    s.stream('alone'),
    s.stream('alone'),
  ],
});
