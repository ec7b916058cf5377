import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'any ttl within the range is answered with the record, as without a ttl',
  script: (_, s) => [
    s.run('job'),
    s.status('job'),
    [TTL_MAX_MS, HOUR_MS, 60_000].map((ttl) => s.status('job', { ttl })),
  ],
});
