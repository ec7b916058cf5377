/** What parts of traffic show is joined before it is settled, and what is kept of them is bounded. */
import { expect, test } from 'vitest';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { judge, judgeParts, PartsJudge } from '../../src/oracle/index.js';
import { mergedLedger, trimmed } from '../../src/oracle/ledger/merge-ledgers.js';
import { Ledger } from '../../src/oracle/ledger/ledger.js';
import { runHeader } from '../support/run-header.js';

const RUN = {
  ...runHeader({ target: { kind: 'http', name: 'https://api.example.com' }, capabilities: [] }),
  ...{ clock: 'real' as const, graceMs: 2_000, earlyMs: 50, capture: { others: false, complete: true } },
};
const seen = (script: number) => ({
  ...{ script, scenario: 'recorded traffic', actual: 'x', proof: [], calls: [script], originMs: 0 },
});

/** A submission of a job by itself. */
function submission(script: number, status: number): readonly HistoryEvent[] {
  const call: CallEvent = {
    ...{ kind: 'call', call: script, script, lane: 'main', endpoint: 'abc', op: 'run', label: null },
    request: {
      ...{ method: 'POST', path: '/v2/abc/run', query: {}, auth: 'bearer', contentType: 'application/json' },
      ...{ body: { as: 'json', value: { input: {} }, bytes: 12 }, illegal: null },
    },
    ...{ sentTick: 0, endedTick: 1, sentMs: script * 1_000, arrivedByMs: null, lost: null },
    receivedMs: script * 1_000 + 10,
    reply: {
      ...{ status, contentType: 'application/json', headers: {} },
      body: { as: 'json', value: status === 200 ? { id: `j${script}`, status: 'IN_QUEUE' } : {}, bytes: 30 },
    },
  };
  const about = { scenario: 'recorded traffic', title: 'x', endpoint: 'abc', fresh: false, workers: null };
  const end = { outcome: 'played', reason: null } as const;
  return [
    RUN,
    { kind: 'script', script, ...about, atMs: script * 1_000 },
    call,
    { kind: 'script-end', script, atMs: script * 1_000 + 10, ...end },
  ];
}

const failedIn = ({ requirements }: ReturnType<typeof judge>): readonly string[] =>
  requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));

test('a refusal is held against a service by what another part shows', () => {
  const [refused, accepted] = [submission(0, 400), submission(1, 200)];
  expect(failedIn(judge(refused))).toEqual([]);
  for (const parts of [
    [refused, accepted],
    [accepted, refused],
  ])
    expect(failedIn(judgeParts(parts)!)).not.toEqual([]);
  expect(judgeParts([])).toBeNull();
});

test('a look keeps nothing', () => {
  const parts = new PartsJudge();
  parts.take(submission(0, 400));
  const before = parts.conclude();
  expect(failedIn(parts.look(submission(1, 200)))).not.toEqual([]);
  expect(parts.conclude()).toBe(before);
  expect(failedIn(before!)).toEqual([]);
});

test('the parts stay as they are', () => {
  const [one, other] = [new Ledger(), new Ledger()];
  one.pass('4/operation-run');
  other.fail('4/operation-run', seen(1));
  other.routeOf('run').codes.set(404, 2);
  other.tally('run', { call: 1, state: null }, true, () => seen(1));
  const sum = mergedLedger([one, other]);
  sum.fail('4/operation-run', seen(2));
  sum.routeOf('run').codes.set(404, 9);
  expect(sum.entries.get('4/operation-run')).toMatchObject({ decided: 3, failed: 2 });
  expect(other.entries.get('4/operation-run')).toMatchObject({ decided: 1, failed: 1 });
  expect(other.routes.get('run')!.codes.get(404)).toBe(2);
});

test('a failure that was seen for weeks is counted at once', () => {
  const ledger = new Ledger();
  ledger.failTimes('4/operation-run', { failures: [seen(1), seen(2)], times: 1e9 });
  const { decided, failed, failures } = ledger.entries.get('4/operation-run')!;
  expect([decided, failed, failures.length]).toEqual([1e9, 1e9, 2]);
});

test('what is kept is bounded by kind: a second fault is seen however often the first was', () => {
  let sum = new Ledger();
  for (let part = 0; part < 50; part += 1) {
    const ledger = new Ledger();
    for (let nth = 0; nth < 100; nth += 1) {
      const script = part * 100 + nth;
      ledger.resting.push({ id: '3/completed-stays', restsOn: [], failure: seen(script) });
      ledger.deliveries.push({ fromMs: script * 100_000, byMs: script * 100_000 + 1_000 });
      ledger.acceptedInputs.add('x'.repeat(4_000) + script);
      ledger.tally('run', { call: script, state: null }, true, () => seen(script));
      ledger.refuse(['2.1/webhook-optional'], `input ${script}`, seen(script));
    }
    if (part === 49) ledger.resting.push({ id: '3/failed-stays', restsOn: [], failure: seen(0) });
    sum = trimmed(mergedLedger([sum, ledger]));
  }
  expect(sum.resting.length).toBe(501);
  expect(sum.resting.at(-1)!.id).toBe('3/failed-stays');
  expect(sum.deliveries.length).toBeLessThanOrEqual(5_000);
  expect(sum.acceptedInputs.size).toBeLessThan(1_001);
  expect(sum.successes.get('run')).toMatchObject({ ok: 5_000, all: [] });
  expect(sum.refusals.size).toBeLessThanOrEqual(2_000);
});
