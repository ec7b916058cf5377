import { describe, expect, it } from 'vitest';
import { describePlan } from '../../src/features/check/describe-plan.js';
import type { Step } from '../../src/scenario/script.js';
import { inOrder, Scheduler } from '../../src/schedule/scheduler.js';
import { scheduledScripts } from '../../src/target/simulator/dry-run.js';
import { WorkerSlots } from '../../src/schedule/worker-slots.js';
import { scriptOf } from '../target-http/support.js';

describe('what purges a queue that scripts share', () => {
  const cases: readonly (readonly [string, Step, boolean])[] = [
    ['a purge', { do: 'purge-queue' }, true],
    ['one with the key after Bearer', { do: 'purge-queue', auth: 'bearer' }, true],
    ['one whose prefix some servers take for Bearer', { do: 'purge-queue', auth: 'lower-bearer' }, true],
    ['one with a key that lacks its first letter', { do: 'purge-queue', auth: 'truncated-start' }, false],
    ['one without a key', { do: 'purge-queue', auth: 'missing' }, false],
    ['one at another endpoint', { do: 'purge-queue', endpoint: '{second-endpoint}' }, false],
    ['many at once', { do: 'burst', op: 'purge-queue', count: 3 }, true],
    ['many of something else', { do: 'burst', op: 'health', count: 3 }, false],
    ['one written by hand', { do: 'raw', method: 'POST', path: '/purge-queue', illegal: 'with-body' }, true],
    ['one by a wrong method', { do: 'raw', method: 'GET', path: '/purge-queue', illegal: 'method' }, false],
  ];

  it.each(cases)('%s', (_, step, purges) => {
    const script = scriptOf([step]);
    expect(scheduledScripts([script])[0]?.purges).toBe(purges);
    const plan = { seed: 1, scripts: [script], leftOut: [] } as unknown as Parameters<typeof describePlan>[0];
    expect(describePlan(plan, 'virtual', null).join().includes('purges the queue')).toBe(purges);
  });
});

const begins: Step = {
  do: 'await',
  job: 'a',
  until: ['IN_PROGRESS', 'COMPLETED'],
  everyMs: 250,
  timeoutMs: 60_000,
};
const works = (sleepMs: number): readonly Step[] => [
  { do: 'run', job: 'a', plan: [{ sleepMs }, { return: 1 }] },
  begins,
  { do: 'status', job: 'a', at: { waitMs: sleepMs } },
];
const refused: Step = { do: 'raw', method: 'POST', path: '/run', bodyText: '{}', illegal: 'no-input' };
const wrongKey: readonly Step[] = [
  { do: 'run', job: 'a', plan: [{ return: 1 }] },
  { do: 'status', job: 'a', auth: 'wrong' },
];

describe('basics', () => {
  it.each<readonly [string, readonly Step[], boolean]>([
    ['a refused submission', [refused], true],
    ['a wrong key, told of a job that may as well wait', wrongKey, true],
    ['an unknown job', [{ do: 'raw', method: 'GET', path: '/status/none', illegal: 'unknown-job' }], true],
    ['a job that is waited for', works(0), false],
    ['a call that waits for its job', [{ do: 'runsync', job: 'a', plan: [{ return: 1 }] }], false],
    [
      'a job that keeps a worker',
      [
        { do: 'run', job: 'a', plan: [{ sleepMs: 900 }] },
        { do: 'health', at: { waitMs: 900 } },
      ],
      false,
    ],
    ['what few may call at a time', [{ do: 'purge-queue' }], false],
    ['a long wait', [refused, { do: 'health', at: { waitMs: 30_000 } }], false],
  ])('%s', (_, steps, isBasic) => {
    expect(scheduledScripts([scriptOf(steps)])[0]?.isBasic).toBe(isBasic);
  });

  it('come first, and wait for no worker', () => {
    const scripts = [works(18_000), works(60_000), wrongKey, [refused]].map((steps) => scriptOf(steps));
    const entries = scheduledScripts(scripts);
    expect(inOrder(entries).map(({ number }) => number)).toEqual([2, 3, 1, 0]);
    const table = new Scheduler(entries, { slots: new WorkerSlots(1), rateLimiter: null, nowMs: () => 0 });
    const begun: number[] = [];
    for (let next = table.next(); next !== null; next = table.next()) begun.push(next.entry.number);
    expect(begun).toEqual([2, 3, 1]);
  });

  it('are a few at a time, that their jobs do not crowd the queue', () => {
    const entries = scheduledScripts(Array.from({ length: 9 }, () => scriptOf(wrongKey)));
    const table = new Scheduler(entries, { slots: new WorkerSlots(1), rateLimiter: null, nowMs: () => 0 });
    const ends: (() => void)[] = [];
    for (let next = table.next(); next !== null; next = table.next()) ends.push(next.end);
    expect(ends).toHaveLength(4);
    ends[0]!();
    expect(table.next()).not.toBeNull();
  });
});

describe('a first look at every operation', () => {
  const run: Step = { do: 'run', job: 'a', plan: [{ sleepMs: 300 }] };
  const ended: Step = { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 100, timeoutMs: 9_000 };
  const again: Step[] = [run, ended, { do: 'status', job: 'a' }, { do: 'stream', job: 'a' }];
  const cancels: Step[] = [run, { do: 'cancel', job: 'a' }];
  const short = works(1_000);

  it('comes before the longest waits, and is no longer than it needs to be', () => {
    const scripts = [works(60_000), short, short, cancels, again, cancels].map((steps) => scriptOf(steps));
    const order = inOrder(scheduledScripts(scripts)).map(({ number }) => number);
    const long = order.indexOf(0);
    // Those that only cancel need no worker.
    expect(order.slice(0, long).toSorted((a, b) => a - b)).toEqual([3, 4, 5]);
    expect(order.slice(long + 1).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  it('tells reads of an ended job again from the first one', () => {
    const reaches = (steps: readonly Step[]) => scheduledScripts([scriptOf(steps)])[0]!.dryRun.reaches;
    expect(reaches(again)).toContain('status COMPLETED again');
    expect(reaches([run, ended])).not.toContain('status COMPLETED again');
    expect(reaches(cancels)).toEqual(['run IN_QUEUE', 'cancel CANCELLED']);
  });
});

describe('workers that take no job', () => {
  it('hold nobody back, until one is seen at work', () => {
    const slots = new WorkerSlots(1);
    const first = slots.tryAdmit(1)!;
    expect(slots.tryAdmit(1)).toBeNull();
    first.reportStarved();
    const second = slots.tryAdmit(1)!;
    expect(slots.tryAdmit(1)).not.toBeNull();
    second.reportWorking(0);
    expect(slots.tryAdmit(1)).toBeNull();
  });

  const waits: Step[] = [
    { do: 'run', job: 'a', plan: [{ sleepMs: 100 }] },
    { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 50, timeoutMs: 5_000 },
  ];
  const entries = scheduledScripts([...[1, 2, 3, 4, 5].map(() => scriptOf(waits)), scriptOf(wrongKey)]);
  const begun = (slots: WorkerSlots, table: Scheduler, count: number) =>
    Array.from({ length: count }, () => table.next()!).map(({ entry, lease, end }) => ({
      entry,
      lease,
      end,
    }));

  it.each([
    ['reportStarved', 'reportWorking', 'no worker takes a job any more'],
    ['reportOverrun', 'reportEnded', 'workers do not end their jobs any more'],
  ] as const)('are stuck once three scripts say so (%s): the others wait in vain', (stuck, well, why) => {
    const slots = new WorkerSlots(3);
    const table = new Scheduler(entries, { slots, rateLimiter: null, nowMs: () => 0 });
    const [basic, ...others] = begun(slots, table, 4);
    expect(basic!.entry.dryRun.needsNoWorker).toBe(true);
    others.slice(0, 2).forEach(({ lease }) => lease[stuck]());
    expect(slots.stuckBecause).toBeNull();
    expect(table.waitingInVain).toEqual([]);
    others[2]!.lease[stuck]();
    expect(slots.stuckBecause).toBe(why);
    expect(table.waitingInVain).toHaveLength(2);
    expect(table.next()).toBeNull();
    others[0]!.lease[well](0);
    others.forEach(({ lease }) => lease.release());
    expect(table.waitingInVain).toEqual([]);
    expect(table.next()).not.toBeNull();
  });
});

describe('a purge beside jobs that have just been submitted', () => {
  const purge: Step = { do: 'purge-queue' };
  const purges: Step[] = [purge, { ...purge, at: { waitMs: 20_000 } }];
  const jobs = (...waitsMs: readonly number[]): Step[] => [
    ...works(100),
    ...waitsMs.map((waitMs, nth): Step => ({
      ...{ do: 'run', job: `later ${nth}`, plan: [{ return: 1 }] },
      at: { waitMs },
    })),
    { do: 'health', at: { waitMs: 30_000 } },
  ];
  /** Which of these start at the beginning, and which after so long. */
  const begun = (all: readonly (readonly Step[])[], afterMs: number): readonly (readonly number[])[] => {
    let nowMs = 0;
    const entries = scheduledScripts(all.map((steps) => scriptOf(steps)));
    const slots = new WorkerSlots(4);
    const table = new Scheduler(entries, { slots, rateLimiter: null, nowMs: () => nowMs });
    const take = (): readonly number[] => {
      const numbers: number[] = [];
      for (let next = table.next(); next !== null; next = table.next()) numbers.push(next.entry.number);
      return numbers;
    };
    const first = take();
    nowMs = afterMs;
    return [first, take()];
  };

  it('waits until a worker has had time to take them', () => {
    expect(begun([jobs(), purges], 1_500)).toEqual([[0], []]);
    expect(begun([jobs(), purges], 5_000)).toEqual([[0], [1]]);
  });

  it('waits as well where one of its later purges would meet later jobs', () => {
    expect(begun([jobs(25_000), purges], 5_000)).toEqual([[0], []]);
    expect(begun([jobs(29_000), purges], 5_000)).toEqual([[0], [1]]);
  });

  it('does not wait for ever: meanwhile no script with jobs starts', () => {
    expect(begun([jobs(25_000), purges, works(16_000), [{ do: 'health' }]], 5_000)).toEqual([[3, 0], []]);
  });
});
