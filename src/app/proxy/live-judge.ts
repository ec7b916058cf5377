/**
 * Judges calls while they pass. A job is judged again whenever something new is known of it, and at last when nothing more is
 * expected; only that counts in the report. It reads no clock: what it is given says when it was.
 */
import type { HistoryEvent, RunEvent } from '../../history/events.js';
import { judge, type Findings } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import type { FormatName, MinDecided, Reader } from '../../report/index.js';
import type { Seen } from '../../proxy/seen.js';
import type { Dialect, Edition } from '../../spec/index.js';
import { GRACE_MS, REAL_EARLY_MS } from '../../target/http/limits.js';
import { Hints, Parts, type Exchange, type Hint } from '../../traffic/index.js';
import { AwaitedWebhooks } from './awaited-webhooks.js';
import { failingCalls, jobOfScript, type FailingCalls } from './failing-calls.js';
import { FindingsLife, type Finding } from './findings-life.js';
import { LiveCalls, type Unjudged } from './live-calls.js';
import { LiveReadings, type Drift } from './live-readings.js';
import { LiveReport, type FinishedLive } from './live-report.js';
import type { RecordSettings } from './record-folder.js';
import type { Gap } from './untold.js';

/** Plain data. */
export interface LiveSettings {
  readonly upstream: string;
  /** When the proxy began, ms since 1970. */
  readonly beganMs: number;
  readonly edition: Edition;
  readonly graceMs: number | undefined;
  /** Whether clients may call the service that do not pass here. */
  readonly others: boolean;
  /** Whether workers may crash, so that a job runs again. */
  readonly crashes: boolean;
  /** The default `executionTimeout` of the service, ms; absent: it is not known. */
  readonly executionTimeoutDefaultMs?: number | undefined;
  /** Whether the service calls webhooks here. */
  readonly webhooks: boolean;
  readonly dialect: Dialect | undefined;
  /** Those of an earlier proxy. */
  readonly findings: readonly Finding[];
  readonly minDecided: MinDecided | undefined;
  /** For whom the report at the end is written. */
  readonly reader: Reader;
  /** Its formats. */
  readonly formats: readonly FormatName[];
  /** Where calls are recorded. Absent: nowhere. */
  readonly record?: RecordSettings | undefined;
}

/** What a user wants to know at once. */
export type Alert =
  | { readonly kind: 'violation'; readonly finding: Finding }
  | { readonly kind: 'resolved'; readonly finding: Finding }
  | { readonly kind: 'unrecorded'; readonly reason: string }
  | ({ readonly kind: 'drift' } & Drift);

export interface LiveState {
  readonly judged: number;
  readonly unjudged: Unjudged;
  /** Calls that were not told, because judging fell behind. */
  readonly missed: number;
  readonly endpoints: readonly string[];
  /** Calls of webhooks that were passed on, by how they were answered: `2xx`, …, `none`. */
  readonly webhooks: { readonly [answer: string]: number };
  /** Jobs and calls that are not over. */
  readonly open: number;
  /** Musts of which something was decided. */
  readonly decided: number;
  /** How often each requirement failed, musts and shoulds. */
  readonly violations: { readonly [requirement: string]: number };
  readonly findings: readonly Finding[];
  readonly readings: { readonly [question: string]: readonly string[] };
  readonly drifts: readonly Drift[];
  /** Statistics that prove nothing. */
  readonly hints: readonly Hint[];
  /** Why what passes cannot be judged; null: it can, or nothing passes. */
  readonly trouble: string | null;
}

/** Of what is held of jobs that are not over. */
const HELD_CHARACTERS_MAX = 8_000_000;
/** Scripts judged at a look: more would keep what passes waiting for too long. */
const LOOK_SCRIPTS_MAX = 200;
const FAILURES_MAX = 20;
const TROUBLE_CALLS = 20;
/** A part is judged when so many calls are over: small, so that judging can be stopped at the end. */
const PART_CALLS = 300;

export class LiveJudge {
  readonly #settings: LiveSettings;
  readonly #life: FindingsLife;
  readonly #calls: LiveCalls;
  readonly #parts: Parts;
  readonly #changed = new Set<number>();
  readonly #open = new Set<number>();
  readonly #awaited = new AwaitedWebhooks((script) => this.#calls.webhookWatchedMs(script));
  /** By script that is not over: what it has failed. */
  readonly #told = new Map<number, Set<string>>();
  readonly #decided = new Set<string>();
  readonly #violations = new Map<string, number>();
  readonly #readings: LiveReadings;
  readonly #report: LiveReport;
  readonly #hints = new Hints();
  /** Of each requirement that failed, the calls of the first job since it is new, or back. */
  readonly #failing = new Map<string, FailingCalls>();
  /** Of these, those that were not taken yet. */
  readonly #untaken = new Set<string>();
  #missed = 0;
  /** What had passed when something was judged last. */
  #known = { judged: 0, unjudged: { lost: 0, unauthorized: 0, bodiless: 0, unanswered: 0 }, missed: 0 };
  #trouble: string | null = null;

  /** @param onOver called with each call that is over, whether it is judged or not */
  constructor(settings: LiveSettings, onOver?: (exchange: Exchange) => void) {
    this.#settings = settings;
    this.#life = new FindingsLife(settings.findings);
    this.#report = new LiveReport(settings);
    this.#readings = new LiveReadings(settings.dialect, settings.beganMs);
    const { upstream, edition, beganMs } = settings;
    this.#calls = new LiveCalls(upstream, edition, beganMs, HELD_CHARACTERS_MAX, onOver);
    this.#parts = new Parts(runOf(settings), PART_CALLS);
  }

  take(seen: Seen): readonly Alert[] {
    return this.#follow(this.#calls.take(seen), seen.atMs);
  }

  /**
   * So many calls have begun since it was said last of which nothing is told. Any of them may have changed the jobs that were
   * there while they were under way.
   */
  miss(calls: number, { fromMs, byMs }: Gap): void {
    this.#missed += calls;
    const { beganMs } = this.#settings;
    this.#parts.miss({ fromMs: fromMs - beganMs, byMs: (byMs ?? Infinity) - beganMs });
  }

  /** Judges what has changed, at most some hundred jobs; true in `more`: there is more. */
  look(nowMs: number): { readonly alerts: readonly Alert[]; readonly more: boolean } {
    for (const script of this.#awaited.due(nowMs)) this.#changed.add(script);
    const scripts = [...this.#changed].slice(0, LOOK_SCRIPTS_MAX);
    for (const script of scripts) this.#changed.delete(script);
    const soFar = this.#parts.soFar(scripts, this.#calls.underWay, (script) => this.#calls.endIfNow(script));
    const alerts = soFar === null ? [] : this.#alerts(this.#judge(soFar), soFar, nowMs);
    this.#lookForTrouble();
    return { alerts, more: this.#changed.size > 0 };
  }

  get state(): LiveState {
    const { judged, unjudged, endpoints, webhooks } = this.#calls;
    return {
      ...{ judged, unjudged, endpoints, webhooks, missed: this.#missed, open: this.#open.size },
      decided: this.#decided.size,
      violations: Object.fromEntries(this.#violations),
      findings: this.#life.all,
      readings: this.#readings.all,
      drifts: this.#readings.drifts,
      hints: this.#hints.found,
      trouble: this.#trouble,
    };
  }

  /** Judges what is not over, part by part: who is in a hurry need not go on. */
  *finish(nowMs: number): Generator<void> {
    for (const event of this.#calls.finish()) {
      this.#follow([event], nowMs);
      if (event.kind === 'script-end') yield;
    }
    this.#concludePart(nowMs);
  }

  /** When the calls began that have not ended, those of webhooks too, ms since 1970. */
  get underWay(): readonly number[] {
    const calls = this.#calls.underWay.map(({ sentMs }) => sentMs + this.#settings.beganMs);
    return [...calls, ...this.#calls.webhooksUnderWay];
  }

  /** The report on all that is over. Null: no call of the API is. */
  get finished(): FinishedLive | null {
    return this.#report.finished(this.#calls.addresses, this.#hints.found);
  }

  /** By requirement, the calls that failed it, where they are new since this was asked last. */
  takeFailing(): readonly (readonly [requirement: string, calls: FailingCalls])[] {
    const taken = [...this.#untaken].map((id) => [id, this.#failing.get(id)!] as const);
    this.#untaken.clear();
    return taken;
  }

  /** So many calls pass and none is judged: that is told, for silence would look like success. */
  #lookForTrouble(): void {
    const { judged, unjudged } = this.#calls;
    const known = this.#known;
    if (judged > known.judged) {
      this.#trouble = null;
      this.#known = { judged, unjudged: { ...unjudged }, missed: this.#missed };
      return;
    }
    const since = (reason: keyof Unjudged): number => unjudged[reason] - known.unjudged[reason];
    const reasons = [
      [since('lost'), 'were not answered'],
      [since('unauthorized'), 'were answered 401 or 403'],
      [
        since('bodiless'),
        'had a body of more than 24 MB, one for which there was no room, or one that was answered before it was all sent',
      ],
      [since('unanswered'), 'went to addresses that never answered as an endpoint does'],
      [this.#missed - known.missed, 'came faster than they can be judged'],
    ] as const;
    if (reasons.reduce((sum, [count]) => sum + count, 0) < TROUBLE_CALLS) return;
    const told = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
    this.#trouble ??= `of the last calls none could be judged: ${told.join(', ')}`;
  }

  #follow(events: Iterable<HistoryEvent>, nowMs: number): readonly Alert[] {
    const alerts: Alert[] = [];
    for (const event of events) {
      this.#parts.take(event);
      this.#hints.see(event);
      if (event.kind === 'script') this.#open.add(event.script);
      if (event.kind === 'call' || event.kind === 'webhook') {
        this.#changed.add(event.script);
        this.#awaited.note(event.script, nowMs);
      }
      if (event.kind === 'script-end') {
        this.#open.delete(event.script);
        this.#changed.delete(event.script);
        this.#awaited.forget(event.script);
      }
      if (this.#parts.isComplete) alerts.push(...this.#concludePart(nowMs));
    }
    return alerts;
  }

  #concludePart(nowMs: number): readonly Alert[] {
    const part = this.#parts.part();
    if (part === null) return [];
    const findings = this.#judge(part);
    const alerts = this.#alerts(findings, part, nowMs);
    for (const event of part) if (event.kind === 'script') this.#told.delete(event.script);
    this.#report.add(findings, part);
    return alerts;
  }

  #judge(part: readonly HistoryEvent[]): Findings {
    return judge(part, { failuresMax: FAILURES_MAX });
  }

  /** What is told of it that was not told before. */
  #alerts(findings: Findings, events: readonly HistoryEvent[], nowMs: number): readonly Alert[] {
    const alerts: Alert[] = [];
    for (const { id, level, text, decided, failed, failures } of findings.requirements) {
      if (decided > 0 && level === 'must') this.#decided.add(id);
      for (const { script, expected, actual, proof } of failures) {
        const told = this.#told.get(script) ?? new Set();
        this.#told.set(script, told);
        if (told.has(id)) continue;
        told.add(id);
        this.#violations.set(id, (this.#violations.get(id) ?? 0) + 1);
        const { upstream } = this.#settings;
        const job = jobOfScript(events, script, upstream);
        const failure = { requirement: id, level, text, expected, actual, proof, job };
        const finding = this.#life.failed(failure, nowMs);
        if (finding !== null) alerts.push({ kind: 'violation', finding: { ...finding } });
        if (finding === null && this.#failing.has(id)) continue;
        this.#failing.set(id, failingCalls(findings, events, script, upstream));
        this.#untaken.add(id);
      }
      const resolved = decided > failed && failed === 0 ? this.#life.passed(id, nowMs) : null;
      if (resolved !== null) alerts.push({ kind: 'resolved', finding: { ...resolved } });
    }
    const drifts = this.#readings.take(findings, events);
    return [...alerts, ...drifts.map((drift) => ({ kind: 'drift', ...drift }) as const)];
  }
}

function runOf(settings: LiveSettings): RunEvent {
  const {
    upstream,
    edition,
    graceMs,
    others,
    crashes,
    webhooks,
    executionTimeoutDefaultMs = null,
  } = settings;
  return {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof: packageVersion(),
    seed: 0,
    edition,
    target: { kind: 'http', name: upstream },
    capabilities: webhooks ? ['webhook-reachable'] : [],
    clock: 'real',
    graceMs: graceMs ?? GRACE_MS,
    earlyMs: REAL_EARLY_MS,
    executionTimeoutDefaultMs,
    capture: { others, complete: true, ...(!crashes && { crashes }) },
  };
}
