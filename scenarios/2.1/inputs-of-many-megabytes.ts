import { scenario } from '../../src/scenario/index.js';
import { RUN_PAYLOAD_MAX, RUNSYNC_PAYLOAD_MAX } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job whose input is as large as a submission may be is run like any other',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('run', { plan: s.works(1_000), padToBytes: RUN_PAYLOAD_MAX.decimalBytes }),
    s.runsync('runsync', { plan: s.works(1_000), padToBytes: RUNSYNC_PAYLOAD_MAX.decimalBytes }),
    s.await(['run', 'runsync']),
  ],
});
