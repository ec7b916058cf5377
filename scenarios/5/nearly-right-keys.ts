import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an empty key, a part of the key, more than the key, or the key in another place is refused',
  script: (_, s) => [
    s.run('job'),
    (
      [
        'empty',
        'empty-bearer',
        'truncated',
        'truncated-start',
        'extended',
        'followed',
        'other-case',
        'other-scheme',
        'in-query',
      ] as const
    ).map((auth) => [s.health({ auth }), s.status('job', { auth }), s.run(`refused-${auth}`, { auth })]),
    s.health(),
  ],
});
