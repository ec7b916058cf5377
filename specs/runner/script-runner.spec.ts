import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/scenario/script.js';
import type { OutgoingCall } from '../../src/runner/api.js';
import { createScriptRunner } from '../../src/runner/script-runner.js';
import { context, play, scriptOf, told, type Answer } from './support.js';

const accepted = (id = 'j1'): Answer => ({ status: 200, body: { id, status: 'IN_QUEUE' } });
const seen = (status: string): Answer => ({ status: 200, body: { id: 'j1', status } });

/** Answers `/status` by a table of `from`-times; everything else by a plain success. */
function timeline(table: readonly (readonly [fromMs: number, status: string | 404])[]) {
  return (call: OutgoingCall, atMs: number): Answer => {
    if (call.op === 'cancel') return seen('CANCELLED');
    if (call.op !== 'status') return accepted();
    const state = table.filter(([fromMs]) => fromMs <= atMs).at(-1)?.[1] ?? 'IN_QUEUE';
    return state === 404 ? { status: 404 } : seen(state);
  };
}

const submitted = (plusMs: number, side: 'earliest' | 'latest' = 'earliest') =>
  ({ job: 'a', milestone: 'submitted', side, plusMs }) as const;

describe('lanes', () => {
  it('plays the steps of a lane one after the other and lanes side by side', () => {
    const { calls, done } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'health', at: { waitMs: 100 } },
        { do: 'run', job: 'b', lane: 'other' },
        { do: 'health', lane: 'other', at: { sinceStartMs: 50 } },
      ],
      () => ({ ...accepted(), afterMs: 10 }),
    );
    expect(told(calls)).toEqual(['run@0', 'run@0', 'health@50', 'health@110']);
    expect(done).toBe(true);
  });

  it('counts a wait from the end of the step before, and the start from the context', () => {
    const { calls } = play(
      [
        { do: 'pause', at: { sinceStartMs: 7 } },
        { do: 'health', at: { waitMs: 3 } },
      ],
      () => ({ status: 200 }),
      { startMs: 1000 },
    );
    expect(told(calls)).toEqual(['health@1010']);
  });

  it('goes on after a reply that never came', () => {
    const { calls, done } = play([{ do: 'health' }, { do: 'health' }], () => null);
    expect(told(calls)).toEqual(['health@0', 'health@0']);
    expect(done).toBe(true);
  });

  it('waits until the number of workers was changed', () => {
    const { others, calls } = play([{ do: 'workers', count: 3 }, { do: 'health' }], () => ({ status: 200 }));
    expect(others).toEqual([{ kind: 'workers', lane: 'main', count: 3 }]);
    expect(told(calls)).toEqual(['health@0']);
  });
});

describe('anchors', () => {
  it('measures from the side of the submission that the step names', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'status', job: 'a', at: submitted(1000) },
        { do: 'status', job: 'a', at: submitted(2000, 'latest') },
      ],
      (call) => (call.op === 'run' ? { ...accepted(), afterMs: 30 } : seen('IN_QUEUE')),
    );
    expect(told(calls)).toEqual(['run@0', 'status@1000', 'status@2030']);
  });

  it('knows the start between the last poll in the queue and the first after it', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['IN_PROGRESS'], everyMs: 100, timeoutMs: 1000 },
        { do: 'health', at: { job: 'a', milestone: 'started', side: 'earliest', plusMs: 5000 } },
        { do: 'health', at: { job: 'a', milestone: 'started', side: 'latest', plusMs: 5000 } },
      ],
      timeline([[250, 'IN_PROGRESS']]),
    );
    expect(told(calls).slice(-2)).toEqual(['health@5200', 'health@5300']);
  });

  it('knows the end between the last poll alive and the first after it', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 100, timeoutMs: 1000 },
        { do: 'health', at: { job: 'a', milestone: 'ended', side: 'earliest', plusMs: 5000 } },
        { do: 'health', at: { job: 'a', milestone: 'ended', side: 'latest', plusMs: 5000 } },
      ],
      timeline([
        [50, 'IN_PROGRESS'],
        [250, 'COMPLETED'],
      ]),
    );
    expect(told(calls).slice(-2)).toEqual(['health@5200', 'health@5300']);
  });

  it('means the new run after a retry', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['FAILED'], everyMs: 100, timeoutMs: 1000 },
        { do: 'retry', job: 'a', at: { waitMs: 1000 } },
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 100, timeoutMs: 1000 },
        { do: 'health', at: { job: 'a', milestone: 'ended', side: 'latest', plusMs: 5000 } },
      ],
      timeline([
        [100, 'FAILED'],
        [1100, 'IN_PROGRESS'],
        [1300, 'COMPLETED'],
      ]),
    );
    expect(told(calls).at(-1)).toBe('health@6300');
  });

  it('lets a lane wait for the milestone that another lane will see', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a', at: { sinceStartMs: 500 } },
        { do: 'status', job: 'a', lane: 'other', at: submitted(100) },
      ],
      timeline([]),
    );
    expect(told(calls)).toEqual(['run@500', 'status@600']);
  });
});

describe('steps that find nothing are skipped', () => {
  const table: readonly (readonly [string, readonly Step[]])[] = [
    ['a job that was never submitted', [{ do: 'status', job: 'a' }]],
    ['a milestone of a job that was never submitted', [{ do: 'health', at: submitted(5) }]],
    [
      'an await of a job that was never submitted',
      [{ do: 'await', job: 'a', until: ['FAILED'], everyMs: 1, timeoutMs: 9 }],
    ],
    ['the newest job when there is none', [{ do: 'cancel', job: { nth: 0 } }]],
    ['a raw path with an unknown job', [{ do: 'raw', method: 'PUT', path: '/status/{job:a}', illegal: 'x' }]],
    ['a burst on an unknown job', [{ do: 'burst', op: 'status', count: 3, job: 'a' }]],
    [
      'lanes that wait for each other',
      [
        {
          do: 'run',
          job: 'a',
          at: { job: 'b', milestone: 'submitted', side: 'latest', plusMs: 0 },
          lane: '1',
        },
        { do: 'status', job: 'b', lane: '1', at: submitted(0) },
      ],
    ],
  ];
  it.each(table)('%s', (_, steps) => {
    const { calls, done } = play([...steps, { do: 'health' }], () => ({ status: 200 }));
    expect(told(calls)).toEqual(['health@0']);
    expect(done).toBe(true);
  });

  it('what depends on a refused submission', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'status', job: 'a' },
        { do: 'health', at: submitted(10) },
        { do: 'health' },
      ],
      () => ({ status: 429 }),
    );
    expect(told(calls)).toEqual(['run@0', 'health@0']);
  });

  it('what depends on a start that an await never saw', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['IN_PROGRESS'], everyMs: 40, timeoutMs: 100 },
        { do: 'health', at: { job: 'a', milestone: 'started', side: 'latest', plusMs: 0 } },
        { do: 'health' },
      ],
      timeline([]),
    );
    expect(told(calls)).toEqual(['run@0', 'status@0', 'status@40', 'status@80', 'status@100', 'health@100']);
  });
});

describe('await', () => {
  it('polls more and more slowly beyond the planned number of calls, up to every five seconds', () => {
    const steps: Step[] = [
      { do: 'run', job: 'a' },
      { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 250, timeoutMs: 60_000 },
    ];
    const polls = (callsPlanned?: number) =>
      play(steps, timeline([[0, 'IN_QUEUE']]), callsPlanned === undefined ? {} : { callsPlanned });
    const planned = polls().calls;
    const { calls, endMs } = polls(12);
    expect(planned).toHaveLength(242);
    // As quickly as planned while it is planned.
    expect(told(calls.slice(0, 13))).toEqual(told(planned.slice(0, 13)));
    expect(calls.length).toBeLessThan(40);
    const pauses = calls.slice(1).map(({ atMs }, index) => atMs - calls[index]!.atMs);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5_000);
    expect(endMs).toBe(60_000);
  });

  it('polls no more quickly than its step says, where that is more seldom than every five seconds', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 10_000, timeoutMs: 60_000 },
      ],
      timeline([[0, 'IN_QUEUE']]),
      { callsPlanned: 1 },
    );
    expect(calls).toHaveLength(8);
  });

  it('polls at once, at every interval, and for the last time exactly at the timeout', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 300, timeoutMs: 1000 },
      ],
      timeline([[0, 'IN_PROGRESS']]),
    );
    expect(told(calls)).toEqual([
      'run@0',
      'status@0',
      'status@300',
      'status@600',
      'status@900',
      'status@1000',
    ]);
  });

  it('ends when the job ended in another way', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 300, timeoutMs: 1000 },
      ],
      timeline([[200, 'FAILED']]),
    );
    expect(told(calls)).toEqual(['run@0', 'status@0', 'status@300']);
  });

  it('waits past the end for the job to be gone', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'await', job: 'a', until: ['GONE'], everyMs: 300, timeoutMs: 1000 },
      ],
      timeline([
        [200, 'FAILED'],
        [700, 404],
      ]),
    );
    expect(told(calls)).toEqual(['run@0', 'status@0', 'status@300', 'status@600', 'status@900']);
  });

  it('waits for the id of a runsync that is still open', () => {
    const { calls } = play(
      [
        { do: 'runsync', job: 'a', lane: 'caller' },
        { do: 'status', job: 'a' },
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 100, timeoutMs: 9000 },
        { do: 'health' },
      ],
      (call) => (call.op === 'runsync' ? { ...seen('IN_PROGRESS'), afterMs: 2000 } : seen('COMPLETED')),
    );
    expect(told(calls)).toEqual(['runsync@0', 'status@2000', 'health@2000']);
  });

  it('gives up on an id that does not come in time', () => {
    const { calls } = play(
      [
        { do: 'runsync', job: 'a', lane: 'caller' },
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 100, timeoutMs: 500 },
        { do: 'health' },
      ],
      (call) => (call.op === 'runsync' ? { ...seen('COMPLETED'), afterMs: 2000 } : { status: 200 }),
    );
    expect(told(calls)).toEqual(['runsync@0', 'health@500']);
  });
});

describe('a runsync that is still open', () => {
  const steps = [
    { do: 'runsync', job: 'a', lane: 'caller' },
    { do: 'health', at: { job: 'a', milestone: 'submitted', side: 'latest', plusMs: 500 } },
  ] as const;

  it('counts as submitted when it was sent, until it is known when it arrived', () => {
    const runner = createScriptRunner(scriptOf(...steps), context);
    runner.due(0);
    expect(runner.nextWakeMs()).toBe(500);
  });

  it('counts from its arrival where the target tells', () => {
    const runner = createScriptRunner(scriptOf(...steps), context);
    runner.due(0);
    runner.arrived(0, 40);
    runner.due(500);
    expect(runner.nextWakeMs()).toBe(540);
  });
});

describe('bursts', () => {
  it('sends every call at once, each in a lane of its own, and goes on when all are answered', () => {
    const { calls } = play(
      [
        { do: 'burst', op: 'run', count: 3, plan: [{ hang: true }] },
        { do: 'cancel', job: { nth: 0 } },
        { do: 'cancel', job: { nth: 2 } },
      ],
      (call) =>
        call.op === 'run'
          ? { ...accepted(`j${call.call}`), afterMs: 10 * (call.call + 1) }
          : { status: 200, body: { id: call.path.split('/').at(-1) ?? '', status: 'CANCELLED' } },
    );
    expect(told(calls)).toEqual(['run@0', 'run@0', 'run@0', 'cancel@30', 'cancel@30']);
    expect(new Set(calls.map(({ call }) => call.lane)).size).toBe(4);
    expect(calls.slice(3).map(({ call }) => call.path)).toEqual(['/v2/e/cancel/j2', '/v2/e/cancel/j0']);
  });
});

describe('references', () => {
  it('finds the n-th newest job in a phase', () => {
    const { calls } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'run', job: 'b' },
        { do: 'run', job: 'c' },
        { do: 'cancel', job: 'c' },
        { do: 'status', job: { nth: 0, phase: ['IN_QUEUE'] } },
        { do: 'status', job: { nth: 0, phase: ['CANCELLED'] } },
        { do: 'status', job: { nth: 1, phase: ['CANCELLED'] } },
      ],
      (call) => ({
        status: 200,
        body: { id: `j${call.call}`, status: call.op === 'cancel' ? 'CANCELLED' : 'IN_QUEUE' },
      }),
    );
    expect(calls.slice(4).map(({ call }) => call.path)).toEqual(['/v2/e/status/j1', '/v2/e/status/j2']);
  });

  it.each([
    ['is lost', null, ['j0']],
    ['says no', { status: 400, body: { error: 'no' } }, []],
  ])('lists an ended job as alive if the answer to its retry %s', (_, retried, alive) => {
    const { runner } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'cancel', job: 'a' },
        { do: 'retry', job: 'a' },
      ],
      (call) =>
        call.op === 'retry'
          ? retried
          : { status: 200, body: { id: 'j0', status: call.op === 'cancel' ? 'CANCELLED' : 'IN_QUEUE' } },
    );
    expect(runner.openJobs()).toEqual(alive);
  });

  it.each([
    [['IN_PROGRESS'], ['j1']],
    [['IN_PROGRESS', 'COMPLETED'], []],
    [['CANCELLED'], []],
  ])('lists a job as alive if /status says so after its end: %j', (states, alive) => {
    const answers = [...states];
    const { runner } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'cancel', job: 'a' },
        { do: 'status', job: 'a' },
        { do: 'status', job: 'a', at: { waitMs: 10 } },
      ],
      ({ op }) => {
        if (op === 'cancel') return seen('CANCELLED');
        return op === 'status' ? seen(answers.length > 1 ? answers.shift()! : answers[0]!) : accepted();
      },
    );
    expect(runner.openJobs()).toEqual(alive);
  });

  it('lists the jobs that may still be alive, raw submissions included', () => {
    const { runner } = play(
      [
        { do: 'run', job: 'a' },
        { do: 'raw', method: 'POST', path: '/run', bodyText: '{}', illegal: 'no input' },
        { do: 'run', job: 'b' },
        { do: 'cancel', job: 'b' },
      ],
      (call) => ({
        status: 200,
        body: { id: `j${call.call}`, status: call.op === 'cancel' ? 'CANCELLED' : 'IN_QUEUE' },
      }),
    );
    expect(runner.openJobs()).toEqual(['j0', 'j1']);
  });
});
