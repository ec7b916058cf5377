/** When a run ends because going on teaches nothing, and when it does not. */
import { describe, expect, it } from 'vitest';
import { EarlyStop, whyStoppedEarly } from '../../src/checking/stop-early.js';
import type { CallEvent, HistoryEvent, Json } from '../../src/history/events.js';
import type { Operation } from '../../src/spec/types.js';

interface Call {
  readonly op: Operation;
  readonly status: number;
  readonly body?: Json;
  readonly auth?: CallEvent['request']['auth'];
  readonly illegal?: string;
  readonly endpoint?: string;
}

function script(number: number, ...calls: readonly Call[]): readonly HistoryEvent[] {
  const about = { script: number, scenario: 'own/one', title: '', endpoint: 'e', workers: 1, fresh: true };
  return [
    { kind: 'script', ...about, atMs: 0 },
    ...calls.map((call) => eventOf(number, call)),
    { kind: 'script-end', script: number, atMs: 0, outcome: 'played', reason: null },
  ];
}

function eventOf(number: number, call: Call): CallEvent {
  const { op, status, body = {}, auth = 'bare', illegal = null, endpoint = 'e' } = call;
  const request = { method: 'POST', path: `/${op}`, query: {}, auth, contentType: null, illegal };
  return {
    ...{ kind: 'call', call: 0, script: number, lane: 'main', endpoint, op, label: null },
    request: { ...request, body: { as: 'none' } },
    ...{ sentTick: 0, endedTick: 1, sentMs: 0, arrivedByMs: null, receivedMs: 0, lost: null },
    reply: { status, headers: {}, contentType: null, body: { as: 'json', value: body } },
  } as CallEvent;
}

const scripts = (count: number, from: number, ...calls: readonly Call[]): readonly HistoryEvent[] =>
  Array.from({ length: count }, (_, index) => script(from + index, ...calls)).flat();

const accepted: Call = { op: 'run', status: 200, body: { id: 'a', status: 'IN_QUEUE' } };
const refused: Call = { op: 'run', status: 429 };

describe('a run whose submissions are all refused', () => {
  it('ends after 12 scripts, not after 11', () => {
    expect(whyStoppedEarly(scripts(11, 0, refused, refused))).toBeNull();
    expect(whyStoppedEarly(scripts(12, 0, refused, refused))).toBe(
      'no submission created a job in 12 scripts; the answers were 429 (24×). ' +
        'Wait until its rate limit allows calls again, use a key with a higher one, or send fewer calls: --calls-per-second 10',
    );
  });

  it('ends after 24 scripts in a row where jobs were made before', () => {
    const before = script(0, accepted);
    expect(whyStoppedEarly([...before, ...scripts(23, 1, refused)])).toBeNull();
    expect(whyStoppedEarly([...before, ...scripts(24, 1, refused)])).toContain('in the last 24 scripts');
    expect(whyStoppedEarly([...before, ...scripts(24, 1, refused), ...script(25, accepted)])).toBeNull();
  });

  it('ends in real time after two minutes of 429 where jobs were made before, because calls become fewer', () => {
    const at = (sentMs: number, number: number): readonly HistoryEvent[] =>
      script(number, refused).map((event) => (event.kind === 'call' ? { ...event, sentMs } : event));
    const real = { kind: 'run', clock: 'real' } as unknown as HistoryEvent;
    expect(whyStoppedEarly([real, ...scripts(40, 1, refused), ...at(9_999, 41)])).toBeNull();
    expect(whyStoppedEarly([real, ...scripts(11, 1, refused), ...at(10_000, 12)])).toContain('in 12 scripts');
    const began = [real, ...script(0, accepted), ...scripts(40, 1, refused)];
    expect(whyStoppedEarly(began)).toBeNull();
    expect(whyStoppedEarly([...began, ...at(119_999, 41)])).toBeNull();
    expect(whyStoppedEarly([...began, ...at(120_000, 41)])).toContain(
      'no submission created a job for 2 min',
    );
    expect(whyStoppedEarly([...began, ...script(41, accepted), ...at(120_000, 42)])).toBeNull();
    // One that fails otherwise is no matter of limits.
    const fails = script(41, { op: 'run', status: 500 });
    expect(whyStoppedEarly([...began, ...fails])).toContain('in the last 24 scripts');
  });

  it.each<[answer: number, advice: string]>([
    [401, 'Check that the key'],
    [403, 'Check that the key'],
    [503, 'The log of the server'],
    [404, 'Submit a job with curl'],
    [200, 'Submit a job with curl'],
  ])('says what to do about %i', (status, advice) => {
    const why = whyStoppedEarly(scripts(12, 0, { op: 'run', status }));
    expect(why).toContain(advice);
    expect(why).toContain(status === 200 ? '200 without an id (12×)' : `${status} (12×)`);
  });

  it.each<[why: string, call: Call]>([
    ['refused for what it contains', { op: 'run', status: 400 }],
    ['made malformed', { ...refused, illegal: 'truncated-json' }],
    ['sent without a key', { op: 'run', status: 401, auth: 'missing' as CallEvent['request']['auth'] }],
    ['sent to another endpoint', { op: 'run', status: 404, endpoint: 'other' }],
    ['no submission', { op: 'status', status: 404 }],
  ])('goes on where a call was %s', (_, call) => {
    expect(whyStoppedEarly(scripts(40, 0, call))).toBeNull();
  });

  it('goes on where one of the two submissions works', () => {
    const other: Call = { op: 'runsync', status: 200, body: { id: 'a', status: 'COMPLETED' } };
    expect(whyStoppedEarly(scripts(40, 0, refused, other))).toBeNull();
  });
});

describe('a run in which no answer has a state of the document', () => {
  const lower = (op: Operation, status: Json): Call => ({ op, status: 200, body: { id: 'a', status } });
  const looks = [lower('run', 'in_queue'), lower('status', 'in_progress'), lower('status', 'completed')];

  it('ends after a few scripts, and names what came instead', () => {
    expect(whyStoppedEarly(scripts(6, 0, ...looks))).toBeNull();
    expect(whyStoppedEarly(scripts(7, 0, ...looks))).toContain(
      'all 21 answers lack a status of section 3, they have "in_queue", "in_progress", "completed"',
    );
  });

  it('goes on where one answer has one', () => {
    const events = [...scripts(40, 0, ...looks), ...script(40, lower('cancel', 'CANCELLED'))];
    expect(whyStoppedEarly(events)).toBeNull();
    expect(
      whyStoppedEarly(scripts(40, 0, lower('run', 'IN_QUEUE'), lower('status', 'completed'))),
    ).toBeNull();
  });

  it('goes on where a single wrong word may stand for a single state, until scripts have seen their jobs end', () => {
    expect(whyStoppedEarly(scripts(40, 0, lower('run', 'QUEUED')))).toBeNull();
    const looked = [lower('run', 'QUEUED'), lower('status', 'QUEUED')];
    expect(whyStoppedEarly(scripts(11, 0, ...looked))).toBeNull();
    expect(whyStoppedEarly(scripts(12, 0, ...looked))).toContain('they have "QUEUED"');
  });

  it('ends where there is no state at all', () => {
    const without: Call = { op: 'status', status: 200, body: { id: 'a' } };
    expect(whyStoppedEarly(scripts(12, 0, { op: 'run', status: 200, body: { id: 'a' } }, without))).toContain(
      'they have no status at all',
    );
  });
});

it('ends no run of a server that does nothing wrong but refuse unknown jobs', () => {
  const early = new EarlyStop();
  const calls: readonly Call[] = [accepted, { op: 'status', status: 404 }, { op: 'cancel', status: 404 }];
  for (const event of scripts(100, 0, ...calls)) {
    early.see(event);
    expect(early.reason).toBeNull();
  }
});
