/** What `proxy` knows of the calls that pass, and whom it tells. */
import { FORMATS_DEFAULT } from '../../report/formats/names.js';
import { scriptPath, type FailingCalls } from '../../judging/live/failing-calls.js';
import type { Alert, LiveState } from '../../judging/live/live-judge.js';
import { linesOf } from '../../judging/live/live-readings.js';
import type { Exchange } from '../../history/exchange.js';
import { escapeControls, jsonText } from '../../report/escape.js';
import { program } from '../../program-name.js';
import type { Io } from '../../cli/io.js';
import { ADVANCE } from '../../traffic/another-clock.js';
import { areClientsJudged } from '../../cli/report/client-code.js';
import { minDecidedIn } from '../../cli/report/print-report.js';
import { proxiesIn } from '../../cli/proxies.js';
import { timeOfDay } from '../../cli/request-log.js';
import { runCommand } from '../../cli/run-command.js';
import { askClock } from './ask-clock.js';
import { AlertPosts } from './alert-posts.js';
import type { ProxySettings } from './index.js';
import { JudgeThread, type JudgeThreadOptions } from './judge-thread.js';
import type { FinishedReport } from './judge-worker.js';
import type { ProxyState } from './own-pages.js';
import type { Usable } from './proxy-command.js';
import type { ProxyMetrics } from './proxy-metrics.js';
import { RecentCalls } from './recent-calls.js';

export class Watch {
  /** Of the service, without a slash at its end. */
  readonly base: string;
  readonly failing = new Map<string, FailingCalls>();
  readonly metrics: ProxyMetrics;
  /** Calls, also those that are none of the API. */
  passed = 0;
  /** Null before anything was judged. */
  live: LiveState | null = null;
  /** Why nothing is judged; null: it is. */
  trouble: string | null = null;
  readonly #upstream: string;
  readonly #command: string | undefined;
  readonly #io: Io;
  readonly #posts: AlertPosts | null;
  readonly #beganMs = Date.now();
  readonly #recent = new RecentCalls();
  readonly #thread: JudgeThread;
  #statusUrl = '';

  constructor(settings: ProxySettings, watched: Usable, metrics: ProxyMetrics, io: Io) {
    this.metrics = metrics;
    this.#upstream = watched.upstream.href;
    this.base = this.#upstream.replace(/\/+$/u, '');
    this.#command = settings.onViolation;
    this.#io = io;
    this.#posts = postsTo(settings.alertUrl, io);
    this.#thread = new JudgeThread({
      settings: liveSettings(settings, watched, this.base, this.#beganMs),
      onFailing: (requirement, calls) => void this.failing.set(requirement, calls),
      onAlert: (alert) => this.#alerted(alert),
      onState: (state) => (this.live = state),
      onTrouble: (reason) => this.#troubled(reason),
      askClock: () => askClock(this.#upstream),
    });
  }

  /** @param statusUrl address of the page, where alerts find their scripts */
  begin(statusUrl: string): void {
    this.#statusUrl = statusUrl;
  }

  take(exchange: Exchange<Uint8Array>): void {
    this.#thread.take(exchange);
    this.#recent.take(exchange);
    this.metrics.take(exchange);
  }

  /** @param target of a call that passes, whatever it is */
  passes(target: string): void {
    this.passed += 1;
    if (ADVANCE.test(target)) this.#thread.askClock();
  }

  state(): ProxyState {
    const { passed, trouble, live } = this;
    const [upstream, beganMs] = [this.#upstream, this.#beganMs];
    return {
      ...{ upstream, beganMs, nowMs: Date.now(), passed, trouble, live },
      lag: this.#thread.lag,
      calls: this.#recent.all,
    };
  }

  /** Judges what is left, and sends alerts that are not sent yet. Null: nothing was judged. */
  async finish(sendMs: number): Promise<FinishedReport | null> {
    const finished = await this.#thread.finish();
    await this.#posts?.close(sendMs);
    return finished;
  }

  #alerted(told: Alert): void {
    if (told.kind !== 'violation') return this.#tell(told, alertText(told));
    const { requirement } = told.finding;
    const { file = null, whyNone = null } = this.failing.get(requirement) ?? {};
    const script = file === null ? null : scriptPath(requirement);
    const where = script === null ? `none: ${whyNone}` : this.#statusUrl + script;
    this.#tell({ ...told, script }, `${alertText(told)}\n  script:   ${escapeControls(where)}`);
  }

  #troubled(reason: string | null): void {
    if (reason !== null) this.#tell({ kind: 'unjudged', reason }, `NOT JUDGED: ${reason}`);
    else if (this.trouble !== null) this.#say('judged again');
    this.trouble = reason;
  }

  #say(line: string): void {
    this.#io.out(`${timeOfDay(new Date())} ${line}\n`);
  }

  #tell(what: object, line: string): void {
    this.#say(line);
    const told = jsonText({ ...what, upstream: this.#upstream, text: line });
    this.#posts?.post(told);
    if (this.#command !== undefined)
      runCommand('on-violation', this.#command, `${told}\n`, { RUNPROOF_UPSTREAM: this.#upstream }, this.#io);
  }
}

function postsTo(url: URL | undefined, io: Io): AlertPosts | null {
  if (url === undefined) return null;
  return new AlertPosts({
    url,
    proxies: proxiesIn(io, url.href),
    onLost: (reason) => io.err(`--alert-url: alerts do not arrive: ${reason}\n`),
  });
}

function liveSettings(
  settings: ProxySettings,
  { edition, webhooks, dialect, kept, record }: Usable,
  upstream: string,
  beganMs: number,
): JudgeThreadOptions['settings'] {
  const {
    graceMs,
    world,
    crashes,
    executionTimeoutDefaultMs,
    formats = FORMATS_DEFAULT,
    out = null,
  } = settings;
  return {
    ...{ upstream, beganMs, edition, graceMs, executionTimeoutDefaultMs, formats, record },
    reader: { program: program(), directory: out },
    clients: areClientsJudged(settings) ? { by: settings.clientBy } : undefined,
    others: world !== 'closed',
    crashes: crashes !== 'no',
    webhooks: webhooks !== undefined && webhooks.publicUrl !== null,
    dialect: dialect.held?.dialect,
    findings: kept.findings,
    minDecided: minDecidedIn(settings),
  };
}

function alertText(alert: Alert): string {
  const told = (line: string): string => escapeControls(line);
  if (alert.kind === 'unrecorded') return told(`NOT RECORDED: ${alert.reason}`);
  if (alert.kind === 'drift')
    return [
      `CHANGED ${alert.question}: ${alert.observed} instead of ${alert.expected}`,
      ...linesOf(alert).map((line) => `  ${line}`),
    ]
      .map(told)
      .join('\n');
  const { requirement, level, text: says, state, expected, actual, proof } = alert.finding;
  if (alert.kind === 'resolved') return told(`resolved ${requirement}`);
  return [
    `${level === 'must' ? 'FAILED' : 'against advice'} ${requirement}${state === 'regressed' ? ', again' : ''}: ${says}`,
    ...(expected === says ? [] : [`  expected: ${expected}`]),
    `  actual:   ${actual}`,
    ...proof.map((line) => `  ${line}`),
  ]
    .map(told)
    .join('\n');
}
