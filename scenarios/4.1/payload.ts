import { scenario } from '../../src/scenario/index.js';
import { RUNSYNC_PAYLOAD_MAX } from '../../src/spec/limits.js';

export default scenario({
  title: '/runsync takes bodies up to 20 MB, more than /run does, and refuses larger ones',
  script: (_, s) => [
    s.runsync('at the limit', { padToBytes: RUNSYNC_PAYLOAD_MAX.decimalBytes }),
    s.runsync('at the limit, with a wait', { padToBytes: RUNSYNC_PAYLOAD_MAX.decimalBytes, wait: 5_000 }),
    s.runsync('above', {
      // So large that the input alone is above the limit, too.
      padToBytes: RUNSYNC_PAYLOAD_MAX.binaryBytes + 1_000,
      padWith: '€',
      illegal: 'payload-above-limit',
    }),
  ],
});
