import { scenario, type Limits } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

/** As long as the profile allows, where waiting is free. */
function heldMs({ maxWaitMs, preferredWaitMaxMs: modestWaitMs }: Limits): number {
  if (modestWaitMs === undefined) return MINUTE_MS;
  return Math.max(MINUTE_MS - 5_000, Math.min(16 * MINUTE_MS, maxWaitMs - 10_000));
}

const SILENT = [{ never: true, untilGivenUp: true }, { status: 200 }] as const;

export default scenario({
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
});
