import { scenario } from '../../src/scenario/index.js';

const ODD = {
  'null-policy': { policy: null },
  'null-s3Config': { s3Config: null },
  'null-webhook': { webhookUrl: null },
  'webhook-no-url': { webhookUrl: 'not an address' },
  'webhook-scheme': { webhookUrl: 'ftp://example.invalid/done' },
  'null-ttl': { policy: { ttl: null } },
  'null-priority': { policy: { lowPriority: null } },
  'unknown-policy-field': { policy: { ttl: 60_000, region: 'eu' } },
  'ttl-below-execution-timeout': { policy: { ttl: 20_000, executionTimeout: 30_000 } },
};

export default scenario({
  title: 'how the service treats submissions that the document neither allows nor forbids',
  needs: ['scripted-worker'],
  // A service may treat them in one way by `/run` and in another by `/runsync`.
  script: (_, s) =>
    (['run', 'runsync'] as const).map((op) =>
      Object.entries(ODD).map(([illegal, odd]) => s[op](`${op}-${illegal}`, { ...odd, illegal })),
    ),
});
