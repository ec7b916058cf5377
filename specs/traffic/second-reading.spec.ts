/** What the second reading of a file takes from the first. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecorded } from '../../src/features/judge/recorded-traffic.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { createFakeIo } from '../cli/fake-io.js';
import { LIFE, line, ndjson, type Told } from './recordings.js';

const recordingOf = (told: readonly Told[]): string => `${ndjson(told.map((one) => line(one)))}\n`;

function recordedIn(told: readonly Told[]) {
  const { cwd } = createFakeIo();
  const file = join(cwd, 'calls.ndjson');
  writeFileSync(file, recordingOf(told));
  return { file, ...readRecorded([file], {}, cwd) };
}

test('calls are held no longer than the file lists them late', () => {
  // One each second, more of them than tell in which unit a recorder counts.
  const told = Array.from({ length: 600 }, (_, second) => ({ ...LIFE[1]!, atMs: 1_000 * second }));
  let read = 0;
  function* pieces(): Generator<Uint8Array> {
    for (const one of told) {
      read += 1;
      yield Buffer.from(recordingOf([one]));
    }
  }
  const traffic = new Traffic([{ name: 'calls.ndjson', pieces }]);
  read = 0;
  for (const { kind } of traffic.events(recordedIn(LIFE).run)) if (kind === 'call') break;
  expect(read).toBeLessThan(told.length / 2);
});

test('what a recorder adds after the first reading is not judged', () => {
  const { file, parts } = recordedIn(LIFE.slice(0, -1));
  appendFileSync(file, recordingOf(LIFE.slice(-1)));
  const calls = [...parts(() => {})].flat().filter(({ kind }) => kind === 'call');
  expect(calls).toHaveLength(LIFE.length - 1);
});
