import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'which of several reasons to refuse a call is given',
  needs: ['endpoint-in-path'],
  script: (_, s) => [
    s.run('job'),
    s.run('malformed', { input: 'text', illegal: 'input-text', auth: 'missing' }),
    s.run('nowhere', { endpoint: s.unknownEndpoint, auth: 'missing' }),
    s.raw('GET', '/status/00000000-0000-4000-8000-000000000000', 'unknown-job', { auth: 'missing' }),
    s.run('malformed nowhere', { input: 'text', illegal: 'input-text', endpoint: s.unknownEndpoint }),
  ],
});
