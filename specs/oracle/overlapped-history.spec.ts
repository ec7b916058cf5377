/** An endpoint that many scripts share is judged in parts, each as soon as nothing more can be learned of its jobs. */
import { describe, expect, test } from 'vitest';
import { rulesFor } from '../../src/core/rules.js';
import type { CallEvent, HistoryEvent, RunEvent } from '../../src/history/events.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import { batchesOf, TickTracker } from '../../src/oracle/observed/session.js';
import { explored, interleaved, played } from './support/overlapped-history.js';
import { failed } from './support/trace-builder.js';

const SEED = 7;
const SCRIPTS = 90;
const EVERY_MS = 20_000;
const scripts = explored(SEED, SCRIPTS);
const rules = rulesFor({}, 'document');

/** The scripts in which something failed. */
function failedScripts(run: RunEvent, events: readonly HistoryEvent[]): number[] {
  const found = judge([run, ...events]).requirements.flatMap(({ failures }) => failures);
  return [...new Set(found.map(({ script }) => script))].sort((left, right) => left - right);
}

describe('scripts that overlap on one endpoint', () => {
  test('a correct endpoint passes, and is judged in several parts', () => {
    const { run, stories } = played(scripts, rules, SEED);
    const events = interleaved(stories, EVERY_MS);
    expect(failed(judge([run, ...events]))).toEqual([]);
    const parts = [...batchesOf(run, events)];
    expect(parts.length).toBeGreaterThan(1);
    const calls = parts.flatMap((part) => part.flatMap((session) => session.calls.map(({ call }) => call)));
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls.length).toBe(events.filter(({ kind }) => kind === 'call').length);
  });

  test.each(['ttl-spares-running', 'timeout-not-enforced'])('%s is caught in the same scripts', (id) => {
    const mutant = MUTANTS.find((one) => one.id === id)!;
    const { run, stories } = played(scripts, mutant.rules(rules), SEED);
    // That an operation is never served is told of a whole run: one script with three such calls is no run.
    const alone = stories.filter((story) => story.some(isServedStatus));
    const caught = alone.flatMap((story) => failedScripts(run, story));
    expect(caught.length).toBeGreaterThan(0);
    expect(failedScripts(run, interleaved(alone, EVERY_MS))).toEqual(caught);
  });
});

function isServedStatus(event: HistoryEvent): boolean {
  return event.kind === 'call' && event.op === 'status' && event.reply?.status === 200;
}

describe('when a script may be judged', () => {
  const run = played([], rules, SEED).run;
  const script = (number: number, atMs: number): HistoryEvent => ({
    kind: 'script',
    script: number,
    scenario: 'shared',
    title: 'shared',
    endpoint: 'shared',
    fresh: false,
    workers: null,
    atMs,
  });
  const end = (number: number, atMs: number): HistoryEvent => ({
    kind: 'script-end',
    script: number,
    atMs,
    outcome: 'played',
    reason: null,
  });
  const call = (
    number: number,
    op: 'run' | 'purge-queue',
    [sentTick, endedTick]: readonly [number, number],
    answered = true,
  ): CallEvent => ({
    kind: 'call',
    call: sentTick,
    script: number,
    lane: 'main',
    endpoint: 'shared',
    op,
    label: null,
    request: {
      method: 'POST',
      path: `/v2/shared/${op}`,
      query: {},
      auth: 'bare',
      contentType: null,
      body: { as: 'none' },
      illegal: null,
    },
    sentTick,
    endedTick,
    sentMs: sentTick,
    arrivedByMs: null,
    receivedMs: answered ? endedTick : null,
    reply: answered ? { status: 200, contentType: null, headers: {}, body: { as: 'none' } } : null,
    lost: answered ? null : 'reset',
  });
  /** So many submissions, one after the other. */
  const many = (number: number, count: number, fromTick: number): HistoryEvent[] =>
    Array.from({ length: count }, (_, index) =>
      call(number, 'run', [fromTick + 2 * index, fromTick + 2 * index + 1]),
    );
  const parts = (events: readonly HistoryEvent[]): readonly (readonly number[])[] =>
    [...batchesOf(run, events)]
      .map((batch) => [...(batch[0]?.scripts.keys() ?? [])])
      .filter((played) => played.length > 0);

  test('many jobs of a finished script are judged while another one runs', () => {
    const events = [script(0, 0), script(1, 0), ...many(0, 250, 0), end(0, 500), end(1, 900)];
    expect(parts(events)).toEqual([[0], [1]]);
  });

  test('few jobs are judged together at the end', () => {
    const events = [script(0, 0), script(1, 0), ...many(0, 150, 0), end(0, 500), end(1, 900)];
    expect(parts(events)).toEqual([[0, 1]]);
  });

  test('calls sent before its end are waited for', () => {
    // Tick 1 is a call of the other script that has not ended when the first script does.
    const events = [
      script(0, 0),
      script(1, 0),
      call(0, 'run', [0, 2]),
      ...many(0, 250, 3),
      end(0, 510),
      call(1, 'purge-queue', [1, 510]),
      end(1, 900),
    ];
    expect(parts(events)).toEqual([[0, 1]]);
  });

  test('scripts that a purge may have reached are judged together', () => {
    const purge = call(1, 'purge-queue', [500, 501]);
    const before = [script(0, 0), script(1, 0), ...many(0, 250, 0), purge, end(0, 510)];
    expect(parts([...before, end(1, 900)])).toEqual([[0, 1]]);
    const over = [
      ...before,
      end(1, 520),
      script(2, 600),
      ...many(2, 450, 502),
      end(2, 2_000),
      script(3, 2_100),
    ];
    expect(parts(over)).toEqual([[0, 1, 2], [3]]);
  });

  test('after a purge that was never answered nothing is judged', () => {
    const lost = call(0, 'purge-queue', [0, 1], false);
    const events = [
      script(0, 0),
      lost,
      end(0, 10),
      script(1, 20),
      ...many(1, 500, 2),
      end(1, 1_100),
      script(2, 1_200),
    ];
    expect(parts(events)).toEqual([[0, 1, 2]]);
  });
});

describe('the positions of a history', () => {
  test.each([
    ['none', [], 0, true],
    ['one after the other', [0, 1, 2], 3, true],
    ['one is missing', [0, 2], 3, false],
    ['later positions do not count', [0, 2], 1, true],
    ['the missing one comes last', [0, 3, 1, 2], 4, true],
    ['the middle of a gap', [4, 2], 2, false],
    ['both sides of it', [4, 2, 0, 1, 3], 5, true],
    ['seen twice', [0, 1, 1], 2, true],
  ] as const)('%s', (_, seen, before, all) => {
    const ticks = new TickTracker();
    for (const tick of seen) ticks.mark(tick);
    expect(ticks.allEndedBefore(before)).toBe(all);
  });
});
