import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'whatever JSON a handler returns, the record shows it unchanged, at every read',
  exercises: [
    '2.4/output-object-unchanged',
    '2.4/output-array-unchanged',
    '2.4/output-scalar-unchanged',
    '2.4/output-unicode-unchanged',
    '2.4/output-in-status',
    '2.4/output-in-runsync',
    '4.3/reading-does-not-consume',
    '4.1/answer-agrees-with-status',
    '2.4/times-settled',
  ],
  needs: ['scripted-worker'],
  draw: (arb) => ({
    any: arb.json(),
    scalar: arb.oneOf<number | string | boolean>('text', '', 0, -1.5, true, false, 'čćžš 🚀'),
  }),
  script: ({ any, scalar }, s) =>
    (['run', 'runsync'] as const).map((op) =>
      [{ value: any, ключ: '日本語' }, [any, 1, null], scalar].map((output, i) => [
        s[op](`${op}-${i}`, { plan: [{ return: output }] }),
        s.await(`${op}-${i}`, s.ended, { withinMs: 60_000, everyMs: 250 }),
        s.status(`${op}-${i}`, { at: s.wait(1_000) }),
        s.status(`${op}-${i}`),
      ]),
    ),
});
