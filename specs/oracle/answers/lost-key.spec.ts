/** A key that is refused from some moment on accuses nobody: the rest of the run says nothing. */
import { describe, expect, it } from 'vitest';
import type { CallEvent, RunEvent } from '../../../src/history/events.js';
import { judge } from '../../../src/oracle/index.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const LIVE: Partial<RunEvent> = {
  clock: 'real',
  graceMs: 2_000,
  earlyMs: 50,
  capabilities: ['scripted-worker'],
};
const no = { error: 'unauthorized' };
const plan = [{ sleepMs: 3_000 }, { return: 1 }];

/** Jobs submitted and read every second, until the key is refused. */
function run(
  refusedFromMs: number,
  more: (trace: TraceBuilder, ms: number) => void = () => undefined,
): TraceBuilder {
  const trace = new TraceBuilder(null, LIVE, false).call(0, 'health', null, 401, no, { auth: 'missing' });
  for (let ms = 1_000; ms <= 20_000; ms += 1_000) {
    const id = `job-${ms}`;
    if (ms < refusedFromMs) trace.submitted(ms, id, plan).seen(ms + 100, id, 'IN_QUEUE');
    else
      trace
        .call(ms, 'run', null, 401, no, { body: { input: { plan } } })
        .call(ms + 100, 'status', 'job-1000', 401, no);
    more(trace, ms);
  }
  return trace;
}

const toldOf = (trace: TraceBuilder): readonly string[] => judge(trace.history(30_000)).warnings.map(String);

describe('a key', () => {
  it('that is refused from some moment on is no fault of the service', () => {
    const trace = run(12_000);
    expect(failed(judge(trace.history(30_000)))).toEqual([]);
    expect(toldOf(trace).join()).toMatch(
      /the key was refused from 12 s on: each of the 18 calls .* 401, and none before/,
    );
  });

  it('that one operation refuses now and then is one', () => {
    const trace = run(30_000, (told, ms) => {
      if (ms % 3_000 === 0) told.call(ms + 200, 'status', 'job-1000', 401, no);
    });
    expect(failed(judge(trace.history(30_000)))).toContain('5/key-accepted-status');
  });

  it('that two operations never take is one', () => {
    const trace = run(30_000)
      .call(24_000, 'cancel', 'job-1000', 401, no)
      .call(24_100, 'retry', 'job-1000', 401, no)
      .call(24_200, 'cancel', 'job-1000', 401, no)
      .call(24_300, 'retry', 'job-1000', 401, no)
      .call(24_400, 'cancel', 'job-1000', 401, no);
    expect(toldOf(trace).join()).not.toMatch(/key was refused/);
  });

  it('that is accepted once more is one, too', () => {
    const trace = run(12_000).call(25_000, 'health', null, 200, { jobs: {}, workers: {} });
    expect(failed(judge(trace.history(30_000)))).toContain('5/key-accepted-run');
  });

  it('in a form that was never accepted says nothing', () => {
    const auth: CallEvent['request']['auth'] = 'bearer';
    const trace = run(
      30_000,
      (told, ms) => void told.call(ms + 200, 'status', 'job-1000', 401, no, { auth }),
    );
    expect(toldOf(trace).join()).not.toMatch(/key was refused/);
  });
});
