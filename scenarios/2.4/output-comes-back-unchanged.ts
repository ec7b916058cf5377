import type { Json } from '../../src/history/events.js';
import { scenario } from '../../src/scenario/index.js';

/** They submit and read side by side. */
const CLIENTS = 6;

export default scenario({
  title: 'whatever JSON a handler returns, the record shows it unchanged, at every read',
  needs: ['scripted-worker'],
  draw: (arb) => ({ any: arb.json() }),
  script: ({ any }, s) => {
    const outputs: readonly Json[] = [
      { value: any, ключ: '日本語', 'a.b': 1, $set: 2 },
      [any, 1, null],
      [{ only: 'one' }],
      {},
      [],
      { none: null, no: false, zero: 0, noText: '', noItems: [], noMembers: {}, inside: [null, 0, '', {}] },
      { large: 4_294_967_297, fraction: 0.1, tiny: 1e-7, huge: 1e21, camelCase: { snake_case: ' padded ' } },
      ['2024-02-30', 'true', '<b>&amp;</b>', '{"json": true}'],
      { status: 'FAILED', error: 'none', id: 'mine', output: { output: 1 }, delayTime: -1 },
      { _private: { ' padded name ': 1 }, Case: 1, case: 2, numbered: { '0': 'a', '1': 'b' } },
      { items: Array.from({ length: 1_100 }, (_, i) => i), text: 'it\'s "so" `here`, \u200b\ufeff' },
      { third: 0.3333333333333333, one: ['only'], deep: { $id: { '': [[[{ a: { b: { c: 1 } } }]]] } } },
      { ['__proto__']: { polluted: true }, constructor: 'x', toString: 0, length: 1 },
      ...['text', '', 0, -1.5, true, false, 'čćžš 🚀', '{"json": true}', '42', ' padded\n'],
    ];
    const submissions = (['run', 'runsync'] as const).flatMap((op) =>
      outputs.map((output, i) => ({ op, label: `${op}-${i}`, output })),
    );
    return Array.from({ length: CLIENTS }, (_, client) => {
      const own = submissions.filter((__, i) => i % CLIENTS === client);
      return s.lane(
        `client ${client}`,
        own.map(({ op, label, output }) => s[op](label, { plan: [{ return: output }] })),
        own.map(({ label }) => s.await(label)),
        s.pause(s.wait(1_000)),
        own.map(({ label }) => [s.status(label), s.status(label)]),
      );
    });
  },
});
