import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a new worker that replaces a crashed one takes the next job',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb) => ({ runMs: arb.duration(0, 3_000) }),
  script: ({ runMs }, s) => [
    s.run('first', { plan: [{ sleepMs: runMs }, { crash: true }], policy: s.noTimeouts }),
    s.awaitStarted('first'),
    s.run('next', { plan: s.works(300), policy: s.noTimeouts }),
    s.await('first', s.ended, { withinMs: 300_000, everyMs: 1_000 }),
    s.await('next', s.ended, { withinMs: 120_000, everyMs: 500 }),
    // However often a worker dies.
    ['second', 'third', 'fourth', 'fifth'].map((job) => [
      s.run(job, { plan: [{ crash: true }], policy: s.noTimeouts }),
      s.await(job, s.ended, { withinMs: 300_000, everyMs: 5_000 }),
      s.run(`after the ${job}`, { plan: s.works(300), policy: s.noTimeouts }),
      s.await(`after the ${job}`, s.ended, { withinMs: 120_000, everyMs: 1_000 }),
    ]),
  ],
});
