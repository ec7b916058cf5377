/** The probe of the worker tells what happened to its jobs. */
import { expect, it } from 'vitest';
import { probeScriptedWorker, whyUnknown } from '../../src/target/http/probe-worker.js';
import type { CapabilityProbe } from '../../src/target/http/capability-probe.js';

const answering = (status: number): CapabilityProbe =>
  ({
    ask: () => Promise.resolve({ reply: { status, body: { as: 'json', value: {} } }, lost: null }),
  }) as unknown as CapabilityProbe;

it('jobs that were refused did not fail to end', async () => {
  const found = await probeScriptedWorker(answering(400), null, () => Promise.resolve(false));
  expect(found.scripted).toBeNull();
  expect(whyUnknown(found, 6_000)).toBe('/run answered 400 to the jobs of the probe');
});
