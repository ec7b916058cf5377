import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the times of a retried job cover its waits and its runs, by one of several readings',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s, { graceMs }) => {
    const ms = (seconds: number) => seconds * (1_000 + graceMs);
    return [
      s.blocker('first blocker'),
      s.awaitStarted('first blocker'),
      s.run('job', {
        plan: [{ sleepMs: ms(1) }, { fail: 'on purpose' }],
        planOnRetry: s.works(ms(3)),
      }),
      s.status('job', { at: s.after('job', 'submitted', ms(2)).plus(0) }),
      s.cancel('first blocker'),
      s.awaitStarted('job'),
      s.awaitEnded('job', ms(1), 100),
      s.blocker('second blocker'),
      s.awaitStarted('second blocker'),
      s.retry('job'),
      s.status('job', { at: s.after('job', 'retried', ms(4)).plus(0) }),
      s.cancel('second blocker'),
      s.awaitStarted('job'),
      s.await('job', s.ended, { withinMs: ms(6) + 10_000, everyMs: 250 }),
      s.status('job'),
    ];
  },
});
