import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS, HOUR_MS, MINUTE_MS } from '../../src/spec/limits.js';

export default scenario.each({ needs: ['scripted-worker', 'worker-count-known'] }, (one) => ({
  'execution-timeout-stops-a-job': one({
    title: 'a job that runs longer than its executionTimeout is stopped and stays stopped',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({
      timeoutMs: arb.executionTimeout(limits),
      marginMs: arb.margin(limits),
      longerMs: arb.duration(2 * limits.marginMs + 1_000, 2 * limits.marginMs + 3_000),
    }),
    script: ({ timeoutMs, marginMs, longerMs }, s) => [
      s.run('job', {
        plan: s.works(timeoutMs + longerMs),
        policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
      }),
      s.awaitStarted('job'),
      // The ttl that it has already, set again by `/status`: a timer of its own.
      s.status('job', { ttl: s.noTimeouts.ttl }),
      s.status('job', {
        at: s.after('job', 'started', timeoutMs).minus(Math.min(marginMs, Math.floor(timeoutMs / 5))),
      }),
      s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
      s.status('job', { at: s.after('job', 'started', timeoutMs + longerMs).plus(marginMs) }),
    ],
  }),
  'execution-timeout-stops-a-runsync-job': one({
    title: 'the answer of /runsync shows that executionTimeout has stopped the job',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({
      timeoutMs: arb.executionTimeout(limits, { maxMs: 40_000 }),
      marginMs: arb.margin(limits),
    }),
    script: ({ timeoutMs, marginMs }, s) => [
      s.runsync('job', {
        plan: [{ hang: true }],
        policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
        // Waits beyond the end, but not so long that the record is gone.
        wait: timeoutMs + 10_000 + 3 * marginMs,
      }),
      s.status('job'),
      s.status('job', { at: s.wait(2_000) }),
      // If it runs on, it has done so for the whole timeout since it was seen to run.
      s.await('job', s.ended, { withinMs: timeoutMs + 3 * marginMs, everyMs: 1_000 }),
    ],
  }),
  'execution-timeout-of-every-kind-of-job': one({
    title: 'executionTimeout ends a job whatever else its submission contains',
    workers: 6,
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s) => {
      const executionTimeout = EXECUTION_TIMEOUT_MIN_MS + 1_000;
      const plan = [{ hang: true }] as const;
      const s3Config = {
        accessId: 'id',
        accessSecret: 'x',
        bucketName: 'b',
        endpointUrl: 'https://s3.example',
      };
      const jobs = ['low', 'normal', 'short', 'long', 'stored', 'sync'];
      return [
        s.run('low', { plan, policy: { executionTimeout, lowPriority: true } }),
        s.run('normal', { plan, policy: { executionTimeout, lowPriority: false } }),
        s.run('short', { plan, policy: { executionTimeout, ttl: executionTimeout + 6 * marginMs + 20_000 } }),
        s.run('long', { plan, policy: { ...s.noTimeouts, executionTimeout } }),
        s.run('stored', { plan, policy: { executionTimeout }, s3Config }),
        s.lane(
          'caller',
          s.runsync('sync', { plan, policy: { executionTimeout, lowPriority: true }, wait: 60_000 }),
        ),
        s.awaitStarted(jobs.slice(0, 5)),
        s.status(jobs, { at: s.after('stored', 'started', executionTimeout).plus(2 * marginMs + 500) }),
      ];
    },
  }),
  'execution-timeout-of-one-job-only': one({
    title: 'the short executionTimeout of one job stops neither a concurrent nor a later job',
    workers: 2,
    exclusive: true,
    draw: (arb, limits) => ({
      timeoutMs: arb.executionTimeout(limits, {
        maxMs: Math.min(4 * MINUTE_MS, Math.floor(limits.maxWaitMs / 4)),
      }),
      longerMs: arb.duration(2 * limits.marginMs + 1_000, 2 * limits.marginMs + 10_000),
      marginMs: arb.margin(limits),
    }),
    script: ({ timeoutMs, longerMs, marginMs }, s) => [
      s.run('short', { plan: [{ hang: true }], policy: { executionTimeout: timeoutMs } }),
      s.run('beside', { plan: s.works(2 * timeoutMs + longerMs) }),
      s.awaitStarted('short'),
      s.run('next', { plan: s.works(timeoutMs + longerMs) }),
      s.status('short', { at: s.after('short', 'started', timeoutMs).plus(marginMs) }),
      s.awaitStarted('next'),
      s.status('beside'),
      s.status('next', { at: s.after('next', 'started', timeoutMs).plus(marginMs) }),
      s.status('beside'),
      s.awaitEnded('next', timeoutMs + longerMs, marginMs),
      s.await('beside', s.ended, { withinMs: timeoutMs + 2 * longerMs + 30_000 }),
    ],
  }),
  'execution-timeout-leaves-the-default': one({
    title: 'jobs without executionTimeout run as long after a job with a short one as before it',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s) => {
      const longer = { plan: s.works(EXECUTION_TIMEOUT_MIN_MS + 3 * marginMs + 2_000) };
      return [
        // Where the default is what was given last, the next job has this.
        s.run('long', { plan: s.works(100), policy: { executionTimeout: MINUTE_MS } }),
        s.run('before', longer),
        s.run('short', { plan: [{ hang: true }], policy: { executionTimeout: EXECUTION_TIMEOUT_MIN_MS } }),
        s.run('after', longer),
        s.awaitStarted('after'),
        s.await(['after', 'before', 'short'], s.ended, { everyMs: 500 }),
      ];
    },
  }),
  'execution-timeout-frees-the-worker': one({
    title: 'the worker of a job that its executionTimeout has ended takes the next job',
    exclusive: true,
    draw: (arb, limits) => ({ timeoutMs: arb.executionTimeout(limits), marginMs: arb.margin(limits) }),
    script: ({ timeoutMs, marginMs }, s) => [
      // It would sleep far longer than a worker may need to restart.
      s.run('first', {
        plan: s.works(timeoutMs + HOUR_MS),
        policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
      }),
      s.awaitStarted('first'),
      s.run('next', { plan: s.works(300), policy: s.noTimeouts }),
      s.status('next', { at: s.after('first', 'started', timeoutMs).minus(marginMs) }),
      s.status('first', { at: s.after('first', 'started', timeoutMs).plus(marginMs) }),
      // A worker that restarts may need a minute.
      s.await('next', s.ended, { withinMs: 90_000, everyMs: 250 }),
    ],
  }),
  'execution-timeout-spares-the-queue': one({
    title: 'a job that waits longer than its executionTimeout still has the full time once it runs',
    exclusive: true,
    draw: (arb, limits) => ({
      // The reads around its start are so close that it could not have run for its full time in between.
      timeoutMs: arb.executionTimeout(limits, { minMs: EXECUTION_TIMEOUT_MIN_MS + 4 * limits.marginMs }),
      marginMs: arb.margin(limits),
    }),
    script: ({ timeoutMs, marginMs }, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
      s.status('job', { at: s.after('job', 'submitted', timeoutMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', timeoutMs).plus(marginMs) }),
      s.cancel('blocker'),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'started', timeoutMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
    ],
  }),
  'execution-timeout-counts-while-streaming': one({
    title: 'a job that streams is stopped by its executionTimeout like any other',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({
      timeoutMs: arb.executionTimeout(limits, { maxMs: HOUR_MS }),
      marginMs: arb.margin(limits),
    }),
    script: ({ timeoutMs, marginMs }, s) => [
      s.run('job', {
        plan: [
          { stream: 'at first' },
          { sleepMs: Math.floor(timeoutMs / 2) },
          { stream: 'half way' },
          { sleepMs: Math.floor(timeoutMs / 3) },
          { stream: 'near the end' },
          { hang: true },
        ],
        policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
      }),
      s.awaitStarted('job'),
      s.status('job', {
        at: s.after('job', 'started', timeoutMs).minus(Math.min(marginMs, Math.floor(timeoutMs / 5))),
      }),
      // Calls that only read: none of them gives it more time.
      s.stream('job'),
      s.health(),
      s.requests(),
      s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
      s.stream('job', { at: s.wait(3_000) }),
      s.cancel('job'),
    ],
  }),
}));
