/** What passes is judged at once, each violation told once, and nothing that was not seen is held against the service. */
import { describe, expect, test } from 'vitest';
import { LiveJudge, type Alert } from '../../../src/judging/live/live-judge.js';
import { FindingsLife } from '../../../src/judging/live/findings-life.js';
import { ABANDONED } from '../../../src/history/exchange.js';
import { AT, isBegin, read, record, run, seen, sentTo, settings, watch, type Told } from './support.js';

const HOUR_MS = 3_600_000;

const failedIn = (alerts: readonly Alert[]): readonly string[] =>
  alerts.flatMap((alert) => (alert.kind === 'violation' ? [alert.finding.requirement] : []));
const returning = (id: string, atMs: number): readonly Told[] => [
  ...[run(atMs, id), read(atMs + 1_000, id, 'COMPLETED'), read(atMs + 2_000, id, 'IN_QUEUE')],
];

test('clients that try thousands of addresses leave an endpoint what it is', () => {
  const judge = new LiveJudge(settings({ others: false }));
  watch(judge, run(0, 'a'));
  for (let nth = 0; nth < 3_000; nth += 1) {
    for (const one of seen({ atMs: 20 + nth, path: 'run', reply: { error: 'not found' }, status: 404 }))
      judge.take(sentTo(one, `/v2/other-${nth}/run`));
  }
  watch(judge, read(4_000, 'a', 'COMPLETED'), read(5_000, 'a', 'IN_QUEUE'));
  expect(failedIn(judge.look(AT + 5_500).alerts)).not.toEqual([]);
  expect(judge.state).toMatchObject({ endpoints: ['abc'], judged: 3, unjudged: { unanswered: 3_000 } });
});

describe('a violation', () => {
  test('is told at the next look, once for each job, and is in the report', () => {
    const judge = new LiveJudge(settings({ others: false }));
    watch(judge, run(0, 'a'), read(1_000, 'a', 'COMPLETED'));
    expect(failedIn(judge.look(AT + 1_500).alerts)).toEqual([]);
    watch(judge, read(2_000, 'a', 'IN_QUEUE'));
    const first = failedIn(judge.look(AT + 2_500).alerts);
    expect(first).not.toEqual([]);
    watch(judge, read(3_000, 'a', 'COMPLETED'));
    expect(failedIn(judge.look(AT + 3_500).alerts)).toEqual([]);
    watch(judge, ...returning('b', 5_000));
    expect(failedIn(judge.look(AT + 8_000).alerts)).toEqual([]);
    expect(judge.state.violations[first[0]!]).toBe(2);
    expect([...judge.finish(AT + 9_000)].length).toBe(2);
    const { report, shown } = judge.finished!;
    const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining([...first]));
    expect(report.exitCode).toBe(1);
    expect(shown.filter(({ kind }) => kind === 'call').length).toBeGreaterThan(0);
  });

  test('is none while a call that may explain it is under way', () => {
    const judge = new LiveJudge(settings({ others: false }));
    watch(judge, run(0, 'a'), read(1_000, 'a', 'FAILED'));
    const [begin] = seen({ atMs: 1_500, path: 'cancel/a', reply: null });
    judge.take(sentTo(begin, '/v2/abc/retry/a', 'POST'));
    watch(judge, read(2_000, 'a', 'IN_QUEUE'));
    expect(failedIn(judge.look(AT + 2_500).alerts)).toEqual([]);
  });

  test('is none where calls were not told, or other clients may be', () => {
    const failed = (others: boolean, missed: number): readonly string[] => {
      const judge = new LiveJudge(settings({ others }));
      if (missed > 0) judge.miss(missed, { fromMs: AT + 500, byMs: AT + 600 });
      watch(judge, run(0, 'a'), read(1_000, 'a', 'FAILED'), read(2_000, 'a', 'IN_QUEUE'));
      return failedIn(judge.look(AT + 2_500).alerts);
    };
    expect(failed(true, 0)).toEqual([]);
    expect(failed(false, 3)).toEqual([]);
    expect(failed(false, 0)).not.toEqual([]);
  });

  test('is told of a call that is over and forgotten, where only what comes later shows it', () => {
    const judge = new LiveJudge(settings({ others: false }), undefined, 2);
    const headers = { authorization: 'Bearer ***', 'content-type': 'application/json' };
    const told = (atMs: number): Told => ({ ...run(atMs, `at-${atMs}`), input: { lora: 1 }, headers });
    const refused = (atMs: number): Told => ({ ...told(atMs), reply: {}, status: 400 });
    watch(judge, run(0, 'first'), refused(10), refused(20));
    expect(failedIn(judge.look(AT + 500).alerts)).toEqual([]);
    watch(judge, told(1_000));
    const { alerts } = judge.look(AT + 1_500);
    expect(failedIn(alerts)).not.toEqual([]);
    expect(alerts[0]).toMatchObject({ kind: 'violation', finding: { job: null } });
    expect(judge.look(AT + 2_500).alerts).toEqual([]);
    for (const _ of judge.finish(AT + 3_000)) continue;
    const failed = judge.finished!.report.requirements.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id)).toEqual(failedIn(alerts));
  });

  test('is told again of jobs that were not there while calls were missed', () => {
    const judge = new LiveJudge(settings({ others: false }));
    const failed = (nowMs: number): readonly string[] => failedIn(judge.look(AT + nowMs).alerts);
    watch(judge, run(0, 'before'), run(100, 'during'), read(1_000, 'before', 'COMPLETED'));
    watch(judge, read(2_000, 'before', 'IN_QUEUE'));
    expect(failed(2_500)).not.toEqual([]);
    judge.miss(1, { fromMs: AT + 2_600, byMs: null });
    watch(judge, ...returning('in-between', 3_000), read(6_000, 'during', 'FAILED'));
    judge.miss(0, { fromMs: AT + 2_600, byMs: AT + 6_500 });
    watch(judge, read(7_000, 'during', 'IN_QUEUE'), read(8_000, 'in-between', 'FAILED'));
    expect(failed(8_500)).toEqual([]);
    watch(judge, run(9_000, 'after'), read(10_000, 'after', 'FAILED'), read(11_000, 'after', 'IN_QUEUE'));
    const { violations } = judge.state;
    judge.look(AT + 11_500);
    expect(judge.state.violations).not.toEqual(violations);
    // And so it is at the end, where all of it is judged once more.
    for (const _ of judge.finish(AT + 12_000)) continue;
    expect(judge.finished!.report.exitCode).toBe(1);
  });
});

test('the report and its scripts show no secrets of clients, nor of the service', () => {
  const judge = new LiveJudge(settings({ others: false }));
  const secrets = ['S3-SECRET-OF-A', 'TOKEN-IN-QUERY', 'TOKEN-OF-REPLY'];
  const [begin, end] = seen({ ...run(0, 'a'), input: { prompt: 'a cat' } });
  const submission = { input: {}, s3Config: { accessId: 'me', accessSecret: secrets[0] } };
  const target = `/v2/abc/run?token=${secrets[1]}`;
  judge.take(sentTo(begin, target));
  const { outcome } = end;
  if (outcome.kind !== 'answer') throw new Error('it was answered');
  judge.take({
    ...end,
    request: { ...end.request, target, body: new TextEncoder().encode(JSON.stringify(submission)) },
    outcome: { ...outcome, headers: { ...outcome.headers, 'x-access-token': secrets[2]! } },
  });
  watch(judge, read(1_000, 'a', 'COMPLETED'), read(2_000, 'a', 'IN_QUEUE'));
  for (const _ of judge.finish(AT + 3_000)) continue;
  const { report, shown, scripts } = judge.finished!;
  expect(report.exitCode).toBe(1);
  expect(shown.filter(({ kind }) => kind === 'call').length).toBe(3);
  expect(scripts.size).toBe(1);
  const all = JSON.stringify([report, shown, [...scripts]]);
  for (const secret of secrets) expect(all).not.toContain(secret);
});

describe('the life of a finding', () => {
  const failure = { requirement: '3/x', level: 'must', text: 't', expected: 'e', actual: 'a', proof: [] };

  test('is new, ongoing, resolved after an hour, and regressed', () => {
    const life = new FindingsLife();
    expect(life.failed(failure, 0)?.state).toBe('new');
    expect(life.failed(failure, 1_000)).toBeNull();
    expect(life.all[0]).toMatchObject({ state: 'ongoing', times: 2, firstMs: 0, lastMs: 1_000 });
    expect(life.passed('3/x', 2_000)).toBeNull();
    expect(life.passed('3/x', 1_000 + HOUR_MS)?.state).toBe('resolved');
    expect(life.passed('3/x', 3 * HOUR_MS)).toBeNull();
    expect(life.failed(failure, 4 * HOUR_MS)?.state).toBe('regressed');
    const again = new FindingsLife(life.all);
    expect(again.failed(failure, 5 * HOUR_MS)).toBeNull();
    expect(again.all[0]).toMatchObject({ state: 'ongoing', times: 4 });
  });
});

test('a reading that differs from the dialect is told once', () => {
  const judge = new LiveJudge(settings({ dialect: { '2.4/id-shape': 'uuid' } }));
  watch(judge, run(0, 'not-a-uuid'), run(100, 'another-one'));
  const drifts = (): readonly Alert[] =>
    judge.look(AT + 1_000).alerts.filter(({ kind, ...rest }) => kind === 'drift' && 'question' in rest);
  const now = { method: 'POST', path: '/v2/abc/run', status: 200, atMs: AT };
  expect(drifts()).toMatchObject([{ question: '2.4/id-shape', expected: 'uuid', before: null, now }]);
  watch(judge, run(200, 'a-third-one'));
  expect(drifts()).toEqual([]);
});

test('a reading that changes is told once, with the first call that shows each', () => {
  const judge = new LiveJudge(settings());
  const uuid = (nth: number): string => `b8c4aff1-e67b-47da-b45e-87b256c0430${nth}`;
  const drifts = (): readonly Alert[] =>
    judge.look(AT + 60_000).alerts.filter(({ kind }) => kind === 'drift');
  watch(judge, run(0, uuid(0)), read(100, uuid(0), 'COMPLETED'), run(200, uuid(1)));
  expect(drifts()).toEqual([]);
  watch(judge, run(5_000, 'short'), run(6_000, 'shorter'));
  const showing = { method: 'POST', path: '/v2/abc/run', status: 200 };
  const drift = {
    ...{ question: '2.4/id-shape', expected: 'uuid', observed: 'other' },
    ...{ before: { ...showing, atMs: AT }, now: { ...showing, atMs: AT + 5_000 } },
  };
  expect(drifts()).toEqual([{ kind: 'drift', ...drift }]);
  expect(judge.state.drifts).toEqual([drift]);
  watch(judge, run(7_000, uuid(2)), run(8_000, 'again'));
  expect(drifts()).toEqual([]);
});

describe('what cannot be judged', () => {
  test('is told with the reason, and that it can be judged again', () => {
    const judge = new LiveJudge(settings());
    const denied = (atMs: number): Told => ({ ...run(atMs, 'x'), reply: { error: 'key' }, status: 401 });
    watch(judge, ...Array.from({ length: 25 }, (_, nth) => denied(nth * 10)));
    judge.look(AT + 1_000);
    expect(judge.state.trouble).toBe(
      'none of the last calls could be judged: 25 were answered with 401 or 403',
    );
    watch(judge, run(2_000, 'a'));
    judge.look(AT + 3_000);
    expect(judge.state).toMatchObject({ trouble: null, judged: 1, unjudged: { unauthorized: 25 } });
  });

  test('a service that answers nothing is told', () => {
    const judge = new LiveJudge(settings());
    watch(
      judge,
      run(0, 'a'),
      ...Array.from({ length: 20 }, (_, nth) => ({ ...read(nth * 10, 'a', ''), reply: null })),
    );
    judge.look(AT + 1_000);
    watch(judge, ...Array.from({ length: 20 }, (_, nth) => ({ ...read(nth * 10, 'a', ''), reply: null })));
    judge.look(AT + 2_000);
    expect(judge.state.trouble).toContain('20 were not answered');
  });
});

test('memory is bounded: of jobs that are over nothing is kept', () => {
  const judge = new LiveJudge(settings());
  const large = 'x'.repeat(20_000);
  let most = 0;
  for (let nth = 0; nth < 2_000; nth += 1) {
    const id = `job-${nth}`;
    watch(judge, run(nth * 1_000, id), {
      ...read(nth * 1_000 + 500, id, 'COMPLETED'),
      reply: { ...record(id, 'COMPLETED'), output: large },
    });
    if (nth % 100 === 99) while (judge.look(AT + nth * 1_000).more);
    most = Math.max(most, judge.state.open);
  }
  expect(judge.state.judged).toBe(4_000);
  expect(most).toBeLessThan(1_000);
}, 60_000);

test.each([true, false])(
  'calls that end without an answer (%s) are no sign that the service is lost',
  (isAbandoned) => {
    const judge = new LiveJudge(settings());
    watch(judge, run(0, 'a'), read(1_000, 'a', 'COMPLETED'));
    for (let nth = 0; nth < 20; nth += 1)
      for (const one of seen({ ...read(2_000 + nth * 1_000, 'a', ''), reply: null }))
        judge.take(!isBegin(one) && isAbandoned ? { ...one, outcome: ABANDONED } : one);
    for (const _ of judge.finish(AT + 60_000));
    // It may go on when nobody looks any more.
    expect(judge.finished!.report.warnings).toEqual([]);
  },
);

test('calls of webhooks are counted, and none is taken for a call of the service', () => {
  const judge = new LiveJudge(settings());
  const webhook = 'http://receiver.example/run';
  for (const status of [200, 503, 200]) {
    for (const one of seen({ ...run(0, 'a'), status })) judge.take({ ...one, webhook });
  }
  for (const one of seen({ ...run(0, 'a'), reply: null })) judge.take({ ...one, webhook });
  judge.look(AT + 1_000);
  expect(judge.state).toMatchObject({ judged: 0, open: 0, webhooks: { '2xx': 2, '5xx': 1, none: 1 } });
});

test('hints are told while calls pass, and in the report', () => {
  const judge = new LiveJudge(settings());
  for (let nth = 0; nth < 30; nth += 1)
    watch(judge, run(nth * 1_000, `job-${nth}`), read(nth * 1_000 + 500, `job-${nth}`, 'COMPLETED'));
  expect(judge.state.hints).toEqual([]);
  for (let nth = 0; nth < 6; nth += 1)
    watch(judge, { atMs: 40_000 + nth * 1_000, path: 'run', input: { lora: 1 }, reply: {}, status: 400 });
  const text = 'with `input.lora`, 6 of 6 submissions are refused; without it, 0 of 30';
  expect(judge.state.hints).toEqual([expect.objectContaining({ text })]);
  for (const _ of judge.finish(AT + 60_000));
  expect(judge.finished!.report.hints).toEqual(judge.state.hints);
});
