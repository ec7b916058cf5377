/** What a run hears of within seconds: the shipped scenarios listen for longer than a hostile server is given. */
import { scenario } from 'runproof';

export default scenario({
  title: 'webhooks are called while others are read',
  exercises: ['6/called-on-completion-run'],
  needs: ['scripted-worker', 'webhook-reachable'],
  draw: () => ({}),
  script: (_, s) => [
    ...Array.from({ length: 4 }, (_one, n) => [
      s.run(`Heard-${n}`, { plan: s.works(50, { heard: n }), webhook: [{ status: 200 }] }),
      s.await(`Heard-${n}`, s.ended, { withinMs: 1_000, everyMs: 200 }),
    ]).flat(),
    s.status('Heard-0', { at: s.wait(700) }),
  ],
});
