import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'submissions to /run with a wrong key create no job',
  exercises: ['5/unauthorized-submission-creates-nothing-run', '3/invalid-submission-creates-nothing'],
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.health(),
    (['missing', 'wrong', 'wrong-bearer'] as const).map((auth) => s.run(`run-${auth}`, { auth })),
    s.health({ at: s.wait(marginMs) }),
  ],
});
