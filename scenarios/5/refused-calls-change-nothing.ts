import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'calls with a wrong key cancel, retry and purge nothing',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('failed', {
      plan: [{ stream: 'secret' }, { fail: 'on purpose' }],
      planOnRetry: [{ return: 'ran twice' }],
    }),
    s.await('failed'),
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
    s.status(['failed', 'running', 'waiting']),
    s.cancel('running', { at: s.wait(1_000) }),
    s.await('waiting'),
    s.status('failed'),
  ],
});
