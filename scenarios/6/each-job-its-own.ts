import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    'a failing webhook delays neither other jobs nor their webhooks, and a job without one causes no call',
  exercises: [
    '6/each-job-its-own-url',
    '6/failing-webhook-leaves-others-alone',
    '6/called-at-given-url',
    '6/at-most-three-attempts',
    '6/stops-after-200',
    '2.1/webhook-optional',
  ],
  needs: ['webhook-reachable'],
  script: (_, s) => [
    s.run('failing', { plan: s.works(300), webhook: [{ status: 500 }] }),
    s.run('dropped', { plan: s.works(300), webhook: [{ close: true }] }),
    s.run('without', { plan: s.works(300) }),
    s.run('good', { plan: s.works(300, 1), webhook: [{ status: 200 }], webhookQuery: '?n=1' }),
    s.run('good too', { plan: s.works(300, 2), webhook: [{ status: 200 }], webhookQuery: '?n=2' }),
    ['failing', 'dropped', 'without', 'good', 'good too'].map((job) =>
      s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 }),
    ),
    s.runsync('waited for', { plan: s.works(300, 3), webhook: [{ status: 200 }], webhookQuery: '?n=3' }),
    s.pause(s.wait(40_000)),
  ],
});
