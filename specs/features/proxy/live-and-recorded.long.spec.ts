/** What the proxy says while calls pass, and what `judge` says of its recording, is the same, whatever it had no time for. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trafficWith } from '../../../proof/trials/traffic-trial.js';
import { readRecorded } from '../../../src/features/judge/recorded-traffic.js';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { openRecordFolder } from '../../../src/judging/live/record-folder.js';
import { Recording } from '../../../src/features/proxy/recording.js';
import { Untold } from '../../../src/judging/live/untold.js';
import { judge } from '../../../src/oracle/index.js';
import { createRandom } from '../../../src/time/random.js';
import { toldMs } from '../../../src/judging/live/live-calls.js';
import { AT, isBegin, passing, settings } from './support.js';

const SESSIONS = 12;
/** Of all calls, in bursts. */
const MISSED_PERCENT = 5;
const BURST_CALLS = 20;

interface Said {
  readonly live: readonly string[];
  readonly recorded: readonly string[];
  readonly decided: number;
}

/** The musts that fail, of the report at the end of the proxy and of its recording. */
function said(fault: string | null, seed: number, missedPercent: number): Said {
  const random = createRandom(seed);
  const folder = join(mkdtempSync(join(tmpdir(), 'runproof-')), 'recorded');
  const recording = new Recording(openRecordFolder(folder, true, 100), () => undefined);
  const live = new LiveJudge(settings({ others: false, crashes: false }), (exchange) =>
    recording.add(exchange),
  );
  const untold = new Untold();
  let burst = 0;
  let lastMs = AT;
  for (const one of passing(trafficWith(fault, seed, SESSIONS))) {
    lastMs = toldMs(one);
    if (isBegin(one) && random.intBetween(0, 99 * BURST_CALLS) < missedPercent) burst = BURST_CALLS;
    const isMissed = isBegin(one) && burst > 0;
    if (isMissed) untold.begin(one.id, lastMs);
    if (isMissed) burst -= 1;
    const wasMissed = !isBegin(one) && untold.end(one.id, lastMs);
    const gap = untold.take(lastMs);
    if (gap !== null) live.miss(isMissed ? 1 : 0, gap);
    if (gap !== null && gap.byMs !== null) recording.miss(1, gap.fromMs, gap.byMs);
    if (!isMissed && !wasMissed) live.take(one);
    recording.write(lastMs);
  }
  for (const _ of live.finish(lastMs)) continue;
  recording.close(lastMs, live.underWay);
  const { requirements } = live.finished!.report;
  const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const { parts } = readRecorded(files, { others: false, crashes: false }, folder);
  const found = [...parts(() => undefined)].flatMap((part) => judge(part).requirements);
  const musts = (all: readonly { readonly id: string; readonly level: string; readonly verdict: string }[]) =>
    [
      ...new Set(
        all.flatMap(({ id, level, verdict }) => (level === 'must' && verdict === 'fail' ? [id] : [])),
      ),
    ].sort();
  const decided = requirements.filter(({ level, decided: times }) => level === 'must' && times > 0).length;
  return { live: musts(requirements), recorded: musts(found), decided };
}

test('of a service that conforms nothing fails, however much is missed', () => {
  const [whole, missed] = [said(null, 1, 0), said(null, 1, MISSED_PERCENT)];
  expect([whole.live, whole.recorded, missed.live, missed.recorded]).toEqual([[], [], [], []]);
  // A gap leaves open what was there then, and little else.
  expect(missed.decided).toBeGreaterThan(0.9 * whole.decided);
});

test.each(['wait-halved', 'execution-time-of-earlier-runs', 'cancel-only-queued'])(
  'of the fault %s both say the same',
  (fault) => {
    const { live, recorded } = said(fault, 1, MISSED_PERCENT);
    expect(live).toEqual(recorded);
    expect(live).not.toEqual([]);
  },
);
