/** A line of any length costs what its bytes cost; one that is too long is named. */
import { expect, test } from 'vitest';
import { answerOf } from '../../src/history/exchange.js';
import type { TrafficFile } from '../../src/traffic/reading/files.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { runHeader } from '../support/run-header.js';
import { BASE, JOB, line, LIFE } from './recordings.js';

const RUN = runHeader({ target: { kind: 'http', name: BASE }, capabilities: [] });
const [FIRST, ...REST] = LIFE.map((one) => JSON.stringify(line(one)));

const file = (pieces: () => Iterable<Uint8Array>): TrafficFile => ({ name: 'calls.ndjson', pieces });

function* cut(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

test('a line of 12 MB in pieces of 4 KB: its bytes are joined once', { timeout: 10_000 }, () => {
  const reply = { id: JOB, status: 'COMPLETED', output: 'ä'.repeat(6_000_000) };
  const long = JSON.stringify(line({ atMs: 5_500, op: `status/${JOB}`, reply }));
  const bytes = Buffer.from([FIRST, ...REST, long].join('\n'));
  const traffic = new Traffic([file(() => cut(bytes, 4_096))]);
  expect(traffic.summary.calls).toBe(LIFE.length + 1);
  const calls = [...traffic.calls()];
  expect(answerOf(calls.at(-1)!)!.body).toBe(JSON.stringify(reply));
});

test('a line of more than 100 MB is left out, and what follows is read', () => {
  const filler = Buffer.alloc(1_000_000, ' ');
  function* pieces(): Generator<Uint8Array> {
    yield Buffer.from(`${FIRST}\n{"x":"`);
    for (let count = 0; count < 101; count += 1) yield filler;
    yield Buffer.from(`"}\n${REST.join('\n')}`);
  }
  const traffic = new Traffic([file(pieces)]);
  expect(traffic.summary.unreadable.map(({ where, why }) => `${where}: ${why}`)).toEqual([
    'calls.ndjson:2: the line is longer than 100 MB',
  ]);
  expect([...traffic.events(RUN)].filter(({ kind }) => kind === 'call')).toHaveLength(LIFE.length);
});
