import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/scenario/script.js';
import { latencyOf, WITHOUT_WORKERS } from '../../src/schedule/latency.js';
import type { DurationEstimate } from '../../src/schedule/duration-estimate.js';
import { plannedMs } from '../../src/scenario/planned-work.js';
import { dryRun, estimateDuration, scriptCost } from '../../src/target/simulator/dry-run.js';
import { scriptOf } from '../target-http/support.js';

const run = (sleepMs: number, job = 'a'): Step => ({ do: 'run', job, plan: [{ sleepMs }, { return: 1 }] });
const status = (waitMs: number): Step => ({ do: 'status', job: 'a', at: { waitMs } });

describe('a rehearsal', () => {
  it('tells how long a script lasts, what it calls and how long it keeps a worker', () => {
    const script = scriptOf([run(2_000), status(60_000)]);
    expect(dryRun(script)).toMatchObject({
      lastsMs: 60_000,
      calls: 2,
      queuesUntilMs: null,
    });
    expect(scriptCost(script)).toEqual({ lastsMs: 60_000, workMs: 2_000 });
  });

  it('knows of jobs that wait in the queue, and until when', () => {
    const { queuesUntilMs } = dryRun(scriptOf([run(1_000), run(1_000, 'b'), status(5_000)]));
    expect(queuesUntilMs).toBeGreaterThan(0);
    expect(queuesUntilMs).toBeLessThan(5_000);
  });

  it('knows until when a limit is used up', () => {
    const burst = scriptOf([{ do: 'burst', op: 'cancel', count: 100 }], { exclusive: true });
    expect(dryRun(burst).usedUpUntilMs.get('cancel')).toBe(11_000);
  });
});

const secondsOf = ({ wallMs }: DurationEstimate): number => Math.round(wallMs / 1_000);

describe('a forecast', () => {
  it('lets waits overlap and shares out the workers', () => {
    const waits = Array.from({ length: 8 }, () => scriptOf([run(10), status(30_000)]));
    expect(estimateDuration(waits, 4).calls).toBe(16);
    expect(secondsOf(estimateDuration(waits, 4))).toBe(30);
    const works = Array.from({ length: 8 }, () => scriptOf([run(30_000), status(30_000)]));
    expect(secondsOf(estimateDuration(works, 4))).toBe(60);
    expect(secondsOf(estimateDuration(works, 3))).toBe(90);
    expect(secondsOf(estimateDuration(works, null))).toBe(30);
  });

  it('is one of real time, where the clock of the target runs faster', () => {
    const works = Array.from({ length: 8 }, () => scriptOf([run(600_000), status(600_000)]));
    const fast = latencyOf([], null, 60);
    expect(secondsOf(estimateDuration(works, 4, fast))).toBe(20);
    expect(secondsOf(estimateDuration(works, null, fast))).toBe(10);
    expect(estimateDuration(works, 4, fast).longestScriptMs).toBe(10_000);
  });

  it('counts the windows that calls of a scarce operation take', () => {
    const purges = Array.from({ length: 5 }, () => scriptOf([{ do: 'purge-queue' }], { exclusive: true }));
    expect(secondsOf(estimateDuration(purges, 1))).toBe(22);
  });

  it('begins with the longest waits, before a limit is driven to its end that they would have to wait for', () => {
    const polls: Step = { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 250, timeoutMs: 5_000 };
    const long = scriptOf([run(500), polls, status(60_000)]);
    const drives = scriptOf([{ do: 'burst', op: 'status', count: 2_001 }], { exclusive: true });
    const short = scriptOf([run(100), status(1_000)]);
    expect(secondsOf(estimateDuration([drives, short, long], 4))).toBe(61);
  });

  it('names the script that ends last, which a budget does best without', () => {
    const scripts = [scriptOf([status(5_000)]), scriptOf([status(9_000)]), scriptOf([])];
    expect(estimateDuration(scripts, 4).endsLast).toBe(scripts[1]);
    expect(estimateDuration(scripts, null).endsLast).toBe(scripts[1]);
    expect(estimateDuration([], 4)).toMatchObject({ wallMs: 0, endsLast: null });
  });

  it('reckons with a target that was found to be slow', () => {
    const looks = Array.from({ length: 20 }, (): Step => ({ do: 'health' }));
    const slow = { replyMs: 300, dispatchMs: 0 };
    expect(secondsOf(estimateDuration([scriptOf(looks)], 1))).toBe(0);
    expect(secondsOf(estimateDuration([scriptOf(looks)], 1, slow))).toBe(6);
    const polls: Step = { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 250, timeoutMs: 60_000 };
    const jobs = Array.from({ length: 4 }, () => scriptOf([run(0), polls]));
    expect(secondsOf(estimateDuration(jobs, 1))).toBeLessThan(2);
    const lazy = { replyMs: 0, dispatchMs: 5_000 };
    expect(secondsOf(estimateDuration(jobs, 1, lazy))).toBeGreaterThanOrEqual(20);
  });

  it('reckons with no worker where there is none: waits overlap, and take as long as they may', () => {
    const polls: Step = { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 500, timeoutMs: 30_000 };
    const jobs = Array.from({ length: 6 }, () => scriptOf([run(5_000), polls]));
    expect(secondsOf(estimateDuration(jobs, 1))).toBeGreaterThanOrEqual(30);
    expect(secondsOf(estimateDuration(jobs, 1, latencyOf([3], Infinity)))).toBe(30);
    expect(dryRun(jobs[0]!, WITHOUT_WORKERS).worksMs).toBe(0);
  });

  it.each([
    [[3, 4, 5], 40, 0, 0],
    [[900, 310, 300], 2_400, 300, 1_750],
    [[900, 310, 300], null, 300, 0],
    [[], null, 0, 0],
  ])(
    'measures a pace in whole steps from replies after %j ms and a job of %s ms',
    (replies, jobMs, replyMs, dispatchMs) => {
      expect(latencyOf(replies, jobMs)).toEqual({ replyMs, dispatchMs });
    },
  );

  it('comes to an end where a script can never begin', () => {
    const purge = scriptOf([{ do: 'purge-queue' }, { do: 'purge-queue' }, { do: 'purge-queue' }]);
    expect(estimateDuration([purge, purge], 1).wallMs).toBeLessThan(300_000);
  });
});

it.each([
  ['{"input":{"plan":[{"sleepMs":5},{"stream":1},{"sleepMs":7}]}}', 12],
  ['{"input":{"plan":[{"sleepMs":5},{"hang":true}]}}', Infinity],
  ['{"input":{"plan":[{"crash":true}]}}', Infinity],
  ['{"input":{"plan":[{"sleepMs":5}],"planOnRetry":[{"hang":true}]}}', 5],
  ['{"input":{"prompt":"hi"}}', null],
  ['{"input":', null],
  [null, null],
])('the plan in %s takes %s', (body, ms) => {
  expect(plannedMs(body)).toBe(ms);
});
