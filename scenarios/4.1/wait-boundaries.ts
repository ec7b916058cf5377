import { scenario } from '../../src/scenario/index.js';
import { WAIT_MAX_MS, WAIT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the smallest and the longest wait are accepted',
  script: (_, s) => [
    s.runsync('least', { wait: WAIT_MIN_MS }),
    s.status('least'),
    s.runsync('longest', { wait: WAIT_MAX_MS }),
    s.runsync('default'),
  ],
});
