import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'slashes, methods, bodies and parameters that the document does not mention',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.raw('GET', '/health/', 'trailing-slash'),
    s.raw('HEAD', '/health', 'other-method'),
    s.raw('OPTIONS', '/health', 'other-method'),
    s.raw('POST', '/health', 'wrong-method'),
    s.raw('POST', '/run', 'unknown-query', {
      query: { verbose: '1' },
      bodyText: '{"input": {"plan": [{"return": 1}]}}',
    }),
    s.blocker('running'),
    s.awaitStarted('running'),
    s.raw('POST', '/cancel/{job:running}', 'unneeded-body', { bodyText: '{"reason": "none"}' }),
    s.cancel('running'),
  ],
});
