import { scenario } from '../../src/scenario/index.js';

const EACH_SECOND = 16;
const SECONDS = 20;

export default scenario({
  title: 'wherever windows begin, 300 cancels do not fit into twenty seconds',
  exercises: ['8/rate-cancel-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => {
    const labels = Array.from({ length: EACH_SECOND * SECONDS }, (__, i) => `job-${i}`);
    return [
      labels.map((label) => s.run(label)),
      Array.from({ length: SECONDS }, (__, second) => [
        labels.slice(second * EACH_SECOND, (second + 1) * EACH_SECOND).map((label) => s.cancel(label)),
        s.pause(s.wait(1_000 - 50)),
      ]),
    ];
  },
});
