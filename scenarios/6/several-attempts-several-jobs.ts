import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'each of several jobs has its own three attempts',
  needs: ['scripted-worker', 'webhook-reachable', 'worker-count-known'],
  workers: 3,
  script: (_, s) => [
    s.run('a', {
      plan: s.works(100),
      webhook: [{ status: 500 }, { status: 500 }, { status: 500 }],
      webhookQuery: '?job=a',
    }),
    s.run('b', {
      plan: s.works(3_000),
      webhook: [{ status: 500 }, { status: 200 }],
      webhookQuery: '/?job=b&n=1',
    }),
    s.run('c', { plan: s.works(6_000), webhook: [{ close: true }] }),
    s.await(['a', 'b', 'c'], s.ended, { everyMs: 500 }),
    s.pause(s.wait(45_000)),
  ],
});
