/** Calls on the same jobs at another address had their effect: what they did is no fault of the service. */
import { describe, expect, test } from 'vitest';
import { BASE, judged, JOB, line, ndjson, type Told } from './recordings.js';

const CLOSED = { others: false, crashes: false };
const CANCELLED = { id: JOB, status: 'CANCELLED' };
const INTERNAL = 'http://10.0.0.5:8080/v2/abc';
const run: Told = { atMs: 0, op: 'run', body: { input: {} }, reply: { id: JOB, status: 'IN_QUEUE' } };
const status = (atMs: number, state: string): Told => ({
  ...{ atMs, op: `status/${JOB}` },
  reply: { id: JOB, status: state },
});
const LOOKS = [status(3_000, 'CANCELLED'), status(4_000, 'CANCELLED')];
const cancel: Told = { atMs: 2_000, op: `cancel/${JOB}`, reply: CANCELLED };
const told = (...calls: readonly object[]) =>
  judged(
    [ndjson([line(run), line(status(1_000, 'IN_QUEUE')), ...calls, ...LOOKS.map((one) => line(one))])],
    CLOSED,
  );

test('a job that nothing has cancelled fails', () => {
  expect(told().failed).toEqual(['4.3/shows-current-state']);
});

describe('a job that was cancelled', () => {
  test.each<[string, object]>([
    ['at an internal address', line({ ...cancel, base: INTERNAL })],
    ['with two slashes', line({ ...cancel, base: 'https://api.example.com//v2/abc' })],
    ['with a slash at the end', line({ ...cancel, op: `cancel/${JOB}/` })],
    [
      'with a slash at the end, and no answer that says so',
      line({ ...cancel, op: `cancel/${JOB}/` }, { body: 'ok' }),
    ],
    ['by an address of the service itself', line(cancel, { url: `${BASE}/jobs/${JOB}/stop` })],
    ['by GET', { ...line(cancel), method: 'GET' }],
    ['by GET, whose answer says nothing', { ...line(cancel, { body: 'ok' }), method: 'GET' }],
    ['by DELETE, whose answer was lost', { ...line(cancel, { status: undefined }), method: 'DELETE' }],
    ['by GET, which a gateway broke off', { ...line(cancel, { status: 504, body: '' }), method: 'GET' }],
    ['by a call whose client did not wait', line(cancel, { status: 499, body: '' })],
  ])('%s', (_, call) => {
    expect(told(call).failed).toEqual([]);
  });

  test.each<[string, object]>([
    ['asked about', { ...line(cancel, { status: 204, body: '' }), method: 'OPTIONS' }],
    ['refused', { ...line(cancel, { status: 405, body: '' }), method: 'GET' }],
    ['refused as unknown', { ...line(cancel, { status: 501, body: '' }), method: 'GET' }],
  ])('not by what was only %s', (_, call) => {
    expect(told(call).failed).toEqual(['4.3/shows-current-state']);
  });

  test('one endpoint at two addresses is judged as one', () => {
    const { notes, passed, calls } = told(line({ ...cancel, base: INTERNAL }));
    expect(notes).toEqual([`one endpoint at 2 addresses, where the same jobs answer: ${BASE}, ${INTERNAL}`]);
    expect(passed).toContain('4.3/shows-current-state');
    expect(new Set(calls.map(({ endpoint }) => endpoint))).toEqual(new Set(['abc']));
  });

  test('and one that looks so is judged with calls missing', () => {
    const { failed, notes } = told(line(cancel, { url: `${BASE}/jobs/${JOB}/stop` }));
    expect(failed).toEqual([]);
    expect(notes.join()).toContain('calls at other addresses may concern the same jobs');
  });
});

describe('ids that count', () => {
  const counted = (base: string, ...calls: readonly Told[]): readonly object[] =>
    calls.map((one) => line(JSON.parse(JSON.stringify({ ...one, base }).replaceAll(JOB, '17')) as Told));

  test('two services that both have a job 17 are two', () => {
    const here = counted(BASE, run, status(1_000, 'IN_QUEUE'));
    const there = counted(INTERNAL, { ...run, atMs: 3_000 }, status(4_000, 'IN_QUEUE'));
    const { failed, notes } = judged([ndjson([...here, ...there])], CLOSED);
    expect(failed).toEqual([]);
    expect(notes).toEqual([`2 endpoints: ${BASE}, ${INTERNAL}`]);
  });

  test('a job 17 that only one of them was given may be the same', () => {
    const here = counted(BASE, run, status(1_000, 'IN_QUEUE'), ...LOOKS);
    const { failed, notes } = judged([ndjson([...here, ...counted(INTERNAL, cancel)])], CLOSED);
    expect(failed).toEqual([]);
    expect(notes.join()).toContain('calls at other addresses');
  });
});

test.each<[string, object]>([
  ['304 to a client that has the answer already', { status: 304, body: '' }],
  ['499, which nginx writes where the client has gone', { status: 499, body: '' }],
])('%s is no answer of the service', (_, reply) => {
  const looks = [1_000, 2_000].map((atMs) => line(status(atMs, 'IN_QUEUE')));
  const { failed } = judged([ndjson([line(run), ...looks, line(status(3_000, ''), reply)])], CLOSED);
  expect(failed).toEqual([]);
});

test('a purge at another address of that name may concern the same jobs, though no job answers there', () => {
  const purge = {
    atMs: 2_000,
    op: 'purge-queue',
    reply: { removed: 1, status: 'completed' },
    base: INTERNAL,
  };
  const gone = line({ ...status(9_000, 'IN_QUEUE'), reply: { error: 'no such job' } }, { status: 404 });
  const lines = [line(run), line(status(1_000, 'IN_QUEUE')), line(purge), gone];
  const { failed, notes } = judged([ndjson(lines)], CLOSED);
  expect(failed).toEqual([]);
  expect(notes.join()).toContain('calls at other addresses');
});
