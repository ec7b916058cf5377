import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an output of several megabytes comes back whole',
  exercises: ['2.4/output-object-unchanged', '2.4/output-in-status'],
  needs: ['scripted-worker'],
  draw: (arb) => ({ bytes: arb.oneOf(100_000, 1_048_576, 3_000_000) }),
  script: ({ bytes }, s) => [
    s.run('job', { plan: [{ returnBytes: bytes }] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
  ],
});
