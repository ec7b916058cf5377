import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an output of several megabytes comes back complete',
  needs: ['scripted-worker'],
  script: (_, s) =>
    [5_000, 70_000, 270_000, 1_048_576, 3_000_000].map((bytes) => [
      s.run(`${bytes}`, { plan: [{ returnBytes: bytes }] }),
      s.await(`${bytes}`, s.ended, { everyMs: 1_000 }),
    ]),
});
