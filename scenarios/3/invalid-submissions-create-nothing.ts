import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'malformed submissions leave no job in the queue',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    (['run', 'runsync'] as const).map((op) => [
      s.raw('POST', `/${op}`, 'truncated-json', { bodyText: '{"input": {"plan": [' }),
      s.raw('POST', `/${op}`, 'no-body'),
      s[op](`${op} bad-input`, { input: 'text', illegal: 'input-string' }),
    ]),
    s.run('bad-policy', { plan: s.works(100), policy: 7, illegal: 'policy-number' }),
    s.health({ at: s.wait(marginMs) }),
    s.purge(),
  ],
});
