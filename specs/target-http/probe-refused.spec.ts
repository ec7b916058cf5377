/** The probe of the worker tells what happened to its jobs, and refuses a sample that the worker refuses. */
import { describe, expect, it } from 'vitest';
import { probeHang } from '../../src/target/http/probes/probe-hang.js';
import { findWorker, probeScriptedWorker, whyUnknown } from '../../src/target/http/probes/probe-worker.js';
import type { Json } from '../../src/history/events.js';
import type { CapabilityProbe } from '../../src/target/http/probes/capability-probe.js';

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

/** A worker that takes a job at once, and what becomes of the job. */
const running = (...records: readonly Json[]): CapabilityProbe & { readonly asked: string[] } => {
  const asked: string[] = [];
  const left = [...records];
  const replyTo = (path: string): Json =>
    path === '/run' ? { id: 'hanging', status: 'IN_QUEUE' } : left.length > 1 ? left.shift()! : left[0]!;
  return {
    asked,
    timeoutMs: 6_000,
    endpoint: 'e',
    ask: (_method: string, path: string) => {
      asked.push(path);
      return Promise.resolve({
        reply: { status: 200, headers: {}, text: JSON.stringify(replyTo(path)) },
        lost: null,
      });
    },
  } as unknown as CapabilityProbe & { readonly asked: string[] };
};

const hung = (probe: CapabilityProbe): Promise<string | null> =>
  probeHang(probe, null, () => Promise.resolve(true));

it('a worker that stays in the step that never ends is not written of, and its job is cancelled', async () => {
  const probe = running({ status: 'IN_QUEUE' }, { status: 'IN_PROGRESS' });
  expect(await hung(probe)).toBeNull();
  // The answer does not say that the job has ended.
  expect(probe.asked.slice(-2)).toEqual(['/cancel/hanging', '/status/hanging']);
});

it.each<[Json, string]>([
  [{ status: 'COMPLETED', output: { ok: true } }, 'the job ended as COMPLETED, {"ok":true}. If the worker'],
  [{ status: 'FAILED', error: 'out of memory' }, 'the job ended as FAILED, out of memory. If the worker'],
])('a worker that ends it is told of: %j', async (end, note) => {
  expect(await hung(running({ status: 'IN_PROGRESS' }, end))).toContain(note);
});

it('a worker that does not know it is a mistake of the user', async () => {
  await expect(hung(running({ status: 'FAILED', error: 'unknown step: hang' }))).rejects.toMatchObject({
    problem: 'plan-refused',
    message: expect.stringContaining('the job ended as FAILED, unknown step: hang'),
  });
});

it('what the service ends by itself is left to the run', async () => {
  for (const status of ['CANCELLED', 'TIMED_OUT']) expect(await hung(running({ status }))).toBeNull();
});

describe('a probe', () => {
  const DONE = { id: 'j', status: 'COMPLETED' };
  /** What it does, in order; interrupted after so many calls. */
  const doneBy = async (interruptedAfter: number): Promise<readonly string[]> => {
    const done: string[] = [];
    let calls = 0;
    const probe = {
      endpoint: 'e',
      timeoutMs: 6_000,
      get isInterrupted() {
        return calls >= interruptedAfter;
      },
      ask(method: string, path: string) {
        calls += 1;
        done.push(`${method} ${path}`);
        const isGivenUp = path === '/run' && calls >= interruptedAfter;
        const reply = { status: 200, headers: {}, text: JSON.stringify(DONE) };
        return Promise.resolve(
          isGivenUp ? { reply: null, lost: 'aborted', detail: '' } : { reply, lost: null },
        );
      },
    } as unknown as CapabilityProbe;
    const createdJobs = {
      created: (_: string, id: string) => void done.push(`created ${id}`),
      ended: (_: string, id: string) => void done.push(`ended ${id}`),
      unanswered: () => void done.push('unanswered'),
    };
    await probeScriptedWorker(probe, null, () => Promise.resolve(false), createdJobs);
    await probeHang(probe, null, () => Promise.resolve(false), createdJobs);
    return done;
  };

  it('writes each job down before it submits another one', async () => {
    expect((await doneBy(Infinity)).slice(0, 4)).toEqual([
      'POST /run',
      'created j',
      'POST /run',
      'created j',
    ]);
  });

  it('submits nothing once the run is interrupted, and ends what it has submitted', async () => {
    expect(await doneBy(2)).toEqual([
      ...['POST /run', 'created j', 'POST /run', 'unanswered'],
      ...['GET /status/j', 'POST /cancel/j', 'ended j'],
    ]);
    expect(await doneBy(0)).toEqual([]);
  });
});
