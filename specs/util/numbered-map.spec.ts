import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberedMap } from '../../src/util/numbered-map.js';

const command = fc.record({
  // Two narrow ranges, so that keys share pages, and pages become empty and are used again.
  key: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 2 ** 33, max: 2 ** 33 + 200 })),
  does: fc.constantFrom('set', 'set', 'delete', 'get'),
});

test('a numbered map holds what a Map holds', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 400 }), (commands) => {
      const tested = new NumberedMap<number>();
      const model = new Map<number, number>();
      for (const [step, { key, does }] of commands.entries()) {
        if (does === 'set') {
          tested.set(key, step);
          model.set(key, step);
        } else if (does === 'delete') {
          tested.delete(key);
          model.delete(key);
        }
        expect(tested.get(key)).toBe(model.get(key));
      }
      for (const { key } of commands) expect(tested.get(key)).toBe(model.get(key));
    }),
  );
});
