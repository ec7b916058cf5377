import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { answerOf, play, script } from './support.js';

const HOUR_MS = 3_600_000;

describe('simulator as a target', () => {
  it('frames every script, on an endpoint of its own', () => {
    const steps = [{ do: 'run', job: 'a', plan: [{ return: 1 }] }, { do: 'health' }] as const;
    const { events, summary } = play([script(steps), script(steps, { workers: 2 })]);
    const one = ['script', 'call', 'call', 'script-end'];
    expect(events.map((event) => event.kind)).toEqual([...one, ...one]);
    expect(events[0]).toMatchObject({ script: 0, endpoint: 'sim-0', fresh: true, workers: 1 });
    expect(events[4]).toMatchObject({ script: 1, endpoint: 'sim-1', fresh: true, workers: 2 });
    expect(events[7]).toMatchObject({ script: 1, outcome: 'played', reason: null });
    expect(events[6]).toMatchObject({
      reply: { body: { value: { jobs: { completed: 1 }, workers: { idle: 2 } } } },
    });
    expect(summary).toMatchObject({ finished: 2, aborted: [], calls: 4, leftBehind: [] });
  });

  it('gives every call the instant it was made at', () => {
    const { calls } = play([
      script([
        { do: 'run', job: 'a', plan: [{ sleepMs: HOUR_MS }], policy: { executionTimeout: 2 * HOUR_MS } },
        {
          do: 'status',
          job: 'a',
          at: { job: 'a', milestone: 'submitted', side: 'latest', plusMs: HOUR_MS - 1 },
        },
        { do: 'status', job: 'a', at: { waitMs: 1 } },
      ]),
    ]);
    expect(calls.map(answerOf)).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']);
    for (const [index, atMs] of [0, HOUR_MS - 1, HOUR_MS].entries()) {
      expect(calls[index]).toMatchObject({ sentMs: atMs, arrivedByMs: atMs, receivedMs: atMs, lost: null });
    }
  });

  it('knows when a waiting call arrived, and may be told to hide it', () => {
    const waiting = [script([{ do: 'runsync', job: 'a', plan: [{ sleepMs: 500 }] }])];
    const latency = { requestMs: 10, replyMs: 20 };
    expect(play(waiting).calls[0]).toMatchObject({ sentMs: 0, arrivedByMs: 0, receivedMs: 500 });
    expect(play(waiting, { latency }).calls[0]).toMatchObject({
      sentMs: 0,
      arrivedByMs: 10,
      receivedMs: 530,
    });
    expect(play(waiting, { latency, arrivals: 'hidden' }).calls[0]).toMatchObject({ arrivedByMs: null });
  });

  it('breaks calls off that are to be, and goes on', () => {
    const { calls, summary } = play([
      script([
        { do: 'run', job: 'first', plan: [{ sleepMs: 2_000 }] },
        { do: 'burst', op: 'runsync', count: 2, plan: [{ return: 1 }], hangsUp: true },
        { do: 'runsync', job: 'later', plan: [{ return: 1 }] },
      ]),
    ]);
    expect(summary.aborted).toEqual([]);
    expect(calls.map(({ lost, gaveUpMs }) => [lost, gaveUpMs])).toEqual([
      [null, undefined],
      ['hung-up', 500],
      ['hung-up', 500],
      [null, undefined],
    ]);
    expect(answerOf(calls[3])).toBe('COMPLETED');
  });

  it('plays lanes side by side and counts sendings and ends on one scale', () => {
    const { calls } = play([
      script([
        { do: 'runsync', job: 'a', plan: [{ sleepMs: 1_000 }] },
        { do: 'health', lane: 'other', at: { sinceStartMs: 400 } },
      ]),
    ]);
    expect(calls.map((call) => call.op)).toEqual(['health', 'runsync']);
    const [health, runsync] = calls;
    expect(runsync!.sentTick).toBeLessThan(health!.sentTick);
    expect(health!.endedTick).toBeLessThan(runsync!.endedTick!);
    expect(health).toMatchObject({ sentMs: 400, reply: { body: { value: { jobs: { inProgress: 1 } } } } });
  });

  it('answers webhooks as the script says', () => {
    const { events } = play([
      script([
        {
          do: 'run',
          job: 'a',
          plan: [{ return: 1 }],
          webhook: [{ close: true }, { never: true }, { status: 200 }],
        },
        { do: 'pause', at: { waitMs: 100_000 } },
      ]),
    ]);
    const hooks = events.filter((event) => event.kind === 'webhook');
    expect(hooks.map(({ arrivedMs, endedMs, answered }) => [arrivedMs, endedMs, answered])).toEqual([
      [0, 0, null],
      [10_000, 20_000, null],
      [30_000, 30_000, 200],
    ]);
    expect(hooks[0]).toMatchObject({ method: 'POST', body: { value: { status: 'COMPLETED', output: 1 } } });
  });

  it('calls webhooks by the method and with the headers that the dialect wants', () => {
    const dialect = { '6/method': 'other', '6/content-type': 'other', '6/signature': 'header' } as const;
    const steps = [
      { do: 'run', job: 'a', plan: [{ return: 1 }], webhook: [{ status: 200 }] },
      { do: 'pause', at: { waitMs: 50 } },
    ] as const;
    const { events } = play([script(steps)], { dialect });
    expect(events.find((event) => event.kind === 'webhook')).toMatchObject({
      method: 'PUT',
      contentType: 'text/plain',
      headers: { 'x-webhook-signature': 'v1=0' },
    });
  });

  it('ends a webhook call that is still unanswered with its script', () => {
    const { events } = play([
      script([
        { do: 'run', job: 'a', plan: [{ return: 1 }], webhook: [{ never: true }] },
        { do: 'pause', at: { waitMs: 50 } },
      ]),
    ]);
    expect(events.at(-2)).toMatchObject({ kind: 'webhook', arrivedMs: 0, endedMs: 50, answered: null });
    expect(events.at(-1)).toMatchObject({ kind: 'script-end', atMs: 50 });
  });

  it('changes the number of workers', () => {
    const { events, calls } = play([
      script(
        [
          { do: 'workers', count: 0 },
          { do: 'run', job: 'a' },
          { do: 'status', job: 'a' },
        ],
        { workers: 3 },
      ),
    ]);
    expect(events[1]).toMatchObject({
      kind: 'workers',
      endpoint: 'sim-0',
      workers: 0,
      sentMs: 0,
      receivedMs: 0,
    });
    expect(calls.map(answerOf)).toEqual(['IN_QUEUE', 'IN_QUEUE']);
  });

  it('refuses keys that are not its own', () => {
    const kinds = ['bare', 'bearer', 'missing', 'wrong', 'wrong-bearer'] as const;
    const { calls } = play([script(kinds.map((auth) => ({ do: 'health', auth })))]);
    expect(calls.map((call) => call.reply?.status)).toEqual([200, 200, 401, 401, 401]);
    expect(calls.map((call) => call.request.auth)).toEqual(kinds);
  });

  it('sends a query whichever way a step writes it', () => {
    const raw = {
      do: 'raw',
      method: 'POST',
      bodyText: '{"input":{}}',
      illegal: 'wait below its minimum',
    } as const;
    const { calls } = play([
      script([
        { ...raw, path: '/runsync?wait=1' },
        { ...raw, path: '/runsync', query: { wait: '1' } },
        { ...raw, path: '/runsync' },
      ]),
    ]);
    expect(calls.map((call) => call.reply?.status)).toEqual([400, 400, 200]);
  });

  it('gives a script a neighbour where it wants one', () => {
    const steps = [{ do: 'run', job: 'a', endpoint: '{second-endpoint}', plan: [{ hang: true }] }] as const;
    const { calls } = play([script([...steps, { do: 'health' }], { secondEndpoint: true })]);
    expect(calls[0]).toMatchObject({ endpoint: 'sim-0-neighbour', reply: { status: 200 } });
    expect(calls[1]).toMatchObject({
      endpoint: 'sim-0',
      reply: { body: { value: { jobs: { inProgress: 0 } } } },
    });
  });

  it('keeps calls that were lost, with what is known of them', () => {
    const { calls, summary } = play([script([{ do: 'run', job: 'a' }, { do: 'health' }])], {
      latency: { requestMs: 10, replyMs: 20 },
      faults: [{ op: 'run', action: { do: 'drop-reply', seen: 'timeout' } }],
    });
    expect(calls[0]).toMatchObject({ lost: 'timeout', reply: null, arrivedByMs: 10, receivedMs: null });
    expect(calls[1]).toMatchObject({
      sentMs: 30_000,
      reply: { body: { value: { jobs: { completed: 1 } } } },
    });
    expect(summary.finished).toBe(1);
  });

  it('gives up a script that makes too many events, and says so', () => {
    const polling = script([
      { do: 'run', job: 'a', plan: [{ hang: true }] },
      { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 1, timeoutMs: HOUR_MS },
    ]);
    const { summary, events } = play([polling, script([{ do: 'health' }])], { eventsMaxPerScript: 1_000 });
    expect(summary).toMatchObject({
      finished: 1,
      aborted: [{ script: 0, reason: expect.stringContaining('1000') }],
    });
    expect(events.find((event) => event.kind === 'script-end')).toMatchObject({ outcome: 'aborted' });
  });

  it('says how far probes have to keep from deadlines', () => {
    const { limits } = simulatorTarget({
      seed: 1,
      latency: { requestMs: 10, replyMs: { fromMs: 0, toMs: 25 } },
      timersLateMs: { fromMs: 0, toMs: 40 },
    });
    expect(limits).toMatchObject({ graceMs: 40, marginMs: 76 });
    expect(simulatorTarget({ seed: 1 }).limits).toMatchObject({ graceMs: 0, marginMs: 1 });
  });

  it('plays without blocking too, tells its progress, and stops when told to', async () => {
    const target = simulatorTarget({ seed: 1 });
    const events: HistoryEvent[] = [];
    const stop = new AbortController();
    const told: string[] = [];
    const summary = await target.run(
      Array.from({ length: 5 }, () => script([{ do: 'health' }])),
      { append: (event) => events.push(event) },
      {
        firstScript: 10,
        signal: stop.signal,
        onProgress: ({ kind, script: number, ended, total }) => {
          told.push(`${kind} ${number} ${ended}/${total}`);
          if (kind === 'script-ended' && number === 11) stop.abort();
        },
      },
    );
    expect(summary).toMatchObject({ finished: 2, calls: 2 });
    expect(told).toEqual([
      'script-started 10 0/5',
      'script-ended 10 1/5',
      'script-started 11 1/5',
      'script-ended 11 2/5',
    ]);
    expect(events.filter((event) => event.kind === 'script')).toHaveLength(2);
    await target.close();
  });
});
