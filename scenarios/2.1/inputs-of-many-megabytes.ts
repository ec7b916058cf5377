import { scenario } from '../../src/scenario/index.js';
import { RUN_PAYLOAD_MAX, RUNSYNC_PAYLOAD_MAX } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job whose input is as large as a submission may be is run like any other',
  exercises: ['3/success-completes-run', '3/success-completes-runsync', '4.1/complete-result-in-one-answer'],
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('run', { plan: s.works(1_000), padToBytes: RUN_PAYLOAD_MAX.decimalBytes }),
    s.runsync('runsync', { plan: s.works(1_000), padToBytes: RUNSYNC_PAYLOAD_MAX.decimalBytes }),
    ['run', 'runsync'].map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 })),
  ],
});
