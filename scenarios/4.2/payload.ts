import { scenario } from '../../src/scenario/index.js';
import { RUN_PAYLOAD_MAX } from '../../src/spec/limits.js';

export default scenario({
  title: '/run takes bodies up to 10 MB, counted in bytes, and refuses larger ones',
  script: (_, s) => [
    s.run('at the limit', { padToBytes: RUN_PAYLOAD_MAX.decimalBytes }),
    s.run('above', {
      // So large that the input alone is above the limit, too.
      padToBytes: RUN_PAYLOAD_MAX.binaryBytes + 1_000,
      padWith: '€',
      illegal: 'payload-above-limit',
    }),
  ],
});
