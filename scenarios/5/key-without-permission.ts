import { scenario } from '../../src/scenario/index.js';

const auth = 'unpermitted';

export default scenario({
  title: 'a valid key without permission for the endpoint allows no operation',
  needs: ['unpermitted-key'],
  script: (_, s) => [
    s.run('job'),
    s.status('job', { auth }),
    s.stream('job', { auth }),
    s.cancel('job', { auth }),
    s.retry('job', { auth }),
    s.health({ auth }),
    s.run('refused', { auth }),
    s.runsync('refused-sync', { auth }),
    s.status('job'),
  ],
});
