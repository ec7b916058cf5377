/**
 * Bodies up to the limits of section 8 are judged as any other: by what they say, how large they are, and what they equal. The commit
 * draws one in three kinds of payloads; `WHOLE=1` takes all.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { openRecordFolder } from '../../../src/judging/live/record-folder.js';
import { Recording } from '../../../src/features/proxy/recording.js';
import { toldMs } from '../../../src/judging/live/live-calls.js';
import { drawnByCommit } from '../../support/whole.js';
import { AT, read, record, recordedIn, run, seen, settings, type Told } from './support.js';

const MB = 1_000_000;
const HEADERS = { authorization: 'Bearer ***', 'content-type': 'application/json' };
/** What differs between two payloads of one size. */
type Payload = (bytes: number, mark?: string) => object;

const PAYLOADS: readonly (readonly [what: string, payload: Payload])[] = [
  ['a text', (bytes, mark = 'a') => ({ image: mark + Buffer.alloc(bytes, 'UnVucHJvb2Y').toString() })],
  [
    'numbers',
    (bytes, mark = 'a') => ({
      of: mark,
      vector: Array.from({ length: Math.ceil(bytes / 18.5) }, (_, n) => 0.5 + n * 1e-16),
    }),
  ],
  [
    'objects',
    (bytes, mark = 'a') => [{ of: mark }, ...Array(Math.floor(bytes / 27)).fill({ token: 'word', p: 0.123 })],
  ],
];

/** The musts that fail. */
interface Verdicts {
  readonly live: readonly string[];
  /** By `judge` of the recording, with payloads and with digests. */
  readonly recorded: readonly (readonly string[])[];
  readonly unjudged: number;
}

function verdicts(told: readonly Told[]): Verdicts {
  const folders = [true, false].map((payloads) =>
    openRecordFolder(join(mkdtempSync(join(tmpdir(), 'runproof-')), 'recorded'), payloads, 100),
  );
  const recordings = folders.map((folder) => new Recording(folder, () => undefined));
  const live = new LiveJudge(settings({ others: false }), (exchange) => {
    for (const recording of recordings) recording.add(exchange);
  });
  let lastMs = AT;
  for (const one of told.flatMap(seen)) {
    live.take(one);
    lastMs = toldMs(one);
    for (const recording of recordings) recording.write(lastMs);
  }
  for (const _ of live.finish(lastMs)) continue;
  for (const recording of recordings) recording.close(lastMs, live.underWay);
  const { lost, bodiless } = live.state.unjudged;
  return {
    live: live.finished!.report.requirements.flatMap(({ id, level, verdict }) =>
      level === 'must' && verdict === 'fail' ? [id] : [],
    ),
    recorded: folders.map(({ folder }) => recordedIn(folder, false)),
    unjudged: lost + bodiless,
  };
}

const all = (...ids: readonly string[]): Verdicts => ({ live: ids, recorded: [ids, ids], unjudged: 0 });

/** A job whose payloads have so many bytes, read twice. */
function job(id: string, bytes: number, payload: Payload, later = payload(bytes)): readonly Told[] {
  const output = (value: object): object => ({ ...record(id, 'COMPLETED'), output: value });
  return [
    { ...run(0, id), input: { data: payload(bytes) }, headers: HEADERS },
    { ...read(1_000, id, ''), reply: output(payload(bytes)) },
    { ...read(2_000, id, ''), reply: output(later) },
  ];
}

test('a correct service passes with 20 MB on /runsync', () => {
  const [submitted] = job('a', 19.9 * MB, PAYLOADS[0]![1]);
  expect(verdicts([{ ...submitted!, path: 'runsync', reply: record('a', 'COMPLETED') }])).toEqual(all());
});

describe.each(drawnByCommit(PAYLOADS, 3))('with %s', (what, payload) => {
  test('a correct service passes', () => {
    const sizes = what === 'a text' ? [1, 5, 9.9] : [5];
    expect(verdicts(sizes.flatMap((mb) => job(`of-${mb}`, mb * MB - 200, payload)))).toEqual(all());
  });

  test('one byte of a large output differs between two reads', () => {
    const told = job('a', 2 * MB, payload, payload(2 * MB, 'b'));
    expect(verdicts(told)).toEqual(all('4.3/reading-does-not-consume'));
  });

  test('more than the limit is accepted on /run', () => {
    expect(verdicts(job('a', 11 * MB, payload).slice(0, 1))).toEqual(all('4.2/payload-above-limit-refused'));
  });

  test('less than the limit is refused', () => {
    const refused = { ...job('b', 9 * MB, payload)[0]!, reply: { error: 'too large' }, status: 413 };
    const accepted = Array.from({ length: 5 }, (__, n) => job(`a-${n}`, 1_000, payload));
    expect(verdicts([...accepted.flat(), refused])).toEqual(all('2.1/input-content-not-validated'));
  });
});
