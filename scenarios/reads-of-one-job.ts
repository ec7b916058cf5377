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

type Refused = 'run' | 'runsync' | 'status' | 'stream' | 'cancel' | 'openai';

/**
 * Calls that are answered with 400, 401 or 404, one of each that the operation has: if a service went on counting one as in
 * progress, a crowd as large as the limit would be too large.
 */
export const refusedBefore = (s: Steps, op: Refused): readonly StepTree[] => {
  if (op === 'run' || op === 'runsync' || op === 'openai') {
    const path = op === 'openai' ? '/openai/v1/chat/completions' : `/${op}`;
    const malformed = { bodyText: '{"input": ' };
    return [
      s.raw('POST', path, 'malformed', malformed),
      s.raw('POST', path, 'without-key', { ...malformed, auth: 'missing' }),
    ];
  }
  const method = op === 'cancel' ? 'POST' : 'GET';
  const path = `/${op}/no-such-job`;
  return [
    s.raw(method, path, 'unknown-job'),
    s.raw(method, path, 'without-key', { auth: 'missing' }),
    // One that has ended may be refused; so may this `ttl`.
    op === 'cancel' ? [s.run('over'), s.cancel('over'), s.cancel('over')] : [],
    op === 'status' ? s.raw(method, '/status/{job:job}', 'ttl-soon', { query: { ttl: 'soon' } }) : [],
  ];
};

/** As many concurrent reads as allowed, and then one more. */
export const crowdsOf = (s: Steps, read: Read): readonly StepTree[] => {
  const others = Array.from({ length: 21 }, (_, i) => `other-${i}`);
  return [
    s.run('job'),
    refusedBefore(s, read),
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
