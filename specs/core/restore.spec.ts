/** A service that is stopped and restored answers as if it had never stopped. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/core/api.js';
import type { Dialect } from '../../src/core/rules.js';
import type { Json } from '../../src/history/events.js';
import type { Edition } from '../../src/spec/index.js';
import {
  commands,
  dialect,
  edition,
  ENDPOINTS,
  LULL_MS,
  startUse,
  ServiceDriver,
  type Command,
} from './commands.js';

/** A dialect that remembers purged jobs and all ids. */
const PURGED: [Edition, Dialect, Command[], Command[], number] = [
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

describe('stopped and restored', () => {
  it('without running jobs: every later answer and effect is the same, in every dialect', () => {
    fc.assert(
      fc.property(
        edition,
        dialect,
        commands,
        commands,
        fc.nat({ max: 30_000 }),
        (ed, readings, first, then, lullMs) => {
          const use = startUse({ edition: ed, dialect: readings });
          for (const each of first) use.perform(each);
          use.comeToRest();
          const other = use.restarted();
          use.log.length = 0;
          use.apply({ kind: 'settle' });
          other.apply({ kind: 'resume' });
          for (const each of [use, other]) {
            // Long enough for what no restart keeps: the rate meters.
            each.advance(lullMs + LULL_MS);
            for (const endpoint of ENDPOINTS) each.apply({ kind: 'set-workers', endpoint, workers: 2 });
            each.survey();
            for (const later of then) each.perform(later);
            each.survey();
          }
          expect(other.log).toEqual(use.log);
        },
      ),
      { numRuns: RUNS, examples: [PURGED] },
    );
  });

  it('with running jobs: no job is lost or invented, results stay, and running jobs run again', () => {
    fc.assert(
      fc.property(commands, commands, (first, then) => {
        const use = startUse({});
        for (const each of first) use.perform(each);
        const before = states(use);
        const other = use.restarted();
        other.apply({ kind: 'resume' });
        const after = states(other, use.jobs);
        expect([...after.keys()]).toEqual([...before.keys()]);
        for (const [id, record] of before) {
          if (isLive(record.status)) expect(isLive(after.get(id)!.status)).toBe(true);
          else expect(after.get(id)).toEqual(record);
        }
        const [oldest] = [...other.running].sort((a, b) => a - b);
        if (oldest !== undefined) expect(oldest).toBeGreaterThan(Math.max(0, ...use.attempts));
        // Reports from workers of the first service are ignored.
        for (const attempt of use.running) other.report(attempt, { kind: 'success', output: 'from before' });
        expect(states(other, use.jobs)).toEqual(after);
        for (const each of then) other.perform(each);
        // No deleted job is found again, and the counters agree with the jobs.
        const last = states(other, use.jobs);
        for (const id of use.jobs) if (!after.has(id)) expect(last.has(id)).toBe(false);
        other.comeToRest();
        expect(other.restarted().recorder.state()).toEqual(other.recorder.state());
      }),
      { numRuns: RUNS },
    );
  });
});

it.each([
  ['retry-calls', 0],
  ['both', 1],
] as const)('a restart counts a running job as retried by the reading %s: %j', (reading, retried) => {
  const use = startUse({ dialect: { '2.7/retried-counts': reading } });
  use.request('POST', '/v2/a/run', { input: {} });
  expect(use.attempts).toHaveLength(1);
  const other = use.restarted();
  other.apply({ kind: 'resume' });
  const { reply } = other.request('GET', '/v2/a/health');
  expect(reply?.body).toMatchObject({ jobs: { retried } });
});

describe('the order of the queue', () => {
  it('is kept after many insertions between the same two jobs', () => {
    const use = startUse({ dialect: { '4.6/queue-position': 'by-submission' } });
    const submit = (): string => {
      use.request('POST', '/v2/a/run', { input: {} });
      use.report(use.attempts.at(-1)!, { kind: 'error', message: 'broken' });
      return use.jobs.at(-1)!;
    };
    const first = submit();
    use.advance(1);
    const between = Array.from({ length: 120 }, submit);
    use.advance(1);
    const last = submit();
    use.apply({ kind: 'set-workers', endpoint: 'a', workers: 0 });
    for (const id of [first, last, ...between.toReversed()]) use.request('POST', `/v2/a/retry/${id}`);
    // Those of one instant wait in the order in which they went back.
    const order = [first, ...between.toReversed(), last];
    for (const each of [use, use.restarted()]) {
      each.log.length = 0;
      each.apply({ kind: 'set-workers', endpoint: 'a', workers: order.length });
      expect(startsIn(each)).toEqual(order);
    }
  });
});

const startsIn = ({ log }: ServiceDriver): string[] =>
  log.flatMap((entry) =>
    (entry as { effects: Effect[] }).effects.flatMap((effect) =>
      effect.kind === 'start' ? [effect.job] : [],
    ),
  );

interface JobRecord {
  readonly status: string;
}

const isLive = (status: string): boolean => status === 'IN_QUEUE' || status === 'IN_PROGRESS';

/** The records of all jobs that are there. */
function states(use: ServiceDriver, ids: readonly string[] = use.jobs): Map<string, JobRecord> {
  const found = new Map<string, JobRecord>();
  for (const id of ids)
    for (const endpoint of ENDPOINTS) {
      const { reply } = use.request('GET', `/v2/${endpoint}/status/${id}`);
      if (reply?.status === 200) found.set(id, reply.body as unknown as JobRecord);
    }
  return found;
}

describe('while the service was down', () => {
  const submit = (use: ServiceDriver, more: Json = {}): string => {
    use.request('POST', '/v2/a/run', { input: {}, ...(more as object) });
    return use.jobs.at(-1)!;
  };
  const record = (use: ServiceDriver, id: string): unknown => {
    const { reply } = use.request('GET', `/v2/a/status/${id}`);
    return reply?.status === 200 ? reply.body : reply?.status;
  };
  /** Stops the service now and restores it after this time; due timers fire first, as in the host. */
  const after = (use: ServiceDriver, ms: number): ServiceDriver => {
    const other = use.restarted();
    other.advance(ms);
    other.apply({ kind: 'resume' });
    return other;
  };

  it('a running job times out at its own instant, and the next one starts only when the service is up again', () => {
    const use = startUse({});
    const overrun = submit(use, { policy: { executionTimeout: 5_000 } });
    const next = submit(use);
    const other = after(use, 60_000);
    expect(record(other, overrun)).toMatchObject({ status: 'TIMED_OUT', executionTime: 5_000 });
    expect(record(other, next)).toMatchObject({ status: 'IN_PROGRESS', delayTime: 60_000, executionTime: 0 });
  });

  it('what it had streamed before can be read, once', () => {
    const use = startUse({ dialect: { '4.4/second-read': 'only-new' } });
    const overrun = submit(use, { policy: { executionTimeout: 5_000 } });
    const stream = (used: ServiceDriver): unknown =>
      used.request('GET', `/v2/a/stream/${overrun}`).reply?.body;
    use.report(1, { kind: 'stream', output: 'first' });
    expect(stream(use)).toEqual([{ output: 'first' }]);
    use.report(1, { kind: 'stream', output: 'second' });
    const other = after(use, 60_000);
    expect(stream(other)).toEqual([{ output: 'second' }]);
    expect(stream(after(other, 0))).toEqual([]);
  });

  it('a running job with time left runs again, before the waiting ones, with its original ttl', () => {
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
    other.advance(9_999);
    expect(record(other, first)).toMatchObject({ status: 'IN_PROGRESS' });
    other.advance(1);
    expect(record(other, first)).toBe(404);
  });

  it('ttl and retention continue', () => {
    const use = startUse({});
    const done = submit(use);
    use.report(1, { kind: 'success', output: 1 });
    use.apply({ kind: 'set-workers', endpoint: 'a', workers: 0 });
    const waiting = submit(use, { policy: { ttl: 3_600_000 } });
    const near = after(use, 1_799_999);
    expect(record(near, done)).toMatchObject({ status: 'COMPLETED', output: 1 });
    near.advance(1);
    expect(record(near, done)).toBe(404);
    expect(record(after(near, 1_799_999), waiting)).toMatchObject({ status: 'IN_QUEUE' });
    expect(record(after(near, 1_800_000), waiting)).toBe(404);
  });

  it('a webhook call that was in flight counts as failed; a pause continues, and the next one starts with the call', () => {
    const use = startUse({});
    submit(use, { webhook: 'http://hook.test/' });
    use.report(1, { kind: 'success', output: 1 });
    const calls = (used: ServiceDriver): unknown[] =>
      used.log.flatMap((entry) => {
        const { atMs, effects } = entry as { atMs: number; effects: Effect[] };
        return effects.flatMap((effect) =>
          effect.kind === 'webhook' ? [[atMs - 1_000, effect.attempt]] : [],
        );
      });
    expect(calls(use)).toEqual([[0, 1]]);
    const other = after(use, 4_000);
    other.advance(9_999);
    expect(calls(other)).toEqual([]);
    other.advance(1);
    expect(calls(other)).toEqual([[14_000, 2]]);
    other.hookEnded(1, 500);
    const third = after(other, 3_000);
    third.advance(6_999);
    expect(calls(third)).toEqual([]);
    third.advance(1);
    expect(calls(third)).toEqual([[24_000, 3]]);
    // After three attempts, there is no fourth one.
    const last = after(third, 60_000);
    last.advance(60_000);
    expect(calls(last)).toEqual([]);
  });

  it('workers start with the service: the minimum at once, others for waiting jobs', () => {
    const scaler = { kind: 'queue-delay', delayMs: 4_000 } as const;
    const workers = { min: 0, max: 1, coldStartMs: 1_000, idleTimeoutMs: null, scaler };
    const waitingAfter = (ms: number): readonly [ServiceDriver, string] => {
      const use = startUse({});
      use.apply({ kind: 'create-endpoint', endpoint: 'a', workers });
      const id = submit(use);
      return [after(use, ms), id];
    };
    const [soon, first] = waitingAfter(3_000);
    soon.advance(1_999);
    expect(record(soon, first)).toMatchObject({ status: 'IN_QUEUE' });
    soon.advance(1);
    expect(record(soon, first)).toMatchObject({ status: 'IN_PROGRESS', delayTime: 5_000 });
    const [late, second] = waitingAfter(60_000);
    late.advance(999);
    expect(record(late, second)).toMatchObject({ status: 'IN_QUEUE' });
    late.advance(1);
    expect(record(late, second)).toMatchObject({ status: 'IN_PROGRESS', delayTime: 61_000 });
  });

  it('numbers continue: no id, attempt or delivery is used twice', () => {
    const use = startUse({});
    const first = submit(use);
    const other = after(use, 0);
    other.apply({ kind: 'set-workers', endpoint: 'a', workers: 3 });
    const more = [submit(other), submit(other)];
    expect(new Set([first, ...more]).size).toBe(3);
    expect(new Set(other.attempts).size).toBe(other.attempts.length);
  });

  it('a service that does not track changes reports none', () => {
    const use = new ServiceDriver({ tracks: 'nothing' });
    use.apply({ kind: 'create-endpoint', endpoint: 'a', workers: 1 });
    submit(use);
    expect(use.service.takeChanges()).toBeNull();
  });
});
