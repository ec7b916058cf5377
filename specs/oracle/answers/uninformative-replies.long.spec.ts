/**
 * Answers that say nothing: a target that answers every call alike keeps nothing by it. All shipped scenarios are played on one
 * that knows nothing, and judged with each such answer in place of its own.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallEvent, HistoryEvent } from '../../../src/history/events.js';
import { checkTarget, fetchTarget } from '../../../src/index.js';
import { judge, type Findings } from '../../../src/oracle/index.js';
import { createRandom } from '../../../src/time/random.js';
import { TraceBuilder, verdictOf } from '../support/trace-builder.js';

type Reply = NonNullable<CallEvent['reply']>;

const json = (status: number, value: {}): Reply => ({
  status,
  contentType: 'application/json',
  headers: {},
  body: { as: 'json', value, bytes: JSON.stringify(value).length },
});
const page = (status: number): Reply => ({
  status,
  contentType: 'text/html',
  headers: {},
  body: { as: 'text', text: '<html></html>', bytes: 13 },
});
const empty = (status: number): Reply => ({
  status,
  contentType: null,
  headers: {},
  body: { as: 'none' },
});
const error = (status: number): Reply => json(status, { error: 'no' });

/** The shape of an answer is seen whatever it says: these are all that may pass by it. */
const errorShape = (code: number): readonly string[] => [
  `1/json-error-body-${code}`,
  `1/json-error-content-type-${code}`,
];
const SHAPES = ['run', 'runsync', 'purge-queue', 'health'].flatMap((op) => [
  `1/json-body-${op}`,
  `1/json-content-type-${op}`,
]);

let played: readonly HistoryEvent[] = [];

beforeAll(async () => {
  const target = fetchTarget(
    { fresh: () => () => Promise.resolve(Response.json({ error: 'no' }, { status: 404 })) },
    { worker: 'scripted' },
  );
  const { history } = await checkTarget(target, { runs: 1 });
  await target.close();
  played = history;
}, 60_000);

function answered(reply: (call: CallEvent) => Reply): readonly HistoryEvent[] {
  return played.map((event) =>
    event.kind === 'call' && event.reply !== null ? { ...event, reply: reply(event) } : event,
  );
}

/** The same as a run in real time on one endpoint that was there before. */
function onSharedEndpoint(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  return events.map((event): HistoryEvent => {
    if (event.kind === 'run')
      return { ...event, clock: 'real', capabilities: ['scripted-worker', 'webhook-reachable', 'dedicated'] };
    if (event.kind === 'script') return { ...event, endpoint: 'e', fresh: false, workers: null };
    return event.kind === 'call' ? { ...event, endpoint: 'e' } : event;
  });
}

function passed(findings: Findings): readonly string[] {
  return findings.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
}

describe('a target that answers every call alike passes nothing by it', () => {
  it.each<readonly [string, Reply, readonly string[]]>([
    ['404', error(404), errorShape(404)],
    ['404 with a page', page(404), []],
    ['400', error(400), errorShape(400)],
    ['401', error(401), errorShape(401)],
    ['403', error(403), []],
    ['405 without a body', empty(405), []],
    ['429', error(429), errorShape(429)],
    ['500', error(500), []],
    ['503 with a page', page(503), []],
    ['302', empty(302), []],
    ['204', empty(204), []],
    ['200 with a page', page(200), []],
    ['200 {}', json(200, {}), SHAPES],
    ['200 {"ok":true}', json(200, { ok: true }), SHAPES],
  ])('%s', (_, reply, may) => {
    const events = answered(() => reply);
    expect(passed(judge(events)).filter((id) => !may.includes(id))).toEqual([]);
    expect(passed(judge(onSharedEndpoint(events))).filter((id) => !may.includes(id))).toEqual([]);
  });

  it('one of several errors, drawn for each call', () => {
    const replies = [404, 429, 500, 503].map(error);
    const random = createRandom(7);
    const events = answered(() => replies[random.nextUint32() % replies.length]!);
    const may = [404, 429].flatMap(errorShape);
    expect(passed(judge(events)).filter((id) => !may.includes(id))).toEqual([]);
  });

  it('says why, and counts it where the operation is served elsewhere in the run', () => {
    const unknown = new TraceBuilder().call(0, 'status', 'no-such-job', 404, {});
    expect(unknown.judged(1_000).requirements.find(({ id }) => id === '7/unknown-job-status')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('no /status was answered as section 4 describes'),
    });
    const served = unknown.submitted(10, 'a', [{ return: 1 }]).seen(500, 'a', 'COMPLETED', { output: 1 });
    expect(verdictOf(served.judged(1_000), '7/unknown-job-status')).toBe('pass');
  });
});
