import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the service ignores members of input that are named like fields of the API',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, {
        input: {
          plan: [{ echo: true }],
          id: 'mine',
          status: 'FAILED',
          output: 'not this',
          error: 'not an error',
          policy: { ttl: 10_000, executionTimeout: 5_000 },
          webhook: 'http://127.0.0.1:9/never',
          s3Config: { bucketName: 'b' },
          input: { nested: true },
          delayTime: -1,
          executionTime: 'long',
          ttl: 10_000,
          wait: 1,
        },
      }),
      s.await(`${op}-job`),
      s.status(`${op}-job`, { at: s.after(`${op}-job`, 'submitted', 10_000).plus(marginMs) }),
    ]),
});
