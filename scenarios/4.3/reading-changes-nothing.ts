import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a record read many times, in sequence and concurrently, is the same each time',
  exercises: ['4.3/reading-does-not-consume', '4.3/ttl-optional', '2.4/times-settled', '3/completed-stays'],
  needs: ['scripted-worker'],
  draw: (arb) => ({ reads: arb.integer(2, 20) }),
  script: ({ reads }, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, { plan: [{ stream: 'part' }, { return: { same: 'each time' } }] }),
      s.await(`${op}-job`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.burst('status', reads, { job: `${op}-job` }),
      s.stream(`${op}-job`),
      s.status(`${op}-job`, { at: s.wait(1_000) }),
    ]),
});
