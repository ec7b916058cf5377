/**
 * Judges calls while they pass. A job is judged again whenever something new is known of it, and at last when nothing more is
 * expected; only that counts in the report. It reads no clock: what it is given says when it was.
 */
import type { HistoryEvent } from '../../history/events.js';
import type { Exchange } from '../../history/exchange.js';
import { PartsJudge, type Failure, type Findings, type RequirementFinding } from '../../oracle/index.js';
import { createRedactor, type FormatName, type MinDecided, type Reader } from '../../report/index.js';
import type { Dialect, Edition } from '../../spec/index.js';
import type { Hint } from '../../traffic/hints/hint.js';
import { Hints, inText, Parts } from '../../traffic/index.js';
import { OF_ANOTHER_CLOCK } from '../../traffic/another-clock.js';
import type { ReportedClient } from '../../report/client/seen.js';
import { AwaitedWebhooks } from './awaited-webhooks.js';
import { failingCalls, jobOfScript, type FailingCalls } from './failing-calls.js';
import { FindingsLife, type Finding } from './findings-life.js';
import { LiveCalls, toldMs, type Unjudged } from './live-calls.js';
import { LiveClients } from './live-clients.js';
import { LiveReadings, type Drift } from './live-readings.js';
import { LiveReport, type FinishedLive } from './live-report.js';
import { runOf } from './live-run.js';
import { LiveTrouble } from './live-trouble.js';
import type { RecordSettings } from './record-folder.js';
import { secretsIn } from './secrets-in.js';
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
  /** Judges clients, too, and tells them apart by this header field, if any. Absent: they are not judged. */
  readonly clients?: { readonly by: string | undefined } | undefined;
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
  /** Those that broke a rule first; absent: they are not judged. */
  readonly clients?: readonly ReportedClient[];
  /** Why what passes cannot be judged; null: it can, or nothing passes. */
  readonly trouble: string | null;
}

/** Of what is held of jobs that are not over. */
const HELD_CHARACTERS_MAX = 8_000_000;
/** Scripts judged at a look: more would keep what passes waiting for too long. */
const LOOK_SCRIPTS_MAX = 200;
const FAILURES_MAX = 20;

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
  readonly #judge = new PartsJudge({ failuresMax: FAILURES_MAX });
  /** What the parts that are over have shown; null: none is over. */
  #findings: Findings | null = null;
  /** What is known to have failed only by what came later, after its calls were forgotten. */
  readonly #failedLater = new Set<string>();
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
  readonly #clients: LiveClients | null;
  readonly #trouble = new LiveTrouble();
  readonly #onOver: ((exchange: Exchange) => void) | undefined;
  /** The service has said so: the times of calls are not those that it knows. */
  #isOfAnotherClock = false;

  /**
   * @param onOver called with each call that is over, whether it is judged or not
   * @param callsMax when so many are over, they are judged as a part; absent: as many as `judge` takes
   */
  constructor(settings: LiveSettings, onOver?: (exchange: Exchange) => void, callsMax?: number) {
    this.#settings = settings;
    this.#onOver = onOver;
    this.#life = new FindingsLife(settings.findings);
    this.#report = new LiveReport(settings);
    this.#readings = new LiveReadings(settings.dialect, settings.beganMs);
    const { upstream, beganMs } = settings;
    this.#clients =
      settings.clients === undefined ? null : new LiveClients(settings.edition, settings.clients.by);
    const over = (exchange: Exchange): void => {
      this.#clients?.over.push(exchange);
      onOver?.(exchange);
    };
    this.#calls = new LiveCalls(upstream, beganMs, HELD_CHARACTERS_MAX, over, ({ fromMs, byMs }) =>
      this.#parts.change({ fromMs: fromMs - beganMs, byMs: byMs - beganMs }),
    );
    this.#parts = new Parts(runOf(settings), callsMax);
  }

  /**
   * @param exchange one that begins, or that is over; its target is what follows the upstream's address. Or, with its whole
   *   address, what the service has said of its clock
   */
  take(exchange: Exchange<Uint8Array>): readonly Alert[] {
    if (exchange.names === null && exchange.webhook === undefined) {
      this.#isOfAnotherClock = true;
      this.#onOver?.(inText(exchange));
    }
    const events = this.#calls.take(exchange);
    if (this.#isOfAnotherClock) {
      // They are recorded, and no more.
      for (const _ of events) continue;
      return [];
    }
    const alerts = this.#follow(events, toldMs(exchange));
    this.#parts.changingFromMs = this.#calls.changingFromMs - this.#settings.beganMs;
    this.#clients?.take(this.#calls.addresses);
    return alerts;
  }

  /**
   * So many calls have begun since it was said last of which nothing is told. Any of them may have changed the jobs that were
   * there while they were under way.
   */
  miss(calls: number, { fromMs, byMs }: Gap): void {
    this.#missed += calls;
    this.#clients?.miss();
    const { beganMs } = this.#settings;
    this.#parts.miss({ fromMs: fromMs - beganMs, byMs: (byMs ?? Infinity) - beganMs });
  }

  /** Judges what has changed, at most some hundred jobs; true in `more`: there is more. */
  look(nowMs: number): { readonly alerts: readonly Alert[]; readonly more: boolean } {
    if (this.#isOfAnotherClock) return { alerts: [], more: false };
    for (const script of this.#awaited.due(nowMs)) this.#changed.add(script);
    const scripts = [...this.#changed].slice(0, LOOK_SCRIPTS_MAX);
    for (const script of scripts) this.#changed.delete(script);
    const soFar = this.#parts.soFar(scripts, this.#calls.underWay, (script) => this.#calls.endIfNow(script));
    const alerts = soFar === null ? [] : this.#alerts(this.#judge.look(soFar), soFar, nowMs);
    this.#trouble.look(this.#calls, this.#missed);
    this.#clients?.look(nowMs);
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
      ...(this.#clients && { clients: this.#clients.found }),
      trouble: this.#isOfAnotherClock ? OF_ANOTHER_CLOCK : this.#trouble.told,
    };
  }

  /** Judges what is not over, part by part: who is in a hurry need not go on. */
  *finish(nowMs: number): Generator<void> {
    if (this.#isOfAnotherClock) return;
    for (const event of this.#calls.finish()) {
      this.#follow([event], nowMs);
      if (event.kind === 'script-end') yield;
    }
    this.#concludePart(nowMs);
    this.#clients?.look(Infinity);
  }

  /** When the calls began that have not ended, those of webhooks too, ms since 1970. */
  get underWay(): readonly number[] {
    const calls = this.#calls.underWay.map(({ sentMs }) => sentMs + this.#settings.beganMs);
    return [...calls, ...this.#calls.webhooksUnderWay];
  }

  /** The report on all that is over. Null: no call of the API is. */
  get finished(): FinishedLive | null {
    if (this.#findings === null || this.#isOfAnotherClock) return null;
    const finished = this.#report.finished(this.#findings, this.#calls.addresses, this.#hints.found);
    const clients = this.#clients?.found;
    return clients ? { ...finished, report: { ...finished.report, clients } } : finished;
  }

  /** By requirement, the calls that failed it, where they are new since this was asked last. */
  takeFailing(): readonly (readonly [requirement: string, calls: FailingCalls])[] {
    const taken = [...this.#untaken].map((id) => [id, this.#failing.get(id)!] as const);
    this.#untaken.clear();
    return taken;
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
        this.#awaited.forget(event.script);
      }
      if (this.#parts.isComplete) alerts.push(...this.#concludePart(nowMs));
    }
    return alerts;
  }

  #concludePart(nowMs: number): readonly Alert[] {
    const part = this.#parts.part();
    if (part === null) return [];
    const alerts = this.#alerts(this.#judge.take(part), part, nowMs);
    for (const event of part) {
      if (event.kind !== 'script') continue;
      this.#told.delete(event.script);
      this.#changed.delete(event.script);
    }
    const findings = this.#judge.conclude()!;
    this.#report.add(findings, this.#findings, part);
    this.#findings = findings;
    return alerts;
  }

  /** What is told of it that was not told before. */
  #alerts(findings: Findings, events: readonly HistoryEvent[], nowMs: number): readonly Alert[] {
    const alerts: Alert[] = [];
    const scripts = new Set(events.flatMap((event) => (event.kind === 'script' ? [event.script] : [])));
    for (const [at, requirement] of findings.requirements.entries()) {
      const { id, level, decided, failed, failures } = requirement;
      if (decided > 0 && level === 'must') this.#decided.add(id);
      const before = this.#findings?.requirements[at] ?? { decided: 0, failed: 0 };
      const own = failures.filter(({ script }) => scripts.has(script));
      for (const failure of own) alerts.push(...this.#failed(requirement, failure, findings, events, nowMs));
      const isLater = own.length === 0 && failed > 0 && before.failed === 0 && !this.#failedLater.has(id);
      if (isLater) alerts.push(...this.#failedBefore(requirement, nowMs));
      const hasPassed = own.length === 0 && failed <= before.failed && decided > before.decided;
      const resolved = hasPassed ? this.#life.passed(id, nowMs) : null;
      if (resolved !== null) alerts.push({ kind: 'resolved', finding: { ...resolved } });
    }
    const drifts = this.#readings.take(findings, events);
    return [...alerts, ...drifts.map((drift) => ({ kind: 'drift', ...drift }) as const)];
  }

  #failed(
    { id, level, text }: RequirementFinding,
    failure: Failure,
    findings: Findings,
    events: readonly HistoryEvent[],
    nowMs: number,
  ): readonly Alert[] {
    const { script } = failure;
    const told = this.#told.get(script) ?? new Set();
    this.#told.set(script, told);
    if (told.has(id)) return [];
    told.add(id);
    this.#violations.set(id, (this.#violations.get(id) ?? 0) + 1);
    const { upstream } = this.#settings;
    const job = jobOfScript(events, script, upstream);
    const secrets = secretsIn(events.filter((event) => 'script' in event && event.script === script));
    const { expected, actual, proof } = createRedactor(secrets).value(failure);
    const finding = this.#life.failed({ requirement: id, level, text, expected, actual, proof, job }, nowMs);
    if (finding === null && this.#failing.has(id)) return [];
    this.#failing.set(id, failingCalls(findings, events, script, upstream));
    this.#untaken.add(id);
    return finding === null ? [] : [{ kind: 'violation', finding: { ...finding } }];
  }

  /** Only what came later shows that jobs have failed it whose calls are not held any more. */
  #failedBefore({ id, level, text, failures }: RequirementFinding, nowMs: number): readonly Alert[] {
    const [first] = failures;
    if (first === undefined) return [];
    this.#failedLater.add(id);
    this.#violations.set(id, (this.#violations.get(id) ?? 0) + 1);
    const { expected, actual, proof } = this.#report.redactor.value(first);
    const failure = { requirement: id, level, text, expected, actual, proof, job: null };
    const finding = this.#life.failed(failure, nowMs);
    return finding === null ? [] : [{ kind: 'violation', finding: { ...finding } }];
  }
}
