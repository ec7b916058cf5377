import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: '1000 jobs can be submitted within ten seconds; further ones are refused without effect',
  needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
  secondEndpoint: true,
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    // It does not count towards the limit of /run.
    s.burst('retry', 20),
    Array.from({ length: 5 }, () => s.burst('run', 200)),
    s.burst('run', 20),
    s.run('there', { endpoint: s.secondEndpoint }),
    s.health(),
    s.run('again', { plan: s.works(100), at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
    s.status('again'),
    // All of them wait, and no other.
    s.health({ at: s.wait(marginMs) }),
    s.purge(),
  ],
});
