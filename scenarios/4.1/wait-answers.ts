import { scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario.each({ needs: ['scripted-worker'] }, (one) => ({
  'wait-longer-than-the-job': one({
    title: 'a call is answered as soon as its own job completes, however long it would wait',
    workers: 3,
    draw: (arb, limits) => ({
      workMs: arb.duration(0, Math.min(20_000, limits.maxWaitMs)),
    }),
    script: ({ workMs }, s) =>
      [60_000, 100_000, WAIT_MAX_MS].map((wait) =>
        s.lane(
          `${wait}`,
          s.runsync(`${wait}`, { plan: s.works(workMs, { quick: wait }), wait }),
          s.status(`${wait}`),
        ),
      ),
  }),
  'wait-and-a-failing-job': one({
    title: 'a call is answered as soon as its job fails',
    draw: (arb, limits) => ({ workMs: arb.sleep(limits, 500, 10_000) }),
    script: ({ workMs }, s) => [
      s.runsync('job', { plan: [{ sleepMs: workMs }, { fail: 'on purpose' }], wait: 100_000 }),
      s.status('job'),
    ],
  }),
  'wait-and-purge': one({
    title: 'a call is answered when a purge removes its job',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    exclusive: true,
    script: (_, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.lane('caller', s.runsync('job', { plan: s.works(100), wait: 60_000 })),
      s.purge({ at: s.after('job', 'submitted', 2_000).plus(0) }),
      s.health(),
      s.cancel('blocker', { at: s.wait(5_000) }),
    ],
  }),
  'wait-and-ttl': one({
    title: 'a call is answered when the ttl deletes its job',
    draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: 40_000 }), marginMs: arb.margin(limits) }),
    script: ({ ttlMs, marginMs }, s) => [
      s.runsync('job', {
        plan: [{ hang: true }],
        policy: { ...s.noTimeouts, ttl: ttlMs },
        wait: 60_000 + 3 * marginMs,
      }),
      s.status('job'),
    ],
  }),
  'wait-longer-than-a-ttl': one({
    title: 'the answer to a waiting call shows no end of the job that came after its ttl',
    draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: 20_000 }), marginMs: arb.margin(limits) }),
    script: ({ ttlMs, marginMs }, s) => [
      s.runsync('job', {
        plan: [{ sleepMs: ttlMs + 2 * marginMs }, { fail: 'too late' }],
        policy: { ...s.noTimeouts, ttl: ttlMs },
        wait: ttlMs + 4 * marginMs + 10_000,
      }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    ],
  }),
  'wait-longer-than-the-ttl-in-the-queue': one({
    title: 'a job that waits in the queue is deleted at its ttl although its /runsync call still waits',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    workers: 0,
    exclusive: true,
    draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: 20_000 }), marginMs: arb.margin(limits) }),
    script: ({ ttlMs, marginMs }, s) => [
      s.lane('beside', s.health({ at: s.sinceStart(ttlMs + 2 * marginMs + 8_000) })),
      s.runsync('job', {
        plan: s.works(100),
        policy: { ...s.noTimeouts, ttl: ttlMs },
        wait: ttlMs + 4 * marginMs + 10_000,
      }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      s.health(),
    ],
  }),
  'wait-elapses': one({
    title:
      'a call is answered when its wait has passed although its job is still running; the job continues and completes',
    draw: (arb, limits) => ({
      waitMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 6_000, 1_000, WAIT_MAX_MS),
      longerMs: arb.duration(limits.marginMs + 1_500, limits.marginMs + 4_000),
      marginMs: arb.margin(limits),
    }),
    script: ({ waitMs, longerMs, marginMs }, s) => [
      s.runsync('job', { plan: s.works(waitMs + longerMs, { late: true }), wait: waitMs }),
      s.status('job'),
      // Counts may be as old as answers may be late: only now do they tell of the time after the wait.
      s.health({ at: s.sinceStart(waitMs + longerMs - 750) }),
      s.await('job', s.ended, { withinMs: longerMs + 30_000, everyMs: 500 }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).justBefore(marginMs) }),
    ],
  }),
  'wait-ends-in-the-queue': one({
    title: 'a call is answered when its wait has passed although no worker ever took its job',
    needs: ['scripted-worker', 'worker-count-known'],
    exclusive: true,
    draw: (arb, limits) => ({ waitMs: arb.duration(1_000, Math.min(60_000, limits.maxWaitMs)) }),
    script: ({ waitMs }, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.runsync('job', { plan: s.works(100), wait: waitMs }),
      s.status('job'),
      s.cancel('blocker'),
      s.await('job'),
    ],
  }),
  'wait-covers-the-queue': one({
    title: 'wait includes the time in the queue',
    needs: ['scripted-worker', 'worker-count-known'],
    exclusive: true,
    draw: (arb, limits) => ({ waitMs: arb.duration(2_000, Math.min(60_000, limits.maxWaitMs)) }),
    script: ({ waitMs }, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.lane('caller', s.runsync('job', { plan: s.works(waitMs), wait: waitMs })),
      s.cancel('blocker', { at: s.after('job', 'submitted', Math.floor(waitMs / 2)).plus(0) }),
      s.await('job', s.ended, { withinMs: 2 * waitMs + 60_000, everyMs: 500 }),
    ],
  }),
  'wait-of-each-call': one({
    title: 'concurrent waiting calls are each answered when their own wait ends',
    needs: ['scripted-worker', 'worker-count-known'],
    workers: 4,
    draw: (arb, limits) => ({
      stepMs: arb.duration(Math.max(1_000, 3 * limits.marginMs), Math.max(5_000, 3 * limits.marginMs)),
    }),
    script: ({ stepMs }, s) => [
      s.lane('a', s.runsync('short', { plan: [{ hang: true }], wait: stepMs })),
      s.lane('b', s.runsync('long', { plan: [{ hang: true }], wait: 3 * stepMs })),
      s.lane('c', s.runsync('done', { plan: s.works(2 * stepMs, 'done'), wait: 4 * stepMs })),
      s.lane(
        'd',
        s.runsync('late', { plan: s.works(2 * stepMs, 'late'), wait: stepMs }),
        s.await('late', s.ended, { withinMs: 2 * stepMs + 30_000, everyMs: 500 }),
      ),
      s.cancel('short', { at: s.sinceStart(5 * stepMs) }),
      s.cancel('long'),
    ],
  }),
}));
