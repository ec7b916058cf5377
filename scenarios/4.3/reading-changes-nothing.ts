import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a record read many times, alone and at once, is the same each time',
  exercises: ['4.3/reading-does-not-consume', '4.3/ttl-optional', '2.4/times-settled', '3/completed-stays'],
  needs: ['scripted-worker'],
  draw: (arb) => ({ reads: arb.integer(2, 20), op: arb.oneOf('run', 'runsync') }),
  script: ({ reads, op }, s) => [
    s[op]('job', { plan: [{ stream: 'part' }, { return: { same: 'each time' } }] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.burst('status', reads, { job: 'job' }),
    s.stream('job'),
    s.status('job', { at: s.wait(1_000) }),
  ],
});
