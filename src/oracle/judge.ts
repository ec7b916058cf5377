/** Judges a history: session by session, and each session by independent checks, one after the other. */
import { inPresentWords } from '../history/earlier-words.js';
import { TARGET_GONE, type HistoryEvent, type RunEvent } from '../history/events.js';
import { WHOLE } from '../history/selection.js';
import type { Evidence, Judged } from './evidence.js';
import type { Findings, JudgeOptions } from './ledger/findings.js';
import { Ledger } from './ledger/ledger.js';
import { judgeIdleWorkers } from './counts/idle-workers.js';
import { judgeSharedCounts } from './counts/shared-counts.js';
import { endpointJobsOf } from './jobs/endpoint-jobs.js';
import type { Watch } from './context/judging-context.js';
import { KEPT_WORKERS, keptWorkers } from './effects/kept-workers.js';
import { judgeOwnCancels } from './rates/own-cancels.js';
import { seconds } from '../util/duration.js';
import { Occurring } from './in-traffic/situations.js';
import { partsOf } from './observed/life-parts.js';
import { lostKeyIn, unansweredFrom, type LostKey } from './observed/lost-key.js';
import { ALWAYS, lifeOf, type TargetLife } from './observed/target-life.js';
import { judgeBatch, type HowJudged } from './judge-session.js';
import { Batches, type Batch } from './observed/session.js';
import { settled } from './settle.js';

/**
 * Judges the events of one run, in the order in which they were recorded.
 * @throws if the first event is not of kind `run`: such a history does not say how it was recorded.
 *
 * @example
 *     import { readFile } from 'node:fs/promises';
 *     import { judge, type HistoryEvent } from 'runproof';
 *
 *     // Judges again what a check has recorded, for example with a newer version.
 *     export async function judgeAgain(path: string): Promise<void> {
 *       const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
 *       const { requirements } = judge(lines.map((line) => JSON.parse(line) as HistoryEvent));
 *       console.log(requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
 *     }
 *
 * @public
 */
export function judge(events: Iterable<HistoryEvent>, options: JudgeOptions = {}): Findings {
  let judging: Judging | null = null;
  for (const event of events) {
    if (judging === null) judging = new Judging(event, options);
    else judging.see(event);
  }
  return (judging ?? new Judging(undefined, options)).findings();
}

/**
 * What a part of recorded traffic shows, with all calls on its jobs. Nothing of it is settled.
 *
 * @param before what was shown before it
 * @throws if the first event is not of kind `run`
 */
export function gather(
  events: readonly HistoryEvent[],
  options: JudgeOptions = {},
  before?: Evidence,
): Evidence {
  const judging = new Judging(events[0], options, before);
  for (const event of events.slice(1)) judging.see(event);
  return judging.evidence();
}

/** With one who sees the jobs as they are judged. */
interface Watched extends JudgeOptions {
  readonly watch?: Watch | undefined;
  readonly timesAreFine?: boolean;
  readonly onPass?: Ledger['onPass'];
}

/** Judges a run while it goes on, as far as that is possible: in real time it is seen at the end when the target lived. */
export class Judging {
  readonly #run: RunEvent;
  readonly #how: How;
  readonly #events: HistoryEvent[] = [];
  readonly #judged: JudgedBatches | null;
  /** Of recorded traffic. */
  readonly #occurring: Occurring | null;

  /**
   * @param before what earlier parts of the run have shown
   * @throws if the first event is not of kind `run`
   */
  constructor(first: HistoryEvent | undefined, options: Watched, before?: Evidence) {
    if (first?.kind !== 'run')
      throw new Error(
        'a history begins with a line of kind "run": is this file a history.ndjson written by Runproof?',
      );
    this.#run = {
      ...first,
      edition: options.edition ?? first.edition,
      graceMs: options.graceMs ?? first.graceMs,
    };
    this.#how = {
      ...options,
      timesAreFine: before?.seen.ledger.timesAreFine ?? options.timesAreFine ?? false,
    };
    this.#occurring = first.capture === undefined ? null : new Occurring();
    this.#judged = this.#run.clock === 'real' ? null : new JudgedBatches(this.#run, ALWAYS, this.#how);
  }

  see(recorded: HistoryEvent): void {
    const event = inPresentWords(recorded);
    if (event.kind === 'call') this.#occurring?.see(event);
    if (this.#judged === null) this.#events.push(event);
    else this.#judged.see(event);
  }

  /** Once, when all has been seen. */
  findings(): Findings {
    return settled(this.evidence());
  }

  /** Once, when all has been seen. */
  evidence(): Evidence {
    const selection = this.#how.selection ?? this.#run.selection ?? WHOLE;
    const about = { run: this.#run, selection, occurring: this.#occurring };
    if (this.#judged === null) return { ...about, ...inRealTime(this.#run, this.#events, this.#how) };
    return { ...about, seen: this.#judged.judged(), unbroken: null, onTime: null, lagMs: 0, lossesMs: [] };
  }
}

/** Shorter lags of the harness are not reported. */
const LAG_REPORTED_MS = 1_000;

interface How extends Watched {
  /** Earlier parts have shown that times are reported in a finer unit than ms. */
  readonly timesAreFine: boolean;
}

/** Besides what was seen: what would have been where the target was never lost, and the harness never late. */
function inRealTime(
  run: RunEvent,
  seen: readonly HistoryEvent[],
  how: How,
): Pick<Evidence, 'seen' | 'unbroken' | 'onTime' | 'lagMs' | 'lossesMs'> {
  const lostKey = lostKeyIn(run, seen);
  const events = lostKey === null ? seen : unansweredFrom(seen, lostKey.sinceMs);
  const life = lifeOf(run, events);
  const lagMs = events.reduce(
    (mostMs, event) => Math.max(mostMs, event.kind === 'script-end' ? (event.harnessLagMs ?? 0) : 0),
    0,
  );
  const { periods } = life;
  const unwatched = { ...how, watch: undefined, onPass: null };
  const isLate = lagMs > LAG_REPORTED_MS * (run.speed ?? 1);
  return {
    seen: judgedIn(run, events, life, how, lostKey),
    unbroken: periods.length > 1 ? judgedIn(run, events, ALWAYS, unwatched) : null,
    onTime: isLate ? judgedIn(run, withoutLags(events), life, unwatched) : null,
    lagMs,
    lossesMs: periods.slice(0, -1).map(({ livedUntilMs }) => livedUntilMs),
  };
}

function withoutLags(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  return events.map((event) => {
    if (event.kind !== 'call' && event.kind !== 'script-end') return event;
    if (event.harnessLagMs === undefined) return event;
    if (event.kind === 'call') {
      const { harnessLagMs: _, ...call } = event;
      return call;
    }
    const { harnessLagMs: _, harnessLags: __, ...end } = event;
    return end;
  });
}

function judgedIn(
  run: RunEvent,
  events: readonly HistoryEvent[],
  life: TargetLife,
  how: How,
  lostKey: LostKey | null = null,
): Judged {
  const judged = new JudgedBatches(run, life, how);
  if (lostKey !== null) judged.because = whyGone(lostKey);
  for (const event of events) judged.see(event);
  return judged.judged((ledger) => judgeWholeRun(ledger, run, events, life));
}

const whyGone = ({ sinceMs, calls }: LostKey): string =>
  `the key was refused from ${seconds(sinceMs)} on: each of the ${calls} calls with it since then was answered with 401, and none before`;

/** Judges batch by batch. */
class JudgedBatches {
  readonly #life: TargetLife;
  readonly #how: HowJudged;
  readonly #batches: Batches;
  readonly #ledger: Ledger;

  set because(reason: string) {
    this.#ledger.goneBecause = reason;
  }

  constructor(run: RunEvent, life: TargetLife, how: How) {
    const { failuresMax, without, timesAreFine, watch, onPass = null } = how;
    this.#life = life;
    this.#how = { without: new Set(without), watch };
    this.#batches = new Batches(run);
    this.#ledger = new Ledger(failuresMax);
    this.#ledger.timesAreFine = timesAreFine;
    this.#ledger.onPass = onPass;
  }

  see(event: HistoryEvent): void {
    const batch = this.#batches.see(event);
    if (batch !== null) this.#judge(batch);
  }

  judged(wholeRun: Judged['wholeRun'] = () => undefined): Judged {
    for (const batch of this.#batches.rest()) this.#judge(batch);
    this.#ledger.targetGone ||= this.#life.isOver;
    return { ledger: this.#ledger, wholeRun };
  }

  #judge(batch: Batch): void {
    noteEnds(this.#ledger, batch);
    for (const part of partsOf(batch, this.#life)) judgeBatch(this.#ledger, part, this.#how);
  }
}

/** What concerns all jobs of a shared endpoint, which is judged in parts. */
function judgeWholeRun(
  ledger: Ledger,
  run: RunEvent,
  events: readonly HistoryEvent[],
  life: TargetLife,
): void {
  judgeOwnCancels(ledger, run, events);
  const known = endpointJobsOf(run, events, life);
  if (known === null) return;
  judgeSharedCounts(ledger, run, known);
  judgeIdleWorkers(ledger, run, known);
  const kept = keptWorkers(run, known);
  if (kept !== null) ledger.fail(KEPT_WORKERS, kept);
}

/** How the scripts of a batch ended. */
function noteEnds(ledger: Ledger, batch: Batch): void {
  for (const { outcome, reason } of batch[0]?.ends.values() ?? [])
    if (reason === TARGET_GONE) ledger.targetGone = true;
    else if (outcome === 'aborted') ledger.warn(`a script was aborted: ${reason ?? 'no reason given'}`);
}
