import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'submissions to /runsync with a wrong key create no job',
  onlyWith: { '5/unauthorized-submission-creates-nothing-runsync': { needs: ['worker-count-known'] } },
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.health(),
    (['missing', 'wrong', 'wrong-bearer'] as const).map((auth) => s.runsync(`runsync-${auth}`, { auth })),
    s.health({ at: s.wait(marginMs) }),
  ],
});
