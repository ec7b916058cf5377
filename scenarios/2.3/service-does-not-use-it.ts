import { scenario } from '../../src/scenario/index.js';
import type { PlanStep } from '../../src/scenario/script.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

const PLANS: { readonly [name: string]: readonly PlanStep[] } = {
  small: [{ sleepMs: 200 }, { return: { done: true } }],
  large: [{ returnBytes: 2_000_000 }],
  streamed: [{ stream: 'first' }, { stream: 'last' }],
  failed: [{ fail: 'on purpose' }],
};

export default scenario({
  title: 'the storage that a job names is never called, since its worker does not use it',
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s, { maxWaitMs }) => [
    (['run', 'runsync'] as const).map((op) =>
      Object.entries(PLANS).map(([name, plan]) => [
        s[op](`${op}-${name}`, { plan, ownStorage: true, webhook: [{ status: 200 }] }),
        s.await(`${op}-${name}`),
      ]),
    ),
    // A service that stores a result afterwards may take a moment; and a webhook, which shows that the harness can be reached,
    // may come late.
    s.status('run-small', { at: s.wait(maxWaitMs > MINUTE_MS ? 15_000 : 1_000) }),
  ],
});
