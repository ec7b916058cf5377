/** Which jobs start workers (2.2): told of an endpoint whose /health shows none while nobody needs one. */
import { describe, expect, it } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const NO_SCALING = '2.2/low-priority-no-scaling';
const DEFAULT = '2.2/low-priority-default';
const ALONE = {
  capabilities: ['scripted-worker', 'dedicated', 'scales-from-zero'],
  clock: 'real',
  graceMs: 2_000,
  earlyMs: 50,
} as const;

/** What one job does after it was submitted: when it is first seen at work, and until when it is watched. */
interface Course {
  readonly lowPriority?: boolean;
  /** Null: it waits until it is cancelled. */
  readonly startsMs: number | null;
  readonly watchedMs: number;
  /** What /health shows before it comes. */
  readonly idle?: number;
  /** How old the figures of /health are. */
  readonly healthLagsMs?: number;
  /** Somebody else's job waits there. */
  readonly waiting?: number;
  /** For so long nobody waited before. */
  readonly quietMs?: number;
}

const EVERY_MS = 5_000;
const ended = { output: 1, executionTime: 100 };

class Rounds extends TraceBuilder {
  private nowMs = 0;
  private count = 0;

  constructor(run: object = ALONE) {
    super(null, run, false);
  }

  private health(atMs: number, idle: number, running: number, inQueue: number): void {
    const jobs = { completed: 0, failed: 0, inProgress: running, inQueue, retried: 0 };
    this.call(atMs, 'health', null, 200, { jobs, workers: { idle, running } });
  }

  /** One job comes alone, after a while in which nothing happened. */
  alone(course: Course): this {
    const { lowPriority, startsMs, watchedMs, idle = 0, waiting = 0, quietMs = 10_000 } = course;
    const id = `j${this.count++}`;
    const fromMs = this.nowMs + 30_000;
    this.health(fromMs, idle, 0, waiting);
    this.health(fromMs + quietMs, idle, 0, waiting);
    const atMs = fromMs + quietMs + 10;
    const policy = { ttl: 3_600_000, ...(lowPriority === undefined ? {} : { lowPriority }) };
    this.submitted(atMs, id, [{ sleepMs: 100 }, { return: 1 }], policy);
    for (let afterMs = EVERY_MS; afterMs <= watchedMs; afterMs += EVERY_MS) {
      const started = startsMs !== null && afterMs >= startsMs;
      const shown = startsMs !== null && afterMs - (course.healthLagsMs ?? 0) >= startsMs;
      if (started) this.seen(atMs + afterMs, id, 'COMPLETED', { ...ended, delayTime: startsMs });
      else this.seen(atMs + afterMs, id, 'IN_QUEUE', { delayTime: afterMs });
      this.health(atMs + afterMs + 10, shown ? 1 : idle, 0, waiting + (started ? 0 : 1));
    }
    this.nowMs = atMs + watchedMs + 20;
    if (startsMs === null) this.call(this.nowMs, 'cancel', id, 200, { id, status: 'CANCELLED' });
    return this;
  }

  verdicts(): readonly (string | undefined)[] {
    const findings = this.judged(this.nowMs + 60_000);
    expect(failed(findings).filter((id) => id !== NO_SCALING && id !== DEFAULT)).toEqual([]);
    return [verdictOf(findings, NO_SCALING), verdictOf(findings, DEFAULT)];
  }
}

const low = (startsMs: number | null, more: Partial<Course> = {}): Course => ({
  lowPriority: true,
  startsMs,
  watchedMs: 30_000,
  ...more,
});
const plain = (startsMs: number | null, more: Partial<Course> = {}): Course => ({
  startsMs,
  watchedMs: 60_000,
  ...more,
});
const high = (startsMs: number | null): Course => ({ ...plain(startsMs), lowPriority: false });

const trace = (...courses: readonly Course[]): Rounds =>
  courses.reduce((all, course) => all.alone(course), new Rounds());

describe('an endpoint that has no workers while it is idle', () => {
  it.each<[string, Rounds, string, string]>([
    ['as the document requires', trace(low(null), plain(10_000)), 'pass', 'pass'],
    ['lowPriority starts workers', trace(low(10_000), plain(10_000), low(10_000)), 'fail', 'pass'],
    ['it did so once', trace(low(10_000), plain(10_000), low(null)), 'pass', 'pass'],
    ['it did so in the only try', trace(low(10_000), plain(10_000)), 'inconclusive', 'pass'],
    [
      'without lowPriority none is started, with false one is',
      trace(low(null), plain(null), high(10_000), plain(null), high(15_000)),
      'pass',
      'fail',
    ],
    // None was to be had just then.
    [
      'once none was started without lowPriority',
      trace(low(null), plain(null), high(10_000), plain(10_000), high(15_000)),
      'pass',
      'pass',
    ],
    [
      'nor much sooner with false',
      trace(plain(null), high(40_000), plain(null), high(40_000)),
      'not-exercised',
      'not-exercised',
    ],
    // Nothing shows that it starts any.
    ['it never scales', trace(low(null), plain(null), high(null)), 'inconclusive', 'not-exercised'],
    [
      'another job takes longer than one with lowPriority was watched',
      trace(low(null), plain(50_000)),
      'inconclusive',
      'pass',
    ],
  ])('%s', (_, rounds, noScaling, byDefault) => {
    expect(rounds.verdicts()).toEqual([noScaling, byDefault]);
  });

  it.each<[string, Partial<Course>]>([
    ['a worker is there all along', { idle: 1 }],
    ['another job waits', { waiting: 1 }],
    ['it was idle only briefly before', { quietMs: 1_000 }],
    ['a free worker that /health does not count takes each job at once', { startsMs: 0 }],
  ])('nothing is failed where %s', (_, more) => {
    const courses = [low(10_000, more), plain(10_000, more), low(10_000, more), plain(10_000, more)];
    const [noScaling] = trace(...courses).verdicts();
    expect(noScaling).toMatch(/not-exercised|inconclusive/);
  });

  it('is decided by the jobs if /health lags', () => {
    const lags = { healthLagsMs: 10_000 };
    expect(trace(low(null, lags), plain(10_000, lags)).verdicts()).toEqual(['pass', 'pass']);
  });

  it('is undecided if others use it, or if its workers are known', () => {
    for (const capabilities of [['dedicated'], ['scales-from-zero']] as const) {
      const rounds = new Rounds({ ...ALONE, capabilities });
      for (const course of [low(10_000), plain(10_000), low(10_000)]) rounds.alone(course);
      expect(rounds.verdicts()).toEqual(['untestable', 'untestable']);
    }
  });
});
