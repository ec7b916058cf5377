import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'calls with a wrong key cancel, retry and purge nothing',
  exercises: [
    '5/unauthorized-cancel-has-no-effect',
    '5/unauthorized-retry-has-no-effect',
    '5/unauthorized-purge-has-no-effect',
    '5/unauthorized-reveals-nothing',
    '5/missing-key-purge-queue',
    '5/wrong-key-purge-queue',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('failed', {
      plan: [{ stream: 'secret' }, { fail: 'on purpose' }],
      planOnRetry: [{ return: 'ran twice' }],
    }),
    s.await('failed', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.run('running', { plan: [{ stream: 'secret' }, { hang: true }], policy: s.noTimeouts }),
    s.awaitStarted('running'),
    s.run('waiting', { plan: [{ return: 1 }] }),
    (['missing', 'wrong', 'wrong-bearer'] as const).map((auth) => [
      s.cancel('running', { auth }),
      s.cancel('waiting', { auth }),
      s.retry('failed', { auth }),
      s.stream('running', { auth }),
      // The third purge in ten seconds might be refused for its rate instead of its key.
      auth === 'wrong-bearer' ? [] : s.purge({ auth }),
    ]),
    s.health({ at: s.wait(marginMs) }),
    ['failed', 'running', 'waiting'].map((job) => s.status(job)),
    s.cancel('running', { at: s.wait(1_000) }),
    s.await('waiting', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.status('failed'),
  ],
});
