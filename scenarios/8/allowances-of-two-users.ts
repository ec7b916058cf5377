import { scenario } from '../../src/scenario/index.js';

/**
 * Whether the other user is refused is open: "per endpoint", and "per user per endpoint" (`8/limit-scope`).
 */
export default scenario({
  title: "whether one user's purges use up the limit of another user",
  needs: ['dedicated', 'other-user-key'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [s.purge(), s.purge(), s.purge(), s.purge({ auth: 'other-user' }), s.purge()],
});
