import { scenario, type Limits } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

/** As long as the profile allows, where waiting is free. */
function heldMs({ maxWaitMs, preferredWaitMaxMs: modestWaitMs }: Limits): number {
  if (modestWaitMs === undefined) return MINUTE_MS;
  return Math.max(MINUTE_MS - 5_000, Math.min(16 * MINUTE_MS, maxWaitMs - 10_000));
}

const SILENT = [{ never: true, untilGivenUp: true }, { status: 200 }] as const;

export default scenario.each({ needs: ['scripted-worker', 'webhook-reachable'] }, (one) => ({
  'fails-once': one({
    title: 'a failed webhook call is repeated after ten seconds, and a 200 is final',
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
  }),
  'fails-always': one({
    title: 'a webhook that keeps failing is called three times in all, and the job is not affected',
    script: (_, s) => {
      // Each code separately: a service may treat some of them as final.
      const codes = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504];
      return [
        s.run('closed', { plan: s.works(50, { kept: true }), webhook: [{ close: true }] }),
        codes.map((status) =>
          s.run(`${status}`, { plan: s.works(50, { kept: true }), webhook: [{ status }] }),
        ),
        codes.map((status) => s.await(`${status}`)),
        s.status('closed', { at: s.wait(15_000) }),
        s.status('closed', { at: s.wait(25_000) }),
        codes.map((status) => s.status(`${status}`)),
      ];
    },
  }),
  'never-answers': one({
    title: 'a webhook that never answers times out and is called again, and delays nothing else',
    needs: ['webhook-reachable'],
    script: (_, s, limits) => [
      // Under test control each unanswered call costs up to ten real seconds, so there is one only. In real
      // time they overlap.
      s.run('silent', { plan: s.works(300), webhook: SILENT }),
      limits.preferredWaitMaxMs === undefined
        ? []
        : s.run('silent too', { plan: s.works(300, 1), webhook: SILENT }),
      s.run('behind', { plan: s.works(300), webhook: [{ status: 200 }] }),
      s.await('silent'),
      s.await('behind'),
      // The service's timeout is not documented.
      s.status('silent', { at: s.wait(heldMs(limits)) }),
    ],
  }),
  'drops-the-connection': one({
    title: 'a webhook call whose connection is dropped is repeated',
    needs: ['webhook-reachable'],
    script: (_, s) => [
      s.run('job', { plan: s.works(300), webhook: [{ close: true }, { close: true }, { status: 200 }] }),
      s.await('job'),
      // Its answer shows that the target was there all the while.
      s.status('job', { at: s.wait(45_000) }),
    ],
  }),
  'answers-other-than-200': one({
    title: 'how the service treats a webhook that answers with another success or a redirect',
    script: (_, s) => [
      [201, 202, 204, 302].map((status) => s.run(`${status}`, { plan: s.works(100), webhook: [{ status }] })),
      [201, 202, 204, 302].map((status) => s.await(`${status}`)),
      s.status('201', { at: s.wait(45_000) }),
    ],
  }),
  'other-successes-and-redirects': one({
    title: 'webhook calls that are answered with another success code or a redirect',
    needs: ['webhook-reachable'],
    script: (_, s) => [
      s.run('created', { plan: s.works(300), webhook: [{ status: 201 }] }),
      s.run('moved', { plan: s.works(300), webhook: [{ status: 302 }] }),
      s.await(['created', 'moved']),
      s.status('moved', { at: s.wait(45_000) }),
    ],
  }),
  'several-attempts-several-jobs': one({
    title: 'each of several jobs has its own three attempts',
    needs: ['scripted-worker', 'webhook-reachable', 'worker-count-known'],
    workers: 3,
    script: (_, s) => [
      s.run('a', {
        plan: s.works(100),
        webhook: [{ status: 500 }, { status: 500 }, { status: 500 }],
        webhookQuery: '?job=a',
      }),
      s.run('b', {
        plan: s.works(3_000),
        webhook: [{ status: 500 }, { status: 200 }],
        webhookQuery: '/?job=b&n=1',
      }),
      s.run('c', { plan: s.works(6_000), webhook: [{ close: true }] }),
      s.await(['a', 'b', 'c'], s.ended, { everyMs: 500 }),
      s.pause(s.wait(45_000)),
    ],
  }),
}));
