import { expect, it } from 'vitest';
import { exactDuration, parseDuration } from '../../src/util/duration.js';

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

it.each([
  ['250ms', 250],
  ['1.5s', 1_500],
  ['3m', 180_000],
  ['3 min', 180_000],
  ['1h30m', 5_400_000],
  ['1d', 86_400_000],
  [' 7 d 2.001 s ', 604_802_001],
  ['soon', null],
  ['', null],
  ['5', null],
  ['1h30', null],
  ['-1s', null],
  ['1 sec', null],
  ['1s, 2s', null],
])('%j is %j ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each([1, 999, 90_500, 86_402_001, 604_800_000])('what is written for %d ms is read again', (ms) => {
  expect(parseDuration(exactDuration(ms))).toBe(ms);
});
