import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a record read many times, in sequence and concurrently, is the same each time',
  needs: ['scripted-worker'],
  draw: (arb) => ({ reads: arb.integer(2, 20) }),
  script: ({ reads }, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, { plan: [{ stream: 'part' }, { return: { same: 'each time' } }] }),
      s.await(`${op}-job`),
      s.burst('status', reads, { job: `${op}-job` }),
      s.stream(`${op}-job`),
      s.status(`${op}-job`, { at: s.wait(1_000) }),
    ]),
});
