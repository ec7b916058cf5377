import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'what the service makes of a webhook that answers with another success or a redirect',
  exercises: ['6/at-most-three-attempts', '6/failing-webhook-leaves-job-alone'],
  needs: ['scripted-worker', 'webhook-reachable'],
  draw: (arb) => ({ status: arb.oneOf(201, 202, 204, 302) }),
  script: ({ status }, s) => [
    s.run('job', { plan: s.works(300), webhook: [{ status }] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.status('job', { at: s.wait(45_000) }),
  ],
});
