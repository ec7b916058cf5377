import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an output of several megabytes comes back complete',
  exercises: ['2.4/large-output-whole', '2.4/output-object-unchanged', '2.4/output-in-status'],
  needs: ['scripted-worker'],
  script: (_, s) =>
    [5_000, 70_000, 270_000, 1_048_576, 3_000_000].map((bytes) => [
      s.run(`${bytes}`, { plan: [{ returnBytes: bytes }] }),
      s.await(`${bytes}`, s.ended, { withinMs: 60_000, everyMs: 1_000 }),
    ]),
});
