import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'calls of /retry and /health take nothing from what /run and /status may be called',
  exercises: ['8/rate-run-below', '8/rate-status-below', '8/rate-per-operation'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    [s.burst('retry', 100), s.burst('health', 100)],
    s.run('job'),
    s.burst('run', 199),
    Array.from({ length: 4 }, () => s.burst('run', 200)),
    Array.from({ length: 5 }, () => s.burst('status', 400, { job: 'job' })),
    s.purge(),
  ],
});
