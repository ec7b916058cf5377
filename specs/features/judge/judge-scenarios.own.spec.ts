/** Scenarios are many files: they are loaded only where what is judged may be of one. */
import { expect, it, vi } from 'vitest';
import { judgeHistory } from '../../../src/features/judge/judge-history.js';
import type { HistoryEvent, RunEvent } from '../../../src/history/events.js';
import { runHeader } from '../../support/run-header.js';

const { loaded } = vi.hoisted(() => ({ loaded: { times: 0 } }));
vi.mock('../../../src/files/shipped-scenarios.js', () => ({
  shippedScenarios: async () => ((loaded.times += 1), []),
}));

it.each([
  ['recorded traffic', { capture: { others: true, complete: true } }, 0],
  ['the history of a run', {}, 1],
])('of %s', async (_, more, times) => {
  const run: RunEvent = {
    ...runHeader({ target: { kind: 'http', name: 'https://api.example.com' }, capabilities: [] }),
    ...more,
  };
  const parts = (onEvent: (event: HistoryEvent) => void): readonly (readonly HistoryEvent[])[] => {
    onEvent(run);
    return [[run]];
  };
  loaded.times = 0;
  const { report } = await judgeHistory({ run, parts, notes: [], isWhole: true });
  expect(report.totals.calls).toBe(0);
  expect(loaded.times).toBe(times);
});
