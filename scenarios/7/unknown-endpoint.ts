import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an endpoint that does not exist is answered with 404 at every operation',
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
