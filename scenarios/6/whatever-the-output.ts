import { scenario } from '../../src/scenario/index.js';

const JOBS = {
  nothing: [{ return: null }],
  zero: [{ return: 0 }],
  no: [{ return: false }],
  silence: [{ return: '' }],
  'no items': [{ return: [] }],
  large: [{ returnBytes: 1_500_000 }],
  streamed: [{ stream: 'a' }, { sleepMs: 200 }, { stream: 'b' }],
  'streamed and returned': [{ stream: 'a' }, { return: 'b' }],
  // With a controlled clock these end at one instant.
  'together 1': [{ sleepMs: 2_000 }, { return: 1 }],
  'together 2': [{ sleepMs: 2_000 }, { return: 2 }],
  'together 3': [{ sleepMs: 2_000 }, { return: 3 }],
} as const;

export default scenario({
  title:
    'a webhook is called whatever the output: falsy, empty, large, streamed, or ready at the same instant',
  needs: ['scripted-worker', 'webhook-reachable', 'worker-count-known'],
  workers: 3,
  script: (_, s) => [
    Object.entries(JOBS).map(([job, plan]) => s.run(job, { plan, webhook: [{ status: 200 }] })),
    s.await(Object.keys(JOBS), s.ended, { everyMs: 500 }),
    s.pause(s.wait(40_000)),
  ],
});
