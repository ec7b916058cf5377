import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'executionTimeout ends a job whatever else its submission contains',
  needs: ['scripted-worker', 'worker-count-known'],
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
});
