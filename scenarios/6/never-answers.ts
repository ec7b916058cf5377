import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a webhook that never answers is given up and called again',
  exercises: ['6/retries-after-silence', '6/failing-webhook-leaves-job-alone'],
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s) => [
    s.run('job', { plan: s.works(300), webhook: [{ never: true }, { status: 200 }] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.status('job', { at: s.wait(60_000) }),
  ],
});
