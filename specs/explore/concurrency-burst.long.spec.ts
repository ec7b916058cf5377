/**
 * Many clients of one job: a correct endpoint is never failed, whether on a network with jitter, under a controlled clock or
 * in real time. The seed is fresh in every run; `ORACLE_SEED=N` repeats one.
 */
import { describe, expect, it } from 'vitest';
import { onServer } from '../../proof/trials/with-local-server.js';
import { rulesFor } from '../../src/core/rules.js';
import { randomSourceOf } from '../../src/explore/random-source.js';
import { concurrencyBurstScript } from '../../src/explore/concurrency-burst.js';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { runScripts } from '../../src/target/run-scripts.js';
import type { Script } from '../../src/scenario/index.js';
import type { Target } from '../../src/target/port.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { createRandom } from '../../src/time/random.js';

const SEED = Number(process.env['ORACLE_SEED'] ?? Date.now() % 1_000_000);

function burstScripts(label: string, count: number): readonly Script[] {
  const stream = createRandom(SEED).fork(label);
  const random = randomSourceOf((lo, hi) => stream.intBetween(lo, hi));
  return Array.from({ length: count }, (_, seed) => concurrencyBurstScript(random, seed));
}

async function failuresOf(target: Target, scripts: readonly Script[]) {
  const { events } = await runScripts(target, scripts, { seed: SEED, edition: 'document', runproof: '0' });
  const { requirements, warnings } = judge(events);
  const failures = requirements.flatMap(({ failures: all }) =>
    all.map(({ requirement, script, actual }) => ({ requirement, script, actual })),
  );
  return { events, failures, warnings };
}

/** The most concurrent calls on jobs of one script. */
function atOnce(events: readonly HistoryEvent[]): number {
  const calls = events.filter((event): event is CallEvent => event.kind === 'call' && event.label !== null);
  const during = (call: CallEvent): number =>
    calls.filter(
      (other) =>
        other.script === call.script &&
        other.sentTick <= call.sentTick &&
        (other.endedTick ?? Infinity) >= call.sentTick,
    ).length;
  return Math.max(...calls.map(during));
}

describe('many clients of one job', () => {
  it.each([100, 1_500])(
    `fail no correct endpoint with latencies up to %i ms (ORACLE_SEED=${SEED})`,
    async (toMs) => {
      const latency = { requestMs: { fromMs: 0, toMs }, replyMs: { fromMs: 0, toMs } };
      const target = simulatorTarget({ seed: SEED, latency, arrivals: 'hidden', ties: 'seeded' });
      const { events, failures } = await failuresOf(target, burstScripts(`simulator ${toMs}`, 12));
      expect(failures).toEqual([]);
      if (toMs > 1_000) expect(atOnce(events)).toBeGreaterThan(8);
    },
  );

  it.each(['controlled', 'real'] as const)(
    `fail no correct endpoint over HTTP with a %s clock (ORACLE_SEED=${SEED})`,
    async (clock) => {
      const server = { clock, control: true, rules: rulesFor({}, 'document') } as const;
      const found = await onServer(server, {}, (target) => failuresOf(target, burstScripts(clock, 4)));
      expect(found.failures).toEqual([]);
    },
    120_000,
  );
});
