import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'how the service treats a body with two `input` members',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.raw('POST', '/runsync', 'duplicate-keys', {
      bodyText: '{"input": {"plan": [{"return": "first"}]}, "input": {"plan": [{"return": "last"}]}}',
    }),
  ],
});
