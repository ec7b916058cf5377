import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a submission with every field of the document is accepted and processed',
  needs: ['scripted-worker', 'webhook-reachable'],
  draw: (arb, limits) => ({ policy: arb.policy(limits) }),
  script: ({ policy }, s) => [
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, {
        // The worker receives `input` only, and none of the other fields.
        input: { plan: [{ sleepMs: 300 }, { echo: true }], mine: 1 },
        webhook: [{ status: 200 }],
        policy,
        s3Config: {
          accessId: 'id',
          accessSecret: 'secret',
          bucketName: 'bucket',
          endpointUrl: 'https://s3.example.com',
        },
      }),
      s.await(`${op}-job`),
    ]),
    // The latest time of a webhook call.
    s.pause(s.wait(40_000)),
  ],
});
