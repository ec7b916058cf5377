import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a webhook that never answers is given up and called again, and nobody else waits for it',
  exercises: [
    '6/retries-after-silence',
    '6/failing-webhook-leaves-job-alone',
    '6/failing-webhook-leaves-others-alone',
  ],
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s) => [
    // Under test control each call that is never answered costs ten real seconds: one is enough.
    s.run('silent', { plan: s.works(300), webhook: [{ never: true }, { status: 200 }] }),
    s.run('behind', { plan: s.works(300), webhook: [{ status: 200 }] }),
    s.await('silent', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.await('behind', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.status('silent', { at: s.wait(60_000) }),
  ],
});
