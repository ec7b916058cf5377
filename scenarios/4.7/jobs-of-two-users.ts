import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge removes the waiting jobs of the endpoint, and /health counts them, whoever submitted them',
  needs: ['dedicated', 'other-user-key', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('own'),
    s.run('theirs', { auth: 'other-user' }),
    s.health({ at: s.wait(marginMs) }),
    s.health({ auth: 'other-user' }),
    s.purge(),
    s.status(['own', 'theirs']),
    s.health({ at: s.wait(marginMs) }),
    s.run('own too'),
    s.run('theirs too', { auth: 'other-user' }),
    s.purge({ auth: 'other-user' }),
    s.status(['own too', 'theirs too']),
    s.health({ at: s.wait(marginMs) }),
  ],
});
