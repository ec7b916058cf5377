import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS, MINUTE_MS } from '../../src/spec/limits.js';

const s3Of = (name: string) => ({
  accessId: `AKIA-${name}`,
  accessSecret: `the secret of ${name}`,
  bucketName: `bucket-${name}`,
  endpointUrl: `https://${name}.example.com`,
});

export default scenario({
  title:
    'among jobs that wait, start or are retried at the same time, each has its own input, s3Config and policy',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => {
    const echo = (name: string) => ({
      input: { of: name, plan: [{ echo: true }] },
      s3Config: s3Of(`input-${name}`),
    });
    const s3 = (name: string) => ({ plan: [{ s3Config: true as const }], s3Config: s3Of(name) });
    const again = (name: string) => ({
      input: { of: name, plan: [{ sleepMs: 500 }, { fail: name }], planOnRetry: [{ echo: true }] },
    });
    const longMs = EXECUTION_TIMEOUT_MIN_MS + 2 * marginMs + 1_000;
    const waiting = ['one', 'two', 'three'];
    const brief = { executionTimeout: EXECUTION_TIMEOUT_MIN_MS };
    return [
      // More jobs than most endpoints have workers, so that the others wait.
      Array.from({ length: 8 }, (_, i) => s.run(`before ${i}`, { plan: s.works(1_500) })),
      ['four', 'five'].map((name) =>
        s.lane(`with ${name}`, s.run(`echo ${name}`, echo(name)), s.run(`s3 ${name}`, s3(name))),
      ),
      s.run('short', { plan: [{ hang: true }], policy: brief }),
      // It has the endpoint's default.
      s.run('long by default', { plan: s.works(longMs) }),
      s.run('long', { plan: s.works(longMs), policy: { executionTimeout: MINUTE_MS } }),
      ['six', 'seven'].map((name) => s.run(name, again(name))),
      s.run('s3 again', {
        plan: [{ fail: 'once' }],
        planOnRetry: [{ s3Config: true }],
        s3Config: s3Of('again'),
      }),
      s.run('s3 none', { plan: [{ s3Config: true }] }),
      // The last one has every field.
      waiting.map((name) => [
        s.run(`s3 ${name}`, s3(name)),
        s.run(`echo ${name}`, { ...echo(name), policy: brief }),
      ]),
      s.await(['six', 'seven', 's3 again'], s.ended, { everyMs: 500 }),
      s.retry(['six', 'seven', 's3 again']),
      s.await(['long', 'long by default', 'short', 'six', 'seven', 's3 again', 's3 none'], s.ended, {
        everyMs: 500,
      }),
      [...waiting, 'four', 'five'].map((name) => [
        s.await(`echo ${name}`, s.ended, { everyMs: 500 }),
        s.await(`s3 ${name}`, s.ended, { everyMs: 500 }),
      ]),
    ];
  },
});
