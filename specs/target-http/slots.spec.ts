/** Scripts far away act in slots, so that they have instants in common. */
import { describe, expect, it } from 'vitest';
import { createScriptRunner } from '../../src/runner/script-runner.js';
import type { Step } from '../../src/scenario/script.js';
import { limitsOf } from '../../src/target/http/limits.js';
import { inSlots, SLOT_MS } from '../../src/target/session/slots.js';
import { dryRunInSlots } from '../../src/target/simulator/dry-run.js';
import { scriptOf } from './support.js';

const STEPS: readonly Step[] = [
  { do: 'run', job: 'a', plan: [{ sleepMs: 40 }] },
  { do: 'status', job: 'a', at: { waitMs: 30 } },
  { do: 'status', job: 'a', at: { waitMs: SLOT_MS } },
  { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 70, timeoutMs: 9_000 },
];

describe('a script in slots', () => {
  it('does at once what waits for no time', () => {
    const runner = inSlots(createScriptRunner)(scriptOf(STEPS), {
      endpoint: 'e',
      startMs: 0,
      auth: 'bare',
      webhookUrl: () => '',
      sampleInput: null,
    });
    expect(runner.due(0).map(({ kind }) => kind)).toEqual(['call']);
    expect([runner.nextWakeMs(), runner.done, runner.openJobs()]).toEqual([null, false, []]);
  });

  it('makes its later calls at multiples of a slot', () => {
    const sentMs = dryRunInSlots(scriptOf(STEPS)).flatMap((event) =>
      event.kind === 'call' ? [event.sentMs] : [],
    );
    expect(sentMs).toEqual([0, SLOT_MS, 2 * SLOT_MS, 2 * SLOT_MS]);
  });

  it('has probes that are far enough from a deadline also if they come a slot late', () => {
    const near = limitsOf({ url: '', apiKey: null }, 1, null, 0);
    const far = limitsOf({ url: '', apiKey: null }, SLOT_MS, null, 0);
    expect(near.marginMs).toBe(near.graceMs + 1);
    expect(far.marginMs - (SLOT_MS - 1)).toBe(far.graceMs + 1);
  });
});
