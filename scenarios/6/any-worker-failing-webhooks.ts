import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, a failed webhook call is repeated, up to three calls in all',
  exercises: [
    '6/retries-after-error-status',
    '6/retries-after-dropped-connection',
    '6/second-success-ends-retries',
    '6/three-attempts',
    '6/at-most-three-attempts',
    '6/pause-not-shorter',
    '6/pause-not-longer',
    '6/failing-webhook-leaves-job-alone',
    '6/failing-webhook-leaves-others-alone',
  ],
  needs: ['webhook-reachable'],
  script: (_, s, { maxWaitMs }) => {
    const withinMs = Math.min(60_000, maxWaitMs);
    return [
      s.run('fails', { plan: s.works(300), webhook: [{ status: 500 }] }),
      s.run('fails once', { plan: s.works(300), webhook: [{ status: 503 }, { status: 200 }] }),
      s.run('dropped', { plan: s.works(300), webhook: [{ close: true }, { status: 200 }] }),
      s.run('good', { plan: s.works(300), webhook: [{ status: 200 }] }),
      ['fails', 'fails once', 'dropped', 'good'].map((job) =>
        s.await(job, s.ended, { withinMs, everyMs: 500 }),
      ),
      ['fails', 'fails once'].map((job, i) => s.status(job, i === 0 ? { at: s.wait(40_000) } : {})),
    ];
  },
});
