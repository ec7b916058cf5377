import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'how the service treats submissions that the document neither allows nor forbids',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('null policy', { policy: null, illegal: 'null-policy' }),
    s.run('null s3Config', { s3Config: null, illegal: 'null-s3Config' }),
    s.run('null webhook', { webhookUrl: null, illegal: 'null-webhook' }),
    s.run('no address', { webhookUrl: 'not an address', illegal: 'webhook-no-url' }),
    s.run('other scheme', { webhookUrl: 'ftp://example.invalid/done', illegal: 'webhook-scheme' }),
    s.run('null ttl', { policy: { ttl: null }, illegal: 'null-policy-field' }),
    s.run('null priority', { policy: { lowPriority: null }, illegal: 'null-policy-field' }),
    s.run('own field', { policy: { ttl: 60_000, region: 'eu' }, illegal: 'unknown-policy-field' }),
    s.run('short life', {
      policy: { ttl: 20_000, executionTimeout: 30_000 },
      illegal: 'ttl-below-execution-timeout',
    }),
  ],
});
