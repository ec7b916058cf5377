import { scenario } from '../../src/scenario/index.js';

/** Whether the other user is let in is open: "per endpoint", and "per user per endpoint" (`8/limit-scope`). */
export default scenario({
  title: 'one user has used up the purges of ten seconds, and another user asks for one',
  exercises: ['8/rate-purge-queue-below', '8/rate-purge-queue-above'],
  needs: ['dedicated', 'other-user-key'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [s.purge(), s.purge(), s.purge(), s.purge({ auth: 'other-user' }), s.purge()],
});
