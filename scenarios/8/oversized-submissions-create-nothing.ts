import { scenario } from '../../src/scenario/index.js';
import { RUNSYNC_PAYLOAD_MAX, RUN_PAYLOAD_MAX } from '../../src/spec/limits.js';

export default scenario({
  title: 'submissions that are too large create no job, even if their length is not told before',
  onlyWith: { '3/invalid-submission-creates-nothing': { needs: ['worker-count-known'] } },
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.health(),
    s.run('run', {
      padToBytes: RUN_PAYLOAD_MAX.binaryBytes + 1_000,
      padWith: '€',
      chunked: true,
      illegal: 'payload-above-limit-in-chunks',
    }),
    s.health({ at: s.wait(marginMs) }),
    s.runsync('runsync', {
      padToBytes: RUNSYNC_PAYLOAD_MAX.binaryBytes + 1_000,
      padWith: '€',
      chunked: true,
      wait: 1_000,
      illegal: 'payload-above-limit-in-chunks',
    }),
    s.health({ at: s.wait(marginMs) }),
  ],
});
