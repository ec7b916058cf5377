import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a submission with every field of the document is accepted and processed',
  exercises: [
    '2.1/webhook-accepted-run',
    '2.1/webhook-accepted-runsync',
    '2.1/policy-accepted-run',
    '2.1/policy-accepted-runsync',
    '2.1/s3config-accepted-run',
    '2.1/s3config-accepted-runsync',
    '2.1/input-reaches-worker-run',
    '2.1/input-reaches-worker-runsync',
    '6/called-on-completion-run',
    '6/called-on-completion-runsync',
  ],
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
      s.await(`${op}-job`, s.ended, { withinMs: 60_000, everyMs: 250 }),
    ]),
    // The latest time of a webhook call.
    s.pause(s.wait(40_000)),
  ],
});
