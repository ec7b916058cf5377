import type { Json } from '../../src/history/events.js';
import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'numbers, nulls, nesting, odd keys and far alphabets pass through the service unchanged',
  exercises: [
    '2.1/input-nested-unchanged',
    '2.1/input-unicode-unchanged',
    '2.1/input-content-not-validated',
    '2.4/output-object-unchanged',
    '2.4/output-unicode-unchanged',
  ],
  needs: ['scripted-worker'],
  draw: (arb) => ({ depth: arb.integer(1, 60) }),
  script: ({ depth }, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, {
        input: {
          plan: [{ echo: true }],
          numbers: [0, -1, 1.5, 1e21, 9007199254740991, 1e-7],
          nothing: [null, {}, [], '', false],
          none: null,
          noItems: [],
          noMembers: {},
          noText: '',
          padded: '  spaces around  ',
          'ключ 🗝': { čćžš: '日本語 🚀 e\u0301', '': 'empty key', 'a.b/c': '"\\\n\t\u0000' },
          deep: Array.from({ length: depth }).reduce<Json>(
            (inner, _, i) => (i % 2 ? [inner] : { inner }),
            'bottom',
          ),
        },
      }),
      s.await(`${op}-job`, s.ended, { withinMs: 60_000, everyMs: 250 }),
    ]),
});
