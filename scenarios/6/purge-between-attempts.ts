import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'neither a purge nor a cancel of another job drops webhook calls that are due to be repeated',
  needs: ['scripted-worker', 'webhook-reachable', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('job', { plan: s.works(300), webhook: [{ status: 500 }, { close: true }, { status: 200 }] }),
    s.await('job'),
    s.purge({ at: s.wait(3_000) }),
    s.run('other', { plan: [{ hang: true }] }),
    s.awaitStarted('other'),
    s.cancel('other'),
    s.pause(s.wait(10_000)),
    s.purge(),
    s.pause(s.wait(30_000)),
  ],
});
