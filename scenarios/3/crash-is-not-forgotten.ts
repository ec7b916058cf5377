import { fits, scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job whose worker died is not left IN_PROGRESS for good',
  exercises: ['3/worker-crash-fails', '1/every-job-is-processed'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    fits(limits, 2 * HOUR_MS);
    return { workMs: arb.duration(0, 2_000), laterMs: arb.duration(HOUR_MS + 60_000, 2 * HOUR_MS - 60_000) };
  },
  script: ({ workMs, laterMs }, s) => [
    s.run('job', { plan: [{ sleepMs: workMs }, { crash: true }], policy: s.far }),
    s.begins('job'),
    s.status('job', { at: s.wait(laterMs) }),
  ],
});
