import { DoesNotFit, scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'however ten seconds are counted, no 45 calls of /requests fit into them',
  exercises: ['8/rate-requests-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  draw: (_, limits) => {
    if (limits.modestWaitMs === undefined)
      throw new DoesNotFit('where all calls come at one instant 8/rate-of-requests tells it as well');
    return {};
  },
  script: (_, s) => [Array.from({ length: 45 }, () => s.requests())],
});
