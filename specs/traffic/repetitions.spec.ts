/** What two recordings of one client have both told. */
import { expect, it } from 'vitest';
import { ABANDONED, LOST, type Exchange, type Outcome } from '../../src/history/exchange.js';
import { Repetitions } from '../../src/traffic/repetitions.js';
import { AT_MS, BASE, JOB } from './recordings.js';

const readWith = (outcome: Outcome): Exchange => ({
  ...{ id: 'calls.ndjson:1', fromMs: AT_MS, byMs: AT_MS + 40, outcome, names: null },
  request: { method: 'GET', target: `${BASE}/status/${JOB}`, headers: {}, body: null },
});
/** As gateways and our own recorder write it. */
const CLOSED: Outcome = { kind: 'answer', status: 499, headers: {}, body: undefined };

it.each<[string, Outcome, Outcome, boolean]>([
  ['a call that was given up, as a browser and as a gateway tell it', ABANDONED, CLOSED, true],
  ['a call without an answer', LOST, LOST, true],
  ['a call that was given up, and one without an answer', ABANDONED, LOST, false],
])('%s: %#', (_, first, second, isRepeated) => {
  const repetitions = new Repetitions(() => undefined);
  expect(repetitions.has(readWith(first))).toBe(false);
  expect(repetitions.has(readWith(second))).toBe(isRepeated);
});
