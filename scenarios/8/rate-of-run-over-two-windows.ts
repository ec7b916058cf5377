import { DoesNotFit, scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'however ten seconds are counted, no 2200 submissions fit into them',
  exercises: ['8/rate-run-above', '8/refused-call-has-no-effect'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  draw: (_, limits) => {
    if (limits.modestWaitMs === undefined)
      throw new DoesNotFit('where all calls come at one instant 8/rate-of-run tells it as well');
    return {};
  },
  script: (_, s) => [Array.from({ length: 11 }, () => s.burst('run', 200)), s.purge()],
});
