/** Where a script that violated a rule shows that it does so no more, though it does not prove the rule. */
import { expect, it, test } from 'vitest';
import { isAsRight, onSimulator } from '../../src/checking/as-right.js';
import { confirm } from '../../src/checking/confirm/confirm.js';
import { isKeptIn } from '../../src/checking/kept-in-play.js';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { drawScript } from '../../src/scenario/draw.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { named } from '../../scenarios/index.js';

const RULE = '3/cancelled-never-completes';
const { limits } = simulatorTarget({ seed: 1 });
const scriptOf = (scenario: string) =>
  drawScript(
    named.find(({ name }) => name === scenario)!,
    1,
    limits,
  );
/** It retries a cancelled job, and reads it too early to prove that the job stays CANCELLED. */
const script = scriptOf('4.6/retry-of-a-cancelled-job');
const how = { seed: 1, runproof: '0', edition: 'document' } as const;
const played = async (): Promise<readonly HistoryEvent[]> =>
  (await runScripts(simulatorTarget({ seed: 1 }), [script], how)).events;

/** The same history, its calls of this operation changed. */
const changed = (
  events: readonly HistoryEvent[],
  op: string,
  change: (call: CallEvent) => CallEvent,
): readonly HistoryEvent[] =>
  events.map((event) => (event.kind === 'call' && event.op === op ? change(event) : event));
const answered = (call: CallEvent, status: number, value = {}): CallEvent => ({
  ...call,
  reply: { ...call.reply!, status, body: { as: 'json', value, bytes: 2 } },
});

it('does so where another answer to one of its reads would have violated the rule', async () => {
  const events = await played();
  expect(judge(events).requirements.find(({ id }) => id === RULE)?.verdict).not.toBe('pass');
  expect(isKeptIn(RULE, 0, events, 'document')).toBe(true);
});

test.each<readonly [string, (events: readonly HistoryEvent[]) => readonly HistoryEvent[]]>([
  ['the cancel was refused for its rate', (all) => changed(all, 'cancel', (call) => answered(call, 429))],
  ['the cancel was refused', (all) => changed(all, 'cancel', (call) => answered(call, 404))],
  ['a read failed', (all) => changed(all, 'status', (call) => answered(call, 500))],
  [
    'an answer was lost',
    (all) => changed(all, 'cancel', (call) => ({ ...call, reply: null, receivedMs: null, lost: 'timeout' })),
  ],
  [
    'the job had not started',
    (all) =>
      changed(all, 'status', (call) =>
        answered(call, 200, { id: call.request.path.split('/').at(-1)!, status: 'IN_QUEUE' }),
      ),
  ],
  [
    'the script was cut',
    (all) =>
      all.map((event) =>
        event.kind === 'script-end' ? { ...event, outcome: 'aborted', reason: 'cut' } : event,
      ),
  ],
  ['the play is of another script', (all) => all.filter((event) => !('script' in event))],
])('it does not where %s', async (_, change) => {
  expect(isKeptIn(RULE, 0, change(await played()), 'document')).toBe(false);
});

it('does not for a rule that it cannot violate', async () => {
  expect(isKeptIn('8/rate-run-above', 0, await played(), 'document')).toBe(false);
});

it('counts among the runs of which an intermittent failure is absent', async () => {
  const target = simulatorTarget({ seed: 1 });
  const often = { edition: 'document', signal: new AbortController().signal, times: 2 } as const;
  const [rate] = await confirm(target, [{ script, requirement: RULE }], often);
  expect(rate).toMatchObject({ failed: 0, runs: 2 });
});

it('answers as a correct server does, in whatever order plays side by side were answered', async () => {
  const twice = [scriptOf('4.3/ttl-shortens-a-life'), scriptOf('4.3/ttl-shortens-a-life')];
  const { events } = await runScripts(simulatorTarget({ seed: 1 }), twice, how);
  // As in real time: the first calls of both, then the second ones.
  const nth = new Map<number, number>();
  const mixed = events.map((event) => {
    if (event.kind !== 'call' || event.script < 0) return event;
    const index = nth.get(event.script) ?? 0;
    nth.set(event.script, index + 1);
    return { ...event, call: 2 * index + event.script };
  });
  const playWith = onSimulator(events, twice, judge(events).openQuestions, 'document');
  expect(isAsRight(mixed, playWith, [{ id: '4.3/ttl-not-at-once' }], 'document')).toBe(true);
});
