import { scenario } from '../../src/scenario/index.js';

const CANCELS = 20 + 21;

export default scenario({
  title: 'as many concurrent submissions, cancels and lists as allowed, and one more of each',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => {
    const jobs = Array.from({ length: CANCELS }, (__, i) => `job-${i}`);
    // Submissions of other lanes would add to the calls that are counted.
    const then = s.after(jobs.at(-1)!, 'submitted').plus(1);
    return [
      s.run(jobs),
      // Calls that are answered at once overlap only while the ends of their bodies are missing.
      s.lane('runs', s.burst('run', 200, { held: true, at: then }), s.burst('run', 201, { held: true })),
      s.lane(
        'lists',
        s.burst('requests', 2, { held: true, at: then }),
        s.burst('requests', 3, { held: true }),
      ),
      s.burst('cancel', 20, { held: true, jobs: jobs.slice(0, 20) }),
      s.burst('cancel', 21, { held: true, jobs: jobs.slice(20) }),
      s.purge(),
    ];
  },
});
