import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'what the service makes of a body that names its input twice',
  exercises: ['7/no-500-for-client-errors'],
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.raw('POST', '/runsync', 'duplicate-keys', {
      bodyText: '{"input": {"plan": [{"return": "first"}]}, "input": {"plan": [{"return": "last"}]}}',
    }),
  ],
});
