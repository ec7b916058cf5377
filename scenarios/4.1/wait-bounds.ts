import { ExceedsLimits } from '../../src/scenario/exceeds-limits.js';
import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../src/spec/limits.js';

export default scenario.each({}, (one) => ({
  'wait-boundaries': one({
    title: 'the smallest and the longest wait are accepted',
    script: (_, s) => [
      s.runsync('least', { wait: WAIT_MIN_MS }),
      s.status('least'),
      s.runsync('longest', { wait: WAIT_MAX_MS }),
      s.runsync('default'),
    ],
  }),
  'wait-default': one({
    title: 'without wait, a call whose job is still running is answered after 90 seconds, not before',
    needs: ['scripted-worker'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, WAIT_DEFAULT_MS + limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s, { graceMs }) => [
      // So long that a late answer cannot be the answer to its end.
      s.runsync('job', { plan: s.works(WAIT_DEFAULT_MS + marginMs + graceMs + 4_000) }),
      s.status('job'),
      s.cancel('job'),
    ],
  }),
  'wait-default-holds-for-long-jobs': one({
    title: 'without wait, a call still waits for a job that takes more than a minute',
    needs: ['scripted-worker'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, 80_000);
      // It occupies a worker for all that time; where this wait fits, the whole default wait can be tested
      // instead.
      if (limits.preferredWaitMaxMs !== undefined) throw new ExceedsLimits('covered by 4.1/wait-default');
      return { workMs: arb.duration(61_000, 80_000) };
    },
    script: ({ workMs }, s) => [s.runsync('job', { plan: s.works(workMs) })],
  }),
  'wait-longest': one({
    title: 'the longest wait takes effect in full',
    needs: ['scripted-worker'],
    draw: (_, limits) => {
      assertWithinLimits(limits, WAIT_MAX_MS + limits.marginMs);
      return {};
    },
    script: (_, s) => [s.runsync('job', { plan: [{ hang: true }], wait: WAIT_MAX_MS }), s.cancel('job')],
  }),
  'wait-too-long': one({
    title: 'a wait above five minutes is refused, or the call waits five minutes at most',
    needs: ['scripted-worker'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, WAIT_MAX_MS + 60_000 + 2 * limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => [
      s.runsync('job', {
        plan: s.works(WAIT_MAX_MS + 60_000 + 2 * marginMs),
        // A client that expects an answer within the longest wait gives up half a minute after it.
        wait: WAIT_MAX_MS + 20_000,
        illegal: 'wait-above-maximum',
      }),
      s.cancel('job'),
      // A service whose bound is off by one treats it in another way.
      s.lane(
        'one more',
        s.runsync('one more', {
          plan: [{ hang: true }],
          policy: s.noTimeouts,
          wait: WAIT_MAX_MS + 1,
          illegal: 'wait-above-maximum',
        }),
        s.cancel('one more'),
      ),
    ],
  }),
  'wait-too-small': one({
    title: 'a wait below one second is refused, or the call waits at least a second',
    needs: ['scripted-worker'],
    script: (_, s) =>
      [999, 500, 1, 0, -1, -5_000].map((wait) =>
        s.lane(
          `${wait}`,
          s.runsync(`${wait}`, { plan: [{ hang: true }], wait, illegal: 'wait-below-minimum' }),
          s.cancel(`${wait}`),
        ),
      ),
  }),
  'wait-is-no-number': one({
    title: 'a wait that is not a number is answered with 400',
    script: (_, s) =>
      ['abc', '', '1e', 'true', 'NaN', '5s', '5000ms', '{}'].map((wait, i) =>
        s.runsync(`job-${i}`, { wait, illegal: `wait-${wait === '' ? 'empty' : wait}` }),
      ),
  }),
  'wait-with-a-fraction': one({
    title: 'a wait with a fraction is refused, or accepted by one of several readings',
    needs: ['scripted-worker'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, WAIT_DEFAULT_MS + limits.marginMs);
      return { text: arb.oneOf('1500.5', '2500.25') };
    },
    script: ({ text }, s) => [
      s.runsync('job', {
        plan: [{ hang: true }],
        policy: s.noTimeouts,
        wait: text,
        illegal: 'wait-fraction',
      }),
      s.cancel('job'),
    ],
  }),
}));
