import { escapeControls } from '../report/escape.js';
import { formatDuration } from '../report/formatting.js';
import type { CheckPhase } from '../judging/conclude.js';
import { TimeLeft, type ExpectedRun } from '../schedule/time-left.js';
import type { RunProgress } from '../target/port.js';
import type { Io } from './io.js';
import { fitted, leftAtPace, roughly } from './progress-line.js';

/** In a log: a dot, so that a reader sees that it goes on. */
const DOT_MS = 1_000;
/** The last of so many dots is a line that says where it stands. */
const DOTS_OF_A_LINE = 20;
const REDRAW_MS = 80;
/** Running scripts named in a line of a log. */
const NAMES_MAX = 4;
/** Before so much has run, no time that is left is named. */
const TELLING_SHARE = 0.05;

export interface ProgressDisplay {
  readonly onProgress: (progress: RunProgress) => void;
  /** All scripts have ended, and this is done with what they recorded; null: the scripts begin. */
  readonly onPhase: (phase: CheckPhase | null, decided: number | null) => void;
  /** The share of files that has been read, 0 to 1. It is shown at once: who reads keeps timers waiting. */
  readonly onRead: (share: number) => void;
  /** Prints a line without spoiling the display. */
  readonly print: (line: string) => void;
  stop(): void;
}

/**
 * A bar on a terminal, dots in a log, with a line every 20 s, or nothing.
 *
 * @param expected how the scripts are expected to end; null if that is unknown
 * @param before what is done before the scripts run; null if they do
 */
export function createProgress(
  mode: 'auto' | 'plain' | 'none',
  expected: ExpectedRun | null,
  io: Io,
  before: string | null = null,
): ProgressDisplay {
  const print = (line: string): void => io.note(`${line}\n`);
  if (mode === 'none') return { onProgress() {}, onPhase() {}, onRead() {}, print, stop() {} };
  const isBar = mode === 'auto' && io.errIsTerminal && io.env['TERM'] !== 'dumb';
  const course = new Course(expected, before, () => io.monotonicMs());
  let drawnMs = 0;
  let dots = 0;
  const clear = (): void => {
    if (isBar) io.note('\r\u001b[K');
    else if (dots > 0) io.note('\n');
    dots = 0;
  };
  const beat = (): void => {
    drawnMs = io.monotonicMs();
    if (isBar) return io.note(`\r\u001b[K${course.bar(io.columns)}`);
    dots += 1;
    if (dots < DOTS_OF_A_LINE) return io.note('.');
    dots = 0;
    print(` ${course.line()}`);
  };
  const timer = setInterval(beat, isBar ? 500 : DOT_MS);
  timer.unref();
  let stopped = false;
  return {
    onProgress(progress) {
      course.played(progress);
      if (isBar && io.monotonicMs() - drawnMs >= REDRAW_MS) beat();
    },
    onPhase(next, decided) {
      course.begin(next, decided);
      if (isBar) beat();
    },
    onRead(share) {
      course.read = share < 1 ? share : null;
      if (io.monotonicMs() - Math.max(drawnMs, course.startMs) >= (isBar ? REDRAW_MS : DOT_MS)) beat();
    },
    print(line) {
      clear();
      print(line);
    },
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      clear();
    },
  };
}

/** A course at one instant. */
interface CourseState {
  /** Of the scripts, 0 to 1; null: no script runs. */
  readonly share: number | null;
  readonly what: string;
  /** For how long. */
  readonly took: string;
  /** How much longer, or what has been decided. */
  readonly more: readonly string[];
  /** The scenarios of the scripts that run. */
  readonly running: readonly string[];
}

/** What is going on, and how far it is. */
export class Course {
  startMs: number;
  /** Of the files, 0 to 1; null: none is read. */
  read: number | null = null;
  readonly #timeLeft: TimeLeft | null;
  readonly #nowMs: () => number;
  readonly #open = new Map<number, string>();
  #phase: string | null;
  #decided: number | null = null;
  #ended = 0;
  #total = 0;

  constructor(expected: ExpectedRun | null, before: string | null, nowMs: () => number) {
    this.#timeLeft = expected === null ? null : new TimeLeft(expected);
    this.#nowMs = nowMs;
    this.#phase = before;
    this.startMs = nowMs();
  }

  played(progress: RunProgress): void {
    this.#ended = progress.ended;
    this.#total = progress.total;
    if (progress.kind === 'script-started') {
      this.#open.set(progress.script, progress.scenario);
      this.#timeLeft?.started();
    } else {
      this.#open.delete(progress.script);
      this.#timeLeft?.ended(this.#nowMs() - this.startMs);
    }
  }

  begin(phase: string | null, decided: number | null): void {
    if (phase !== this.#phase) this.startMs = this.#nowMs();
    this.#phase = phase;
    this.#decided = decided;
    this.#open.clear();
  }

  /** For one line of a terminal. */
  bar(columns: number): string {
    const { share, what, took, more, running } = this.state();
    const newest = running.slice(-1).filter((name) => name !== '');
    return fitted(share, [what, took, ...more, ...newest], columns);
  }

  /** For a log. */
  line(): string {
    const { share, what, took, more, running } = this.state();
    const others = running.length > NAMES_MAX ? ` and ${running.length - NAMES_MAX} more` : '';
    const named = `running: ${running.slice(0, NAMES_MAX).join(', ')}${others}`;
    const parts = [took, ...more, ...(running.length === 0 ? [] : [named])];
    return `${what} ${share === null ? 'for' : 'after'} ${parts.join(', ')}`;
  }

  get #share(): number {
    return this.#total === 0 ? 0 : this.#ended / this.#total;
  }

  state(): CourseState {
    const running = [...this.#open.values()].map(escapeControls);
    const tookMs = this.#nowMs() - this.startMs;
    const took = formatDuration(tookMs);
    if (this.#phase !== null) {
      const read = this.read === null ? '' : `, ${Math.floor(this.read * 100)} % read`;
      const more = this.#decided === null ? [] : [`${this.#decided} required rules decided`];
      return { share: null, what: this.#phase + read, took, more, running };
    }
    const leftMs = this.#leftMs(tookMs);
    // The first scripts may take most of the time.
    const done = this.#timeLeft === null ? '' : `about ${Math.floor(100 * this.#timeLeft.share)} % done`;
    const more = leftMs === null ? [done].filter(Boolean) : leftMs <= 0 ? [] : [`${roughly(leftMs)} left`];
    return { share: this.#share, what: `playing ${this.#ended}/${this.#total} scripts`, took, more, running };
  }

  #leftMs(tookMs: number): number | null {
    if (this.#timeLeft !== null) return this.#timeLeft.leftMs(tookMs);
    return this.#share < TELLING_SHARE ? null : leftAtPace(tookMs, this.#share);
  }
}
