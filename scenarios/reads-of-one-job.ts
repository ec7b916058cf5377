import type { StepTree, Steps } from '../src/scenario/index.js';

type Read = 'status' | 'stream';

/** More reads at one instant than section 8 allows in a window. */
export const beyondTheRate = (s: Steps, read: Read): readonly StepTree[] => [
  s.run('job'),
  s.run('other'),
  s.run('there', { endpoint: s.secondEndpoint }),
  // A service that counts for each job counts half of them.
  Array.from({ length: 5 }, () => s.burst(read, 400, { jobs: ['job', 'other'] })),
  s.burst(read, 20, { jobs: ['job', 'other'] }),
  // They used nothing of what others may do.
  read === 'status' ? s.stream('job') : s.status('job'),
  // Nor of what the same operation may do at another endpoint.
  s[read]('there', { endpoint: s.secondEndpoint }),
  s.run('later'),
  s.runsync('sync', { wait: 1_000 }),
  s.cancel('later'),
  s.purge(),
];

/** As many concurrent reads as allowed, and then one more. */
export const crowdsOf = (s: Steps, read: Read): readonly StepTree[] => {
  const others = Array.from({ length: 21 }, (_, i) => `other-${i}`);
  return [
    s.run('job'),
    s.run(others, { lane: 'beside' }),
    // A service that refuses one of these has to refuse one of those.
    s.burst('cancel', 21, { held: true, jobs: others, lane: 'beside' }),
    // Sends an unneeded body whose end is missing, for services that read a call completely before they
    // answer it.
    s.burst(read, 400, { held: true, job: 'job' }),
    s.burst(read, 401, { held: true, job: 'job' }),
    s.purge(),
  ];
};
