import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'members of the submission that the document does not name have no effect',
  script: (_, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-first`, { extra: { id: 'chosen-by-the-client', status: 'COMPLETED', output: 'none' } }),
      s[op](`${op}-second`, { extra: { id: 'chosen-by-the-client' } }),
      s.status(`${op}-first`),
      s.status(`${op}-second`),
      s.raw('GET', '/status/chosen-by-the-client', 'unknown-job'),
    ]),
});
