/** Calls that wait tell how fast the time of the target runs. */
import { describe, expect, it } from 'vitest';
import { speedHint } from '../../src/checking/speed-hint.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';

const GOES_ON = { id: 'a', status: 'IN_PROGRESS' };

/** `/runsync` calls, each with its wait and how long it took, on the clock of a run at this speed. */
function told(
  speed: number | undefined,
  waits: readonly (readonly [waitMs: number, tookMs: number])[],
  answer: object = GOES_ON,
  clock: 'real' | 'controlled' = 'real',
): string | null {
  const trace = new TraceBuilder(1, { clock, ...(speed === undefined ? {} : { speed }) });
  let atMs = 0;
  for (const [waitMs, tookMs] of waits) {
    trace.call(atMs, 'runsync', null, 200, answer as never, {
      query: { wait: String(waitMs) },
      receivedMs: atMs + tookMs,
    });
    atMs += tookMs + 1;
  }
  return speedHint(trace.history(atMs));
}

describe('calls that were answered after another time than their wait', () => {
  it.each<[string, number | undefined, readonly (readonly [number, number])[], string]>([
    [
      'a fast server checked as a usual one',
      undefined,
      [
        [1_000, 20],
        [30_000, 505],
      ],
      'about 60, not 1:',
    ],
    [
      'a usual server checked as a fast one',
      60,
      [
        [1_000, 60_300],
        [5_000, 300_200],
      ],
      'about 1, not 60:',
    ],
    [
      'a slow server',
      undefined,
      [
        [1_000, 2_010],
        [3_000, 6_015],
        [4_000, 8_003],
      ],
      'about 0.5, not 1:',
    ],
    [
      'a server of another speed',
      60,
      [
        [60_000, 6_100],
        [600_000, 60_090],
      ],
      'about 600, not 60:',
    ],
  ])('tell the speed: %s', (_, speed, waits, said) => {
    expect(told(speed, waits)).toContain(said);
  });

  it.each<[string, number | undefined, readonly (readonly [number, number])[]]>([
    ['no call', undefined, []],
    [
      'one wait alone',
      undefined,
      [
        [1_000, 20],
        [1_000, 21],
      ],
    ],
    [
      'as said',
      undefined,
      [
        [1_000, 1_020],
        [30_000, 30_100],
      ],
    ],
    [
      'as said, of a fast server',
      60,
      [
        [1_000, 1_900],
        [30_000, 31_000],
      ],
    ],
    [
      'a server that ignores the wait',
      undefined,
      [
        [1_000, 5],
        [30_000, 5],
      ],
    ],
    [
      'one that waits for as long whatever was asked for',
      undefined,
      [
        [1_000, 2_000],
        [30_000, 2_001],
      ],
    ],
    [
      'no rule',
      undefined,
      [
        [1_000, 20],
        [10_000, 9_000],
        [30_000, 505],
      ],
    ],
    [
      'faster than any server',
      undefined,
      [
        [10_000, 1],
        [30_000, 2],
      ],
    ],
  ])('tell nothing: %s', (_, speed, waits) => {
    expect(told(speed, waits)).toBeNull();
  });

  it('tell nothing where their jobs have ended, or where time is moved', () => {
    const waits = [
      [1_000, 20],
      [30_000, 505],
    ] as const;
    expect(told(undefined, waits, { id: 'a', status: 'COMPLETED', output: 1 })).toBeNull();
    expect(told(undefined, waits, GOES_ON, 'controlled')).toBeNull();
  });
});
