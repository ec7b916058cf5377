import { scenario } from '../../src/scenario/index.js';
import { STATUS_TTL_EXAMPLE_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: "the document's own example, a ttl of 6000, takes effect as given",
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.run('other', { plan: [{ return: 'lives on' }] }),
    s.await('other', s.ended, { withinMs: 30_000, everyMs: 250 }),
    s.blocker('job'),
    s.awaitStarted('job'),
    s.blocker('behind'),
    s.status('behind'),
    s.status('job', { ttl: STATUS_TTL_EXAMPLE_MS }),
    s.status('behind', { ttl: STATUS_TTL_EXAMPLE_MS }),
    // It has the default of the document, not what was given last.
    s.run('later', { plan: [{ return: 'lives on' }] }),
    // As late as possible before 10 seconds have passed.
    s.status('job', { at: s.after('job', 'submitted', STATUS_TTL_EXAMPLE_MS).plus(3_500) }),
    s.status('behind'),
    s.status('job', { at: s.after('job', 'submitted', TTL_MIN_MS).plus(marginMs + 500) }),
    s.status('behind'),
    s.status('other'),
    s.status('later'),
    s.cancel('job'),
    s.cancel('behind'),
  ],
});
