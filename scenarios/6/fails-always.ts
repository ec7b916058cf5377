import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a webhook that keeps failing is called three times in all, and the job is none the worse for it',
  exercises: [
    '6/three-attempts',
    '6/at-most-three-attempts',
    '6/failing-webhook-leaves-job-alone',
    '6/retries-after-error-status',
    '6/pause-not-shorter',
    '6/pause-not-longer',
  ],
  needs: ['scripted-worker', 'webhook-reachable'],
  draw: (arb) => ({
    answer: arb.oneOf({ status: 500 } as const, { status: 400 } as const, { close: true } as const),
  }),
  script: ({ answer }, s) => [
    s.run('job', { plan: s.works(300, { kept: true }), webhook: [answer] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.status('job', { at: s.wait(15_000) }),
    s.status('job', { at: s.wait(25_000) }),
  ],
});
