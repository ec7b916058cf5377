import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an endpoint that does not exist is answered 404 at every operation',
  exercises: [
    '7/unknown-endpoint-runsync',
    '7/unknown-endpoint-run',
    '7/unknown-endpoint-status',
    '7/unknown-endpoint-stream',
    '7/unknown-endpoint-cancel',
    '7/unknown-endpoint-retry',
    '7/unknown-endpoint-purge-queue',
    '7/unknown-endpoint-health',
    '1/json-error-body-404',
    '1/json-error-content-type-404',
    '7/no-500-for-client-errors',
  ],
  needs: ['endpoint-in-path'],
  script: (_, s) => [
    s.run('job'),
    s.run('nowhere', { endpoint: s.nowhere }),
    s.runsync('nowhere too', { endpoint: s.nowhere }),
    s.status('job', { endpoint: s.nowhere }),
    s.stream('job', { endpoint: s.nowhere }),
    s.cancel('job', { endpoint: s.nowhere }),
    s.retry('job', { endpoint: s.nowhere }),
    s.purge({ endpoint: s.nowhere }),
    s.health({ endpoint: s.nowhere }),
    ['constructor', '__proto__', `${s.own}-x`].map((endpoint) => [
      s.health({ endpoint }),
      s.purge({ endpoint }),
    ]),
    s.status('job'),
  ],
});
