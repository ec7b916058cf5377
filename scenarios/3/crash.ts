import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { HOUR_MS, MINUTE_MS, RUN_RETENTION_MS, RUNSYNC_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario.each({ needs: ['scripted-worker', 'worker-count-known'] }, (one) => ({
  'worker-crash': one({
    title: 'a worker that crashes fails its own job and no other',
    workers: 2,
    draw: (arb, limits) => ({ workMs: arb.sleep(limits, 500, 5_000) }),
    script: ({ workMs }, s) => [
      s.run('beside', { plan: s.works(workMs + 3_000, 'untouched') }),
      s.run('doomed', {
        plan: [{ sleepMs: workMs }, { crash: true }],
        planOnRetry: [{ sleepMs: workMs }, { crash: true }],
      }),
      s.awaitStarted('doomed'),
      s.run('behind', { plan: s.works(200, 'untouched') }),
      s.await('doomed', s.ended, { withinMs: 4 * workMs + 270_000, everyMs: 1_000 }),
      s.retry('doomed'),
      s.status('doomed'),
      s.await('doomed', s.ended, { withinMs: 4 * workMs + 270_000, everyMs: 1_000 }),
      s.await('beside', s.ended, { everyMs: 500 }),
      s.await('behind', s.ended, { everyMs: 500 }),
      // What it had streamed by then is no result.
      s.run('streams', {
        plan: [{ stream: 'part' }, { sleepMs: 500 }, { crash: true }],
        planOnRetry: [{ stream: 'part' }, { sleepMs: 500 }, { crash: true }],
      }),
      s.await('streams', s.ended, { withinMs: 270_000, everyMs: 1_000 }),
    ],
  }),
  'crash-and-a-plan-for-the-next': one({
    title: 'a job whose worker crashes fails, or another worker completes it',
    needs: ['scripted-worker', 'test-control'],
    script: (_, s) => [
      s.run('again', { plan: [{ sleepMs: 500 }, { crash: true }], planOnRetry: [{ return: 'second' }] }),
      s.await('again', s.ended, { withinMs: 120_000, everyMs: 1_000 }),
      s.runsync('waits', { plan: [{ sleepMs: 500 }, { crash: true }], wait: 120_000 }),
    ],
  }),
  'crash-and-then-a-retry': one({
    title: 'a job that crashed, was retried and completed is streamed, told and kept like any other',
    needs: ['scripted-worker', 'test-control', 'webhook-reachable'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => {
      const jobs = ['run', 'runsync'] as const;
      return [
        jobs.map((op) =>
          s[op](op, {
            plan: [{ stream: 'old' }, { sleepMs: 500 }, { crash: true }],
            planOnRetry: [{ stream: 'new 1' }, { stream: 'new 2' }, ...s.works(1_000, 'second run')],
            // Attempts that go on after its end do not keep it longer.
            webhook: [{ status: 500 }],
          }),
        ),
        s.await(jobs, s.ended, { withinMs: 120_000, everyMs: 1_000 }),
        s.retry(jobs),
        s.await(jobs),
        s.stream(jobs),
        s.status('runsync', { at: s.after('runsync', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
        s.status('run', { at: s.after('run', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
        s.status(jobs, { at: s.after('runsync', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
      ];
    },
  }),
  'crash-is-not-forgotten': one({
    title: 'a crashed job does not stay IN_PROGRESS forever, nor its second run, nor one beside another job',
    needs: ['scripted-worker'],
    workers: 2,
    draw: (arb, limits) => {
      assertWithinLimits(limits, 2 * HOUR_MS);
      return { workMs: arb.duration(0, 2_000) };
    },
    script: ({ workMs }, s) => {
      const plan = [{ sleepMs: workMs }, { crash: true }] as const;
      const crashes = { plan, planOnRetry: plan, policy: s.noTimeouts };
      // Services notice a crash late, and may run the job again some times.
      const within = { withinMs: HOUR_MS, everyMs: MINUTE_MS };
      return [
        s.run('job', crashes),
        s.await('job', s.ended, within),
        s.retry('job'),
        s.run('beside', { plan: s.works(workMs + 60_000) }),
        s.run('other', crashes),
        s.await('job', s.ended, within),
        s.await('other', s.ended, within),
      ];
    },
  }),
  'crash-leaves-the-worker-to-others': one({
    title: 'a new worker that replaces a crashed one takes the next job',
    exclusive: true,
    draw: (arb) => ({ runMs: arb.duration(0, 3_000) }),
    script: ({ runMs }, s) => [
      s.run('first', { plan: [{ sleepMs: runMs }, { crash: true }], policy: s.noTimeouts }),
      s.awaitStarted('first'),
      s.run('next', { plan: s.works(300), policy: s.noTimeouts }),
      s.await('first', s.ended, { withinMs: 300_000, everyMs: 1_000 }),
      s.await('next', s.ended, { withinMs: 120_000, everyMs: 500 }),
      // However often a worker dies.
      ['second', 'third', 'fourth', 'fifth'].map((job) => [
        s.run(job, { plan: [{ crash: true }], policy: s.noTimeouts }),
        s.await(job, s.ended, { withinMs: 300_000, everyMs: 5_000 }),
        s.run(`after the ${job}`, { plan: s.works(300), policy: s.noTimeouts }),
        s.await(`after the ${job}`, s.ended, { withinMs: 120_000, everyMs: 1_000 }),
      ]),
    ],
  }),
}));
