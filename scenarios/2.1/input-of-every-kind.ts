import type { Json } from '../../src/history/events.js';
import { scenario } from '../../src/scenario/index.js';

const INPUT: { readonly [name: string]: Json } = {
  plan: [{ echo: true }],
  numbers: [0, -1, 1.5, 1e21, 9007199254740991, 1e-7],
  nothing: [null, {}, [], '', false],
  repeated: [1, 1, 'a', 'a', {}, {}],
  whole: 4_294_967_297,
  fraction: -0.5,
  third: 0.3333333333333333,
  zero: 0,
  no: false,
  snake_case: { camelCase: 1, 'kebab-case': 2, UPPER: 3, '1': 4, 'a.b': { c: 5 }, $set: 6 },
  // Databases that keep documents refuse or rewrite such names.
  $where: { $set: 1 },
  'a.b': { 'c.d': 1 },
  '': 'empty name',
  // Careless merging of objects loses this, or worse.
  ownOfEvery: { ['__proto__']: { polluted: true }, constructor: 'x', toString: 0, length: 1 },
  looksLike: [
    '2024-02-30T00:00:00Z',
    '2024-02-28T09:05:00Z',
    '2024-02-28',
    '0042',
    '1e3',
    'true',
    'null',
    '<b>&amp;</b>',
    '%20',
    'a+b c',
    '${x}',
  ],
  long: 'x'.repeat(70_000),
  many: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`member ${i}`, i])),
  ...Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`field${i}`, `${i}`])),
  none: null,
  noItems: [],
  noMembers: {},
  noText: '',
  padded: '  spaces around  ',
  ' padded name ': 1,
  _private: { __dunder__: 2 },
  Case: 'one',
  case: 'another',
  numbered: { '0': 'a', '1': 'b' },
  quotes: 'it\'s "so" `here`',
  noWidth: 'a\u200bb\ufeffc\u00add\u007f',
  items: Array.from({ length: 1_100 }, (_, i) => i),
  lines: 'one\r\ntwo\rthree\nfour\u2028five',
  'ключ 🗝': { čćžš: '日本語 🚀 e\u0301', '': 'empty key', 'a.b/c': '"\\\n\t\u0000' },
  deep: Array.from({ length: 60 }).reduce<Json>((inner, _, i) => (i % 2 ? [inner] : { inner }), 'bottom'),
};

export default scenario({
  title: 'numbers, nulls, nesting, unusual keys and foreign alphabets pass through the service unchanged',
  needs: ['scripted-worker'],
  script: (_, s) => [
    (['run', 'runsync'] as const).map((op) => [s[op](`${op}-job`, { input: INPUT }), s.await(`${op}-job`)]),
    // Changes on the way back to the client show here as well, independently of the input.
    s.run('returned', { plan: [{ return: INPUT }] }),
    s.run('streamed', { plan: [{ stream: INPUT }] }),
    s.await(['returned', 'streamed']),
    s.stream('streamed'),
  ],
});
