import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: '2000 status reads fit into ten seconds; further ones are refused',
  needs: ['dedicated', 'load-allowed'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('job'),
    s.run('other'),
    // Once it is seen to have ended, no worker is running.
    s.await('job', s.ended, { everyMs: 500 }),
    s.await('other', s.ended, { everyMs: 500 }),
    // Those reads count as well, until their window is over.
    s.pause(s.wait(RATE_WINDOW_MS + 2 * marginMs + 1)),
    // It does not count towards the limit of /status.
    s.burst('health', 20),
    // A service that counts for each job counts half of them.
    Array.from({ length: 5 }, () => s.burst('status', 400, { jobs: ['job', 'other'] })),
    s.burst('status', 20, { jobs: ['job', 'other'] }),
    s.stream('job'),
    s.health(),
    s.status('job', { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
  ],
});
