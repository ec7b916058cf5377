/** A service that is broken off and restored answers as if nothing had happened. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/core/api.js';
import type { Dialect } from '../../src/core/rules.js';
import type { Json } from '../../src/history/events.js';
import type { Edition } from '../../src/spec/index.js';
import { acts, dialect, edition, ENDPOINTS, LULL_MS, startUse, Use, type Act } from './commands.js';

/** A dialect that tells purged jobs from those that never were, and knows them still. */
const PURGED: [Edition, Dialect, Act[], Act[], number] = [
  'document',
  { '4.7/purged-job-status': 'other' },
  [
    { do: 'submit', op: 'run', ep: 'a', body: { input: { n: 0 } } },
    { do: 'submit', op: 'run', ep: 'a', body: { input: { n: 0 } } },
    { do: 'endpoint', op: 'purge-queue', ep: 'a' },
  ],
  [],
  0,
];
const RUNS = Number(process.env['RESTORE_RUNS'] ?? 150);

describe('broken off and restored', () => {
  it('at rest: every later answer and effect is the same, whatever the dialect', () => {
    fc.assert(
      fc.property(
        edition,
        dialect,
        acts,
        acts,
        fc.nat({ max: 30_000 }),
        (ed, readings, first, then, lullMs) => {
          const use = startUse({ edition: ed, dialect: readings });
          for (const each of first) use.play(each);
          use.comeToRest();
          const other = use.brokenOff();
          use.log.length = 0;
          use.apply({ kind: 'settle' });
          other.apply({ kind: 'resume' });
          for (const each of [use, other]) {
            // Long enough for what no restart keeps: the rate meters.
            each.pass(lullMs + LULL_MS);
            for (const endpoint of ENDPOINTS) each.apply({ kind: 'set-workers', endpoint, workers: 2 });
            each.survey();
            for (const later of then) each.play(later);
            each.survey();
          }
          expect(other.log).toEqual(use.log);
        },
      ),
      { numRuns: RUNS, examples: [PURGED] },
    );
  });

  it('in the midst: no job is lost or made up, an end stays as it was, what ran is run again', () => {
    fc.assert(
      fc.property(acts, acts, (first, then) => {
        const use = startUse({});
        for (const each of first) use.play(each);
        const before = states(use);
        const other = use.brokenOff();
        other.apply({ kind: 'resume' });
        const after = states(other, use.jobs);
        expect([...after.keys()]).toEqual([...before.keys()]);
        for (const [id, record] of before) {
          if (isLive(record.status)) expect(isLive(after.get(id)!.status)).toBe(true);
          else expect(after.get(id)).toEqual(record);
        }
        const [oldest] = [...other.running].sort((a, b) => a - b);
        if (oldest !== undefined) expect(oldest).toBeGreaterThan(Math.max(0, ...use.attempts));
        // Whoever worked for the first service has nothing to say any more.
        for (const attempt of use.running) other.report(attempt, { kind: 'success', output: 'from before' });
        expect(states(other, use.jobs)).toEqual(after);
        for (const each of then) other.play(each);
        // Nobody may find a job again that was gone, and the books still agree with what is there.
        const last = states(other, use.jobs);
        for (const id of use.jobs) if (!after.has(id)) expect(last.has(id)).toBe(false);
        other.comeToRest();
        expect(other.brokenOff().keeper.state()).toEqual(other.keeper.state());
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the order of the queue', () => {
  it('is kept however many jobs have gone back to between the same two', () => {
    const use = startUse({ dialect: { '4.6/queue-position': 'by-submission' } });
    const submit = (): string => {
      use.request('POST', '/v2/a/run', { input: {} });
      use.report(use.attempts.at(-1)!, { kind: 'error', message: 'broken' });
      return use.jobs.at(-1)!;
    };
    const first = submit();
    use.pass(1);
    const between = Array.from({ length: 120 }, submit);
    use.pass(1);
    const last = submit();
    use.apply({ kind: 'set-workers', endpoint: 'a', workers: 0 });
    for (const id of [first, last, ...between.toReversed()]) use.request('POST', `/v2/a/retry/${id}`);
    // Those of one instant wait in the order in which they went back.
    const order = [first, ...between.toReversed(), last];
    for (const each of [use, use.brokenOff()]) {
      each.log.length = 0;
      each.apply({ kind: 'set-workers', endpoint: 'a', workers: order.length });
      expect(startsIn(each)).toEqual(order);
    }
  });
});

const startsIn = ({ log }: Use): string[] =>
  log.flatMap((entry) =>
    (entry as { effects: Effect[] }).effects.flatMap((effect) =>
      effect.kind === 'start' ? [effect.job] : [],
    ),
  );

interface Told {
  readonly status: string;
}

const isLive = (status: string): boolean => status === 'IN_QUEUE' || status === 'IN_PROGRESS';

/** The records of all jobs that are there. */
function states(use: Use, ids: readonly string[] = use.jobs): Map<string, Told> {
  const found = new Map<string, Told>();
  for (const id of ids)
    for (const endpoint of ENDPOINTS) {
      const { reply } = use.request('GET', `/v2/${endpoint}/status/${id}`);
      if (reply?.status === 200) found.set(id, reply.body as unknown as Told);
    }
  return found;
}

describe('while nobody was there', () => {
  const submit = (use: Use, more: Json = {}): string => {
    use.request('POST', '/v2/a/run', { input: {}, ...(more as object) });
    return use.jobs.at(-1)!;
  };
  const record = (use: Use, id: string): unknown => {
    const { reply } = use.request('GET', `/v2/a/status/${id}`);
    return reply?.status === 200 ? reply.body : reply?.status;
  };
  /** Broken off now, back after so long: what is due strikes first, as the host has it. */
  const after = (use: Use, ms: number): Use => {
    const other = use.brokenOff();
    other.pass(ms);
    other.apply({ kind: 'resume' });
    return other;
  };

  it('a running job times out at its own instant, and nobody takes the next one before the end', () => {
    const use = startUse({});
    const overrun = submit(use, { policy: { executionTimeout: 5_000 } });
    const next = submit(use);
    const other = after(use, 60_000);
    expect(record(other, overrun)).toMatchObject({ status: 'TIMED_OUT', executionTime: 5_000 });
    expect(record(other, next)).toMatchObject({ status: 'IN_PROGRESS', delayTime: 60_000, executionTime: 0 });
  });

  it('what it had streamed until then can be read, once', () => {
    const use = startUse({ dialect: { '4.4/second-read': 'only-new' } });
    const overrun = submit(use, { policy: { executionTimeout: 5_000 } });
    const stream = (used: Use): unknown => used.request('GET', `/v2/a/stream/${overrun}`).reply?.body;
    use.report(1, { kind: 'stream', output: 'first' });
    expect(stream(use)).toEqual([{ output: 'first' }]);
    use.report(1, { kind: 'stream', output: 'second' });
    const other = after(use, 60_000);
    expect(stream(other)).toEqual([{ output: 'second' }]);
    expect(stream(after(other, 0))).toEqual([]);
  });

  it('a running job that has time left runs again, before those that waited, with its first ttl', () => {
    const use = startUse({});
    const first = submit(use, { policy: { ttl: 30_000 } });
    const second = submit(use);
    use.report(use.attempts[0]!, { kind: 'stream', output: 'half' });
    const other = after(use, 20_000);
    expect(record(other, first)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(record(other, second)).toMatchObject({ status: 'IN_QUEUE' });
    expect(other.log.flatMap((entry) => (entry as { effects: Effect[] }).effects)).toMatchObject([
      { kind: 'start', job: first, attempt: 2, ranBefore: true },
    ]);
    expect(other.request('GET', `/v2/a/stream/${first}`).reply?.body).toEqual([]);
    other.pass(9_999);
    expect(record(other, first)).toMatchObject({ status: 'IN_PROGRESS' });
    other.pass(1);
    expect(record(other, first)).toBe(404);
  });

  it('ttl and retention run on', () => {
    const use = startUse({});
    const done = submit(use);
    use.report(1, { kind: 'success', output: 1 });
    use.apply({ kind: 'set-workers', endpoint: 'a', workers: 0 });
    const waiting = submit(use, { policy: { ttl: 3_600_000 } });
    const near = after(use, 1_799_999);
    expect(record(near, done)).toMatchObject({ status: 'COMPLETED', output: 1 });
    near.pass(1);
    expect(record(near, done)).toBe(404);
    expect(record(after(near, 1_799_999), waiting)).toMatchObject({ status: 'IN_QUEUE' });
    expect(record(after(near, 1_800_000), waiting)).toBe(404);
  });

  it('a webhook call that was under way has failed; a pause runs on, and the next begins with the call', () => {
    const use = startUse({});
    submit(use, { webhook: 'http://hook.test/' });
    use.report(1, { kind: 'success', output: 1 });
    const calls = (used: Use): unknown[] =>
      used.log.flatMap((entry) => {
        const { atMs, effects } = entry as { atMs: number; effects: Effect[] };
        return effects.flatMap((effect) =>
          effect.kind === 'webhook' ? [[atMs - 1_000, effect.attempt]] : [],
        );
      });
    expect(calls(use)).toEqual([[0, 1]]);
    const other = after(use, 4_000);
    other.pass(9_999);
    expect(calls(other)).toEqual([]);
    other.pass(1);
    expect(calls(other)).toEqual([[14_000, 2]]);
    other.hookEnded(1, 500);
    const third = after(other, 3_000);
    third.pass(6_999);
    expect(calls(third)).toEqual([]);
    third.pass(1);
    expect(calls(third)).toEqual([[24_000, 3]]);
    // Three calls were made; one that was broken off is not made a fourth time.
    const last = after(third, 60_000);
    last.pass(60_000);
    expect(calls(last)).toEqual([]);
  });

  it('workers start as they would have: a minimum at once, others for those that wait, and not while nobody was there', () => {
    const scaler = { kind: 'queue-delay', delayMs: 4_000 } as const;
    const workers = { min: 0, max: 1, coldStartMs: 1_000, idleTimeoutMs: null, scaler };
    const waitingAfter = (ms: number): readonly [Use, string] => {
      const use = startUse({});
      use.apply({ kind: 'create-endpoint', endpoint: 'a', workers });
      const id = submit(use);
      return [after(use, ms), id];
    };
    const [soon, first] = waitingAfter(3_000);
    soon.pass(1_999);
    expect(record(soon, first)).toMatchObject({ status: 'IN_QUEUE' });
    soon.pass(1);
    expect(record(soon, first)).toMatchObject({ status: 'IN_PROGRESS', delayTime: 5_000 });
    const [late, second] = waitingAfter(60_000);
    late.pass(999);
    expect(record(late, second)).toMatchObject({ status: 'IN_QUEUE' });
    late.pass(1);
    expect(record(late, second)).toMatchObject({ status: 'IN_PROGRESS', delayTime: 61_000 });
  });

  it('numbers go on: no id, attempt or delivery is given twice', () => {
    const use = startUse({});
    const first = submit(use);
    const other = after(use, 0);
    other.apply({ kind: 'set-workers', endpoint: 'a', workers: 3 });
    const more = [submit(other), submit(other)];
    expect(new Set([first, ...more]).size).toBe(3);
    expect(new Set(other.attempts).size).toBe(other.attempts.length);
  });

  it('a service that nobody keeps notes nothing', () => {
    const use = new Use({ notes: 'nothing' });
    use.apply({ kind: 'create-endpoint', endpoint: 'a', workers: 1 });
    submit(use);
    expect(use.service.takeChanges()).toBeNull();
  });
});
