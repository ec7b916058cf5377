import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'which value applies where a policy value below the minimum is accepted',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 8,
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => {
    const hangs = (policy: { readonly [field: string]: number | string }) => ({
      plan: [{ hang: true }] as const,
      policy,
      illegal: 'policy-out-of-range',
    });
    const after = { at: s.sinceStart(TTL_MIN_MS + 4 * marginMs + 3_000) };
    return [
      s.run('short run', hangs({ executionTimeout: 1_000 })),
      s.run('no run', hangs({ executionTimeout: 0 })),
      s.run('short life', hangs({ ttl: 4_000 })),
      s.run('no life', hangs({ ttl: 0 })),
      s.run('in words', hangs({ ttl: '12000' })),
      s.run('in parts', hangs({ ttl: 12_000.5 })),
      s.lane('sync run', s.runsync('short sync run', { ...hangs({ executionTimeout: 1_000 }), wait: 1_000 })),
      s.lane('sync life', s.runsync('short sync life', { ...hangs({ ttl: 4_000 }), wait: 1_000 })),
      s.awaitStarted('short run'),
      s.status(['short run', 'no run', 'short life', 'no life', 'short sync run', 'short sync life'], after),
      ['in words', 'in parts'].map((job) =>
        s.status(job, { at: s.after(job, 'submitted', 12_001).plus(2 * marginMs + 1) }),
      ),
      s.cancel([
        'short run',
        'no run',
        'short life',
        'no life',
        'in words',
        'in parts',
        'short sync run',
        'short sync life',
      ]),
    ];
  },
});
