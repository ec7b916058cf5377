import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a webhook call that fails is made again after ten seconds, and a 200 ends it',
  exercises: [
    '6/retries-after-error-status',
    '6/retries-after-dropped-connection',
    '6/second-success-ends-retries',
    '6/pause-not-shorter',
    '6/pause-not-longer',
    '6/stops-after-200',
    '6/failing-webhook-leaves-job-alone',
  ],
  needs: ['scripted-worker', 'webhook-reachable'],
  draw: (arb) => ({
    first: arb.oneOf(
      { status: 500 } as const,
      { status: 404 } as const,
      { status: 503 } as const,
      { status: 429 } as const,
      { close: true } as const,
    ),
    op: arb.oneOf('run', 'runsync'),
  }),
  script: ({ first, op }, s) => [
    s[op]('job', { plan: s.works(300), webhook: [first, { status: 200 }] }),
    s.run('ClientError', { plan: s.works(300), webhook: [{ status: 404 }, { status: 200 }] }),
    s.run('ServerError', { plan: s.works(300), webhook: [{ status: 500 }, { status: 200 }] }),
    s.run('Dropped', { plan: s.works(300), webhook: [{ close: true }, { status: 200 }] }),
    ['job', 'ClientError', 'ServerError', 'Dropped'].map((job) =>
      s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 }),
    ),
    s.status('job', { at: s.wait(35_000) }),
  ],
});
