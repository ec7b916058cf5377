import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: '2000 synchronous calls fit into ten seconds; further ones are refused without effect',
  needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
  secondEndpoint: true,
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    Array.from({ length: 5 }, () => s.burst('runsync', 400, { wait: 1_000 })),
    s.burst('runsync', 20, { wait: 1_000 }),
    // They used nothing of what others may do, nor of what may be done at another endpoint.
    s.runsync('there', { wait: 1_000, endpoint: s.secondEndpoint }),
    s.run('beside'),
    s.status('beside'),
    s.stream('beside'),
    s.cancel('beside'),
    // The jobs that wait are those of the calls that were accepted.
    s.health({ at: s.wait(marginMs) }),
    s.purge(),
    s.runsync('again', { plan: s.works(100), wait: 1_000, at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
    s.purge(),
  ],
});
