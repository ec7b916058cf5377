import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'more cancels of an unknown job than two windows allow',
  needs: ['dedicated', 'load-allowed'],
  exclusive: true,
  script: (_, s) => Array.from({ length: 14 }, () => s.burst('cancel', 18)),
});
