import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../src/spec/limits.js';

export default scenario.each({}, (one) => ({
  'policy-in-full': one({
    title: 'every field of policy is accepted alone and together with the others, within its range',
    draw: (arb, limits) => ({ any: arb.policy(limits) }),
    script: ({ any }, s) =>
      (['run', 'runsync'] as const).map((op) =>
        [
          any,
          {},
          { ttl: TTL_MIN_MS },
          { ttl: TTL_MAX_MS },
          { executionTimeout: EXECUTION_TIMEOUT_MIN_MS },
          { executionTimeout: EXECUTION_TIMEOUT_MAX_MS },
          { lowPriority: true },
          { lowPriority: false },
          { ...s.noTimeouts, lowPriority: true },
        ].map((policy, i) => s[op](`${op}-${i}`, { policy })),
      ),
  }),
  'policy-of-the-wrong-type': one({
    title: 'fields of policy that are of the wrong type are refused',
    script: (_, s) =>
      (['run', 'runsync'] as const).flatMap((op) =>
        [
          ...(['ttl', 'executionTimeout'] as const).flatMap((field) =>
            ['soon', true, {}, [60_000], 60_000.5, '60000'].map((wrong) => ({ [field]: wrong })),
          ),
          { lowPriority: 'yes' },
          { lowPriority: 1 },
          { lowPriority: {} },
        ].map((policy, i) => s[op](`${op}-${i}`, { policy, illegal: `policy-${JSON.stringify(policy)}` })),
      ),
  }),
  'policy-values-above-the-most': one({
    title: 'which value applies where a policy value above the maximum is accepted',
    needs: ['scripted-worker', 'worker-count-known'],
    workers: 4,
    draw: (arb, limits) => {
      assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs + 1);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => {
      // One more than allowed: a service whose bound is off by one treats them unlike those far above.
      const longRun = { ttl: TTL_MAX_MS, executionTimeout: EXECUTION_TIMEOUT_MAX_MS + 1 };
      const longLife = { ...s.noTimeouts, ttl: TTL_MAX_MS + 1 };
      const hangs = (policy: typeof longRun) => ({
        plan: [{ hang: true }] as const,
        policy,
        illegal: 'policy-out-of-range',
      });
      const lives = ['long life', 'long sync life'];
      return [
        s.run('long run', hangs(longRun)),
        s.run('long life', hangs(longLife)),
        s.lane('sync run', s.runsync('long sync run', { ...hangs(longRun), wait: 1_000 })),
        s.lane('sync life', s.runsync('long sync life', { ...hangs(longLife), wait: 1_000 })),
        s.awaitStarted('long run'),
        s.status(['long run', 'long sync run'], {
          at: s.after('long run', 'started', EXECUTION_TIMEOUT_DEFAULT_MS).plus(marginMs),
        }),
        s.status(lives, { at: s.after('long life', 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
        s.status(lives, { at: s.after('long life', 'submitted', TTL_MAX_MS).plus(marginMs + 1_000) }),
      ];
    },
  }),
  'policy-values-below-the-least': one({
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
        s.run('short run', hangs({ executionTimeout: EXECUTION_TIMEOUT_MIN_MS - 1 })),
        s.run('no run', hangs({ executionTimeout: 0 })),
        s.run('short life', hangs({ ttl: 4_000 })),
        s.run('no life', hangs({ ttl: 0 })),
        s.run('in words', hangs({ ttl: '12000' })),
        s.run('in parts', hangs({ ttl: 12_000.5 })),
        s.lane(
          'sync run',
          s.runsync('short sync run', { ...hangs({ executionTimeout: 1_000 }), wait: 1_000 }),
        ),
        s.lane('sync life', s.runsync('short sync life', { ...hangs({ ttl: 4_000 }), wait: 1_000 })),
        s.awaitStarted('short run'),
        s.status(
          ['short run', 'no run', 'short life', 'no life', 'short sync run', 'short sync life'],
          after,
        ),
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
  }),
}));
