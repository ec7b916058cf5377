import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    '/run is answered with IN_QUEUE at once, whether workers are idle or busy, even if the job ends immediately or a /runsync call waits',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.run('instant', { plan: [{ return: 1 }] }),
    s.await('instant'),
    s.run('failed', { plan: [{ fail: 'once' }], planOnRetry: [{ return: 1 }] }),
    s.await('failed'),
    s.run('long', { plan: [{ hang: true }], policy: s.noTimeouts }),
    s.awaitStarted('long'),
    s.run('waiting', { plan: [{ return: 2 }] }),
    s.status('waiting'),
    s.lane(
      'caller',
      s.runsync('called', { plan: [{ return: 3 }], wait: 20_000, at: s.after('long', 'started').plus(0) }),
    ),
    s.run('meanwhile', { plan: [{ return: 4 }], at: s.wait(1_000) }),
    s.retry('failed'),
    s.status('failed'),
    s.cancel('meanwhile'),
    s.cancel('long'),
    s.await(['waiting', 'failed']),
  ],
});
