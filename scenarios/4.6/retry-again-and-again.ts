import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that keeps failing can be retried repeatedly',
  onlyWith: {
    '4.8/counts-retried': { needs: ['worker-count-known'] },
    '4.8/counts-failed': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  draw: (arb) => ({ times: arb.integer(2, 5) }),
  script: ({ times }, s, { marginMs }) => [
    s.health(),
    s.run('job', {
      plan: [{ sleepMs: 200 }, { fail: 'first' }],
      planOnRetry: [{ sleepMs: 300 }, { fail: 'again' }],
    }),
    s.await('job'),
    s.health({ at: s.wait(marginMs) }),
    Array.from({ length: times }, () => [s.retry('job'), s.await('job'), s.health({ at: s.wait(marginMs) })]),
  ],
});
