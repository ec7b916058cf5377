/** Scripts that want a known number of workers, on an endpoint that has more and that nobody else uses. */
import { describe, expect, it } from 'vitest';
import { withOthersBusy, worthTheirTime } from '../../src/schedule/occupy.js';
import type { Script, Step } from '../../src/scenario/index.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';

const HOG: Step = { do: 'run', job: 'hog', plan: [{ hang: true }] };
const WAITS: Step = { do: 'run', job: 'waits', plan: [{ return: 1 }] };

const scriptOf = (steps: readonly Step[], more: Partial<Script> = {}): Script => ({
  schema: 'runproof-script/1',
  scenario: 'spec',
  title: 'spec',
  seed: 1,
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 1,
  exclusive: true,
  expectedMs: 0,
  steps,
  ...more,
});

function callsOf(script: Script): readonly CallEvent[] {
  const events: HistoryEvent[] = [];
  simulatorTarget({ seed: 1 }).runSynchronously([script], { append: (event) => void events.push(event) });
  return events.filter((event) => event.kind === 'call');
}

describe('a script with the other workers kept busy', () => {
  it('finds as many workers free as it wants, in each of its lanes', () => {
    const script = scriptOf([
      HOG,
      { do: 'await', job: 'hog', until: ['IN_PROGRESS'], everyMs: 100, timeoutMs: 5_000 },
      WAITS,
      { do: 'status', job: 'waits', at: { waitMs: 2_000 } },
      { do: 'cancel', job: 'hog' },
      { do: 'await', job: 'waits', until: ['COMPLETED'], everyMs: 100, timeoutMs: 5_000 },
      { do: 'health', lane: 'beside' },
    ]);
    const busy = withOthersBusy(script, 4)!;
    expect(busy).toMatchObject({ workers: 4, needs: ['scripted-worker'] });
    const calls = callsOf(busy);
    const seen = calls.flatMap(({ op, label, reply }) =>
      op === 'status' && label === 'waits'
        ? [reply?.body.as === 'json' && (reply.body.value as { status?: unknown }).status]
        : [],
    );
    expect([seen[0], seen.at(-1)]).toEqual(['IN_QUEUE', 'COMPLETED']);
    const lastBusy = calls.findLastIndex(({ label, op }) => label === 'busy-3' && op === 'status');
    expect(calls.findIndex(({ op }) => op === 'health')).toBeGreaterThan(lastBusy);
    expect(calls.findIndex(({ label }) => label === 'hog')).toBeGreaterThan(lastBusy);
  });

  it('needs nobody to be kept busy where there are only as many workers', () => {
    expect(withOthersBusy(scriptOf([HOG]), 1)).toEqual({ ...scriptOf([HOG]), needs: ['scripted-worker'] });
  });

  it.each<[string, Script]>([
    ['no worker at all', scriptOf([WAITS], { workers: 0 })],
    ['more than there are', scriptOf([WAITS], { workers: 5 })],
    ['another number later', scriptOf([{ do: 'workers', count: 2 }])],
    ['a second endpoint', scriptOf([WAITS], { secondEndpoint: true })],
    ['an instant since its start', scriptOf([{ do: 'health', at: { sinceStartMs: 10 } }])],
  ])('is none that wants %s', (_, script) => {
    expect(withOthersBusy(script, 4)).toBeNull();
  });
});

it('spends the time on those that let most be decided that nothing else does', () => {
  const of = (decides: readonly string[], lastsMs: number) => ({ script: scriptOf([]), decides, lastsMs });
  const [known, both, long, one, again] = [
    of(['k'], 10),
    of(['a', 'b'], 2_000),
    of(['c'], 50_000),
    of(['d'], 3_000),
    of(['a'], 1_500),
  ];
  const chosen = worthTheirTime([known, both, long, one, again], new Set(['k']), 20_000);
  expect(chosen).toEqual([both.script, one.script]);
});
