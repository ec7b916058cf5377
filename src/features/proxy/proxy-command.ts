/** `proxy`: passes calls on to a service, and judges them as they pass, until Ctrl-C. */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.js';
import { removeOldFailures } from '../../files/report-folder.js';
import { whyUnusable } from '../../files/user-file.js';
import { FORMATS_DEFAULT } from '../../judging/conclude-run.js';
import { whyNotListening } from '../../wire/listen.js';
import { UsageError } from '../../util/errors.js';
import { AlertPosts } from './alert-posts.js';
import { scriptPath, type FailingCalls } from '../../judging/live/failing-calls.js';
import { JudgeThread } from './judge-thread.js';
import type { Alert, LiveState } from '../../judging/live/live-judge.js';
import { linesOf } from '../../judging/live/live-readings.js';
import { createProxyMetrics } from './proxy-metrics.js';
import { answerOwn, type ProxyState } from './own-pages.js';
import { RecentCalls } from './recent-calls.js';
import { startProxy } from '../../proxy/proxy-server.js';
import { startStatus } from '../../proxy/status-server.js';
import { escapeControls, jsonText } from '../../report/escape.js';
import { createRedactor, type ExitCode } from '../../report/index.js';
import { isOfApi, namesAt } from '../../traffic/index.js';
import { program } from '../../program-name.js';
import { dialectSettings, saveDialect } from '../../cli/dialect-option.js';
import type { Io } from '../../cli/io.js';
import { settingsOf, type RawOptions } from '../../cli/option.js';
import { printReport } from '../../cli/print-report.js';
import { PROXY_OPTIONS } from './options.js';
import { readState, writeState, type KeptState } from './state-file.js';
import { statusToken, tlsOf } from './listen-option.js';
import { recordOption } from './record-option.js';
import { webhookOptions } from './webhooks-option.js';
import { proxiesIn } from '../../cli/proxies.js';
import { timeOfDay } from '../../cli/request-log.js';
import { runCommand } from '../../cli/run-command.js';
import { outputSettings, text } from '../../cli/settings.js';

/** Calls under way are waited for at the end, and then alerts that are not sent yet. */
const END_MS = 2_000;

export async function proxy(raw: RawOptions, io: Io): Promise<ExitCode> {
  const output = outputSettings(raw, io);
  const given = settingsOf(PROXY_OPTIONS, raw, io.cwd);
  if (given.upstream === undefined)
    throw new UsageError('--upstream requires the address of the service, such as https://api.example.test');
  const upstream = new URL(given.upstream);
  const { host, port } = given.listen ?? { host: '127.0.0.1', port: 8_090 };
  const dialect = dialectSettings(raw, io.cwd, given.edition ?? null);
  const stateFile = text(raw, 'state');
  const kept: KeptState =
    stateFile === undefined ? { findings: [] } : readState(resolve(io.cwd, stateFile), stateFile);
  const webhooks = webhookOptions(
    given.rewriteWebhooks,
    upstream,
    host,
    kept.webhookKey,
    given.allowPrivateWebhooks ?? false,
  );
  const tls = tlsOf(given, io.cwd);
  const statusAt = given.statusListen ?? { host: '127.0.0.1', port: port === 0 ? 0 : port + 1 };
  const token = statusToken(statusAt, io);
  // Whether it can be written shows now, and not after a week of calls.
  if (output.out !== undefined) openFolder(resolve(io.cwd, output.out));
  const record = recordOption(given, io);
  const command = text(raw, 'onViolation');
  const posts =
    given.alertUrl === undefined
      ? null
      : new AlertPosts({
          url: given.alertUrl,
          proxies: proxiesIn(io, given.alertUrl.href),
          onLost: (reason) => io.err(`--alert-url: alerts do not arrive: ${reason}\n`),
        });
  const beganMs = Date.now();
  let live: LiveState | null = null;
  let trouble: string | null = null;
  // Callbacks change it.
  const troubleOf = (): string | null => trouble;
  let passed = 0;
  const failing = new Map<string, FailingCalls>();
  const say = (line: string): void => io.out(`${timeOfDay(new Date())} ${line}\n`);
  const alert = (what: object, line: string): void => {
    say(line);
    const told = jsonText({ ...what, upstream: upstream.href, text: line });
    posts?.post(told);
    if (command !== undefined)
      runCommand('on-violation', command, `${told}\n`, { RUNPROOF_UPSTREAM: upstream.href }, io);
  };
  const base = upstream.href.replace(/\/+$/u, '');
  const edition = given.edition ?? 'document';
  const thread = new JudgeThread({
    settings: {
      ...{ upstream: base, beganMs, edition },
      reader: { program: program(), directory: output.out ?? null },
      graceMs: given.graceMs,
      others: given.world !== 'closed',
      crashes: given.crashes !== 'no',
      executionTimeoutDefaultMs: given.executionTimeoutDefaultMs,
      webhooks: webhooks !== undefined && webhooks.publicUrl !== null,
      dialect: dialect.held?.dialect,
      findings: kept.findings,
      minDecided: output.minDecided,
      formats: output.formats ?? FORMATS_DEFAULT,
      record,
    },
    onFailing: (requirement, calls) => void failing.set(requirement, calls),
    onAlert(told) {
      if (told.kind !== 'violation') return alert(told, alertText(told));
      const { requirement } = told.finding;
      const { file = null, whyNone = null } = failing.get(requirement) ?? {};
      const script = file === null ? null : scriptPath(requirement);
      const where = script === null ? `none: ${whyNone}` : status.localUrl + script;
      alert({ ...told, script }, `${alertText(told)}\n  script:   ${escapeControls(where)}`);
    },
    onState(state) {
      live = state;
    },
    onTrouble(reason) {
      if (reason !== null) alert({ kind: 'unjudged', reason }, `NOT JUDGED: ${reason}`);
      else if (trouble !== null) say('judged again');
      trouble = reason;
    },
  });
  const recent = new RecentCalls();
  const metrics = await createProxyMetrics();
  const running = await startProxy({
    ...{ upstream, host, port, webhooks, tls },
    tap(exchange) {
      thread.take(exchange);
      recent.take(exchange);
      metrics.take(exchange);
    },
    namesOf(method, target) {
      passed += 1;
      const names = namesAt(method, base + target, edition);
      return isOfApi(method, names) ? names : null;
    },
  }).catch((error: Error) => {
    throw new UsageError(
      `--listen ${host}:${port}: ${whyNotListening(error, { host, port }) ?? error.message}`,
    );
  });
  const status = await startStatus({
    ...statusAt,
    token,
    answer(request) {
      const state: ProxyState = {
        ...{ upstream: upstream.href, beganMs, nowMs: Date.now(), passed, trouble, live },
        lag: thread.lag,
        calls: recent.all,
      };
      return answerOwn(request, state, failing, metrics);
    },
  }).catch(async (error: Error) => {
    await running.close(0);
    const why = whyNotListening(error, statusAt) ?? error.message;
    throw new UsageError(`--status-listen ${statusAt.host}:${statusAt.port}: ${why}`);
  });
  io.note(`${running.url} passes calls on to ${upstream.href}; Ctrl-C ends it with a report\n`);
  io.note(`what was seen: ${status.localUrl}\n`);
  let hasFailed = false;
  const save = (): void => {
    if (stateFile === undefined) return;
    try {
      const { findings } = live ?? kept;
      writeState(resolve(io.cwd, stateFile), { findings, webhookKey: webhooks?.key });
    } catch (error) {
      // Calls pass all the same.
      if (!hasFailed) io.err(`--state ${stateFile} ${whyUnusable(error)}\n`);
      hasFailed = true;
    }
  };
  save();
  const saving = setInterval(save, SAVED_EVERY_MS);
  await new Promise<void>((end) => {
    const forget = io.onInterrupt(() => {
      forget();
      end();
    });
  });
  clearInterval(saving);
  await Promise.all([running.close(END_MS), status.close(0)]);
  const finished = await thread.finish();
  await posts?.close(END_MS);
  save();
  const why = troubleOf();
  if (finished === null) {
    io.note(`${why ?? 'no call of the API has passed: nothing was judged'}\n`);
    return why === null ? 6 : 3;
  }
  saveDialect(finished.report, dialect, io);
  if (output.out !== undefined)
    for (const { file, content } of finished.files) write(resolve(io.cwd, output.out), file, content);
  return printReport(
    finished.report,
    { redactor: createRedactor([]), folder: output.out ?? null },
    output,
    io,
  );
}

const SAVED_EVERY_MS = 10_000;

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

function openFolder(folder: string): void {
  try {
    makeFolder(folder);
    removeOldFailures(join(folder, 'failures'));
  } catch (error) {
    throw new UsageError(`--out ${folder} ${whyUnusable(error)}: choose another folder`);
  }
}

function write(folder: string, file: string, content: string): void {
  try {
    makeFolder(dirname(join(folder, file)));
    // It shows what clients send.
    writeFileSync(join(folder, file), content, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`--out ${folder} ${whyUnusable(error)}: choose another folder`);
  }
}
