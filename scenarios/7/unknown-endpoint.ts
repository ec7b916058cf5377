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
    s.run('nowhere', { endpoint: s.unknownEndpoint }),
    s.runsync('nowhere too', { endpoint: s.unknownEndpoint }),
    s.status('job', { endpoint: s.unknownEndpoint }),
    s.stream('job', { endpoint: s.unknownEndpoint }),
    s.cancel('job', { endpoint: s.unknownEndpoint }),
    s.retry('job', { endpoint: s.unknownEndpoint }),
    s.purge({ endpoint: s.unknownEndpoint }),
    s.health({ endpoint: s.unknownEndpoint }),
    ['constructor', '__proto__', `${s.ownEndpoint}-x`].map((endpoint) => [
      s.health({ endpoint }),
      s.purge({ endpoint }),
    ]),
    s.status('job'),
  ],
});
