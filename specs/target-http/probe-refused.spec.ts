/** The probe of the worker tells what happened to its jobs, and refuses a sample that the worker refuses. */
import { expect, it } from 'vitest';
import { findWorker, probeScriptedWorker, whyUnknown } from '../../src/target/http/probe-worker.js';
import type { Json } from '../../src/history/events.js';
import type { CapabilityProbe } from '../../src/target/http/capability-probe.js';

const KEY = 'a-key-of-mine';

const answering = (status: number, text: string): CapabilityProbe =>
  ({
    timeoutMs: 6_000,
    ask: () => Promise.resolve({ reply: { status, headers: {}, text }, lost: null }),
  }) as unknown as CapabilityProbe;

it('jobs that were refused did not fail to end', async () => {
  const found = await probeScriptedWorker(answering(400, ''), null, () => Promise.resolve(false));
  expect(found.scripted).toBeNull();
  expect(whyUnknown(found, 6_000, null)).toBe('/run answered 400 to the jobs of the probe');
});

const searched = async (
  probe: CapabilityProbe,
  options: { readonly sampleInput?: Json; readonly worker?: 'opaque' | 'probe' },
): Promise<readonly string[]> => {
  const notes: string[] = [];
  await findWorker(
    probe,
    `Bearer ${KEY}`,
    { url: 'http://127.0.0.1:1', apiKey: KEY, ...options },
    null,
    false,
    notes,
  );
  return notes;
};

it('says what a worker does not like of the jobs of the probe, and what to do about it', async () => {
  const notes = await searched(answering(400, `{"detail":"no prompt for ${KEY}"}`), {});
  expect(notes).toEqual([
    '/run answered 400 {"detail":"no prompt for ***"} to the jobs of the probe, so the worker is taken to be opaque. Give an input that it accepts by --sample-input FILE.',
  ]);
});

it.each<[Json, string]>([
  [{ input: { prompt: 'hi' } }, 'The file of --sample-input holds what stands in `input`, without'],
  [{ text: 'hi' }, 'Give an input that your worker accepts by --sample-input FILE'],
])('a sample that is refused is a mistake of the user: %j', async (sampleInput, advice) => {
  const probe = answering(422, '{"detail":"input.prompt is required"}');
  for (const worker of ['opaque', 'probe'] as const)
    await expect(searched(probe, { sampleInput, worker })).rejects.toMatchObject({
      problem: 'sample-refused',
      message: expect.stringContaining('/run answers 422 {"detail":"input.prompt is required"}'),
      advice: expect.stringContaining(advice),
    });
});

it('a service that fails, or wants another key, says nothing of the sample', async () => {
  for (const status of [401, 429, 500])
    expect(await searched(answering(status, '{}'), { sampleInput: {}, worker: 'opaque' })).toEqual([]);
});
