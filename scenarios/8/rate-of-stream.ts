import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: '2000 stream reads fit into ten seconds; further ones are refused',
  needs: ['dedicated', 'load-allowed'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('job'),
    s.run('other'),
    // Once it is seen to have ended, no worker is running.
    s.await('job', s.ended, { everyMs: 500 }),
    s.await('other', s.ended, { everyMs: 500 }),
    s.pause(s.wait(3_000)),
    // A service that counts for each job counts half of them.
    Array.from({ length: 5 }, () => s.burst('stream', 400, { jobs: ['job', 'other'] })),
    s.burst('stream', 20, { jobs: ['job', 'other'] }),
    s.status('job'),
    s.stream('job', { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
  ],
});
