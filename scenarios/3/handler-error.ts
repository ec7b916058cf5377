import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a handler that ends with an error makes the job FAILED, and it stays FAILED',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    workMs: arb.sleep(limits, 500, 10_000),
    message: arb.oneOf('on purpose', 'čćžš 🚀', 'x'.repeat(5_000), '{"json": true}'),
  }),
  script: ({ workMs, message }, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, { plan: [{ sleepMs: workMs }, { fail: message }] }),
      s[op](`${op}-wordless`, { plan: [{ fail: '' }] }),
      s.await(`${op}-job`, s.ended, { withinMs: workMs + 60_000, everyMs: 500 }),
      s.await(`${op}-wordless`, s.ended, { everyMs: 500 }),
      s.status(`${op}-job`, { at: s.wait(5_000) }),
    ]),
});
