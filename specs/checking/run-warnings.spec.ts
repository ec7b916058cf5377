/** What a report warns of beside its verdicts. */
import { expect, it } from 'vitest';
import { warningsOf } from '../../src/checking/run-warnings.js';
import { WITHOUT_WORKERS } from '../../src/schedule/latency.js';

const warned = (summary: object, latency: object): readonly string[] => {
  const played = { summary: { leftBehind: [], ...summary }, wallMs: 0, stoppedBecause: null, events: [] };
  const run = { ...played, plan: { estimate: null, target: { latency } } };
  return warningsOf(played as never, run as never, [], null);
};

it('no worker took a job, with how long it was waited for and what waits for longer', () => {
  expect(warned({}, { ...WITHOUT_WORKERS, queuedMs: 60_100 })).toEqual([
    expect.stringMatching(/none took a job of the probe within 60 s.*Start a worker.*--budget 5m waits/),
  ]);
  expect(warned({}, { replyMs: 0, dispatchMs: 250 })).toEqual([]);
});

it('calls were made fewer, with the option that makes no more from the start', () => {
  expect(warned({ slowestCallsPerSecond: 2.56 }, {})).toEqual([
    expect.stringMatching(
      /refused calls with 429 .* at 2\.5 a second at the slowest.*--calls-per-second 2\.5 /,
    ),
  ]);
});
