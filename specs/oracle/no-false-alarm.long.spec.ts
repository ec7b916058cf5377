/**
 * A conformant endpoint is never failed, however slow its timers and workers are within what is allowed, and whatever
 * the network does. The seed is fresh in every run; `ORACLE_SEED=N` repeats one.
 */
import { describe, expect, test } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { drawOrLeaveOut } from '../../src/scenario/draw.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { simulatorTarget, type SimulatorOptions } from '../../src/target/simulator/simulator-target.js';
import { runHeader } from '../support/run-header.js';

const SEED = Number(process.env['ORACLE_SEED'] ?? Date.now() % 1_000_000);
/** Every n-th scenario is played, another one of them in every run. */
const STRIDE = 4;
/** Thousands of calls at once are there for limits, not for lives. */
const CROWDED = /^8\/(rate-of-(run|runsync|status|stream|openai)|concurrency)/;

const LATE = { fromMs: 0, toMs: 120 };
const SLOW = { requestMs: { fromMs: 1, toMs: 70 }, replyMs: { fromMs: 1, toMs: 70 }, webhookMs: LATE };
const WORLDS: readonly (readonly [string, Omit<SimulatorOptions, 'seed'>])[] = [
  ['in time', {}],
  ['late timers', { timersLateMs: LATE, dispatchMs: LATE, workers: { lateMs: LATE } }],
  [
    'a slow network that tells nothing of arrivals',
    { latency: SLOW, arrivals: 'hidden', timersLateMs: LATE },
  ],
  [
    'lost requests and replies',
    {
      latency: SLOW,
      arrivals: 'hidden',
      timersLateMs: LATE,
      faults: [
        { perMille: 20, action: { do: 'drop-reply', seen: 'reset' } },
        { perMille: 10, action: { do: 'drop-request', seen: 'timeout' } },
        { perMille: 20, action: { do: 'delay', requestMs: 400, replyMs: 300 } },
      ],
    },
  ],
];

describe.each(WORLDS)('%s', (_, options) => {
  test(`raises no failure (ORACLE_SEED=${SEED})`, () => {
    const target = simulatorTarget({ ...options, seed: SEED });
    const scripts = shippedScenarios
      .filter(({ name }, index) => index % STRIDE === SEED % STRIDE && !CROWDED.test(name))
      .flatMap((one) => {
        const drawn = drawOrLeaveOut(one, SEED, target.limits);
        return 'script' in drawn ? [drawn.script] : [];
      });
    const events: HistoryEvent[] = [];
    target.runSynchronously(scripts, { append: (event) => events.push(event) });
    const findings = judge([
      runHeader({
        seed: SEED,
        target: { kind: 'simulator', name: target.name },
        capabilities: target.capabilities,
        clock: target.clock,
        graceMs: target.limits.graceMs,
        earlyMs: target.earlyMs,
      }),
      ...events,
    ]);
    const failures = findings.requirements.flatMap(({ failures: all }) =>
      all.map(({ requirement, scenario, actual, proof }) => ({ requirement, scenario, actual, proof })),
    );
    expect(failures).toEqual([]);
    expect(findings.requirements.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(100);
  });
});
