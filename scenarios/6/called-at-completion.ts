import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the webhook is called once its job completes, at exactly the given address',
  needs: ['scripted-worker', 'webhook-reachable'],
  draw: (arb, limits) => ({
    workMs: arb.sleep(limits, 1_000, 20_000),
  }),
  script: ({ workMs }, s) => [
    // The label is part of the address, whose letter case has to be preserved.
    (['run', 'runsync'] as const).map((op) => [
      s[op](`TheJob-${op}`, {
        plan: s.works(workMs, { hooked: true }),
        webhook: [{ status: 200 }],
        s3Config: {
          accessId: 'AKIA',
          accessSecret: `secret of the job of ${op}`,
          bucketName: 'b',
          endpointUrl: 'https://s3.example.com',
        },
      }),
      s.await(`TheJob-${op}`, s.ended, { withinMs: workMs + 60_000, everyMs: 500 }),
    ]),
    [
      '?job=1',
      '?a=1&b=%20x&c=%C4%8D',
      '?next=http%3A%2F%2Fx%2F%3Fa%3D1&empty=&flag&a=1&a=2+3',
      '/',
      '/%2Fa%20b//c/%C4%8D;d=1?x',
      `/?long=${'x'.repeat(300)}`,
    ].map((query, i) => [
      s.run(`Query-${i}`, { plan: s.works(50), webhook: [{ status: 200 }], webhookQuery: query }),
      s.await(`Query-${i}`),
    ]),
    // It completes after its call has been answered.
    s.runsync('outlived', { plan: s.works(3_000), webhook: [{ status: 200 }], wait: 1_000 }),
    s.await('outlived', s.ended, { everyMs: 500 }),
    s.status('TheJob-run', { at: s.wait(40_000) }),
    s.status('TheJob-runsync'),
  ],
});
