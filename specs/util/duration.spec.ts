import { expect, it } from 'vitest';
import { exactDuration } from '../../src/util/duration.js';

it.each([
  [0, '0 s'],
  [0.4, '0 s'],
  [1, '1 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [12_006, '12.006 s'],
  [60_000, '1 min'],
  [90_500, '1 min 30.5 s'],
  [86_400_000, '1 d'],
  [86_402_001, '1 d 2.001 s'],
  [604_800_000, '7 d'],
  [-250, '-250 ms'],
])('%d ms is %s', (ms, text) => {
  expect(exactDuration(ms)).toBe(text);
});
