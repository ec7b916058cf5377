import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'refused submissions leave no trace in the queue, at the workers or in the counts',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.health({ at: s.wait(marginMs) }),
    s.run('no-key', { auth: 'missing', plan: s.works(100) }),
    s.runsync('wrong-key', { auth: 'wrong', plan: s.works(100), wait: 1_000 }),
    s.raw('POST', '/run', 'truncated-json', { bodyText: '{"input": {"plan": [' }),
    s.run('bad-input', { input: 'text', illegal: 'input-string' }),
    s.run('bad-policy', { plan: s.works(100), policy: 7, illegal: 'policy-number' }),
    s.run('elsewhere', { endpoint: s.unknownEndpoint, plan: s.works(100) }),
    s.health({ at: s.wait(marginMs) }),
    s.purge(),
    s.cancel('blocker'),
    s.health({ at: s.wait(marginMs) }),
  ],
});
