import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a failed webhook call is repeated after ten seconds, and a 200 is final',
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s) => {
    const first = {
      ClientError: { status: 404 },
      TooMany: { status: 429 },
      ServerError: { status: 500 },
      Unavailable: { status: 503 },
      Dropped: { close: true },
    } as const;
    const names = ['ClientError', 'TooMany', 'ServerError', 'Unavailable', 'Dropped'] as const;
    const labels = (['run', 'runsync'] as const).flatMap((op) => names.map((name) => `${op}${name}`));
    return [
      (['run', 'runsync'] as const).map((op) =>
        names.map((name) =>
          s[op](`${op}${name}`, { plan: s.works(100), webhook: [first[name], { status: 200 }] }),
        ),
      ),
      s.await(labels),
      s.status('runClientError', { at: s.wait(35_000) }),
    ];
  },
});
