import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'more cancels of an unknown job than two windows allow',
  exercises: ['8/rate-cancel-below', '7/unknown-job-cancel'],
  needs: ['dedicated', 'load-allowed'],
  exclusive: true,
  script: (_, s) => Array.from({ length: 14 }, () => s.burst('cancel', 18)),
});
