import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a ttl given to /status counts from the submission or from the call',
  exercises: ['4.3/ttl-accepted', '4.3/ttl-shortens-life'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => {
    const ttlMs = 10_000 + 6 * marginMs;
    return [
      s.hog('job'),
      s.begins('job'),
      s.status('job', { ttl: ttlMs, at: s.after('job', 'submitted', 4_000 + 3 * marginMs).plus(0) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(2 * marginMs + 1) }),
      s.status('job', {
        at: s.after('job', 'submitted', ttlMs + 4_000 + 3 * marginMs).plus(2 * marginMs + 1_000),
      }),
    ];
  },
});
