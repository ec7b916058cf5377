import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'webhook calls that are answered with another success code or a redirect',
  exercises: ['6/at-most-three-attempts', '6/called-on-completion-run'],
  needs: ['webhook-reachable'],
  script: (_, s) => [
    s.run('created', { plan: s.works(300), webhook: [{ status: 201 }] }),
    s.run('moved', { plan: s.works(300), webhook: [{ status: 302 }] }),
    ['created', 'moved'].map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 })),
    s.status('moved', { at: s.wait(45_000) }),
  ],
});
