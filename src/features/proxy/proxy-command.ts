/** `proxy`: passes calls on to a service, and judges them as they pass, until Ctrl-C. */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.js';
import { removeOldFailures } from '../../files/report-folder.js';
import { whyUnusable } from '../../files/user-file.js';
import { UsageError } from '../../util/errors.js';
import { whyNotListening } from '../../wire/listen.js';
import { createProxyMetrics } from './proxy-metrics.js';
import { answerOwn } from './own-pages.js';
import { Callers } from '../../proxy/callers.js';
import { startProxy, type RunningProxy } from '../../proxy/proxy-server.js';
import { startStatus } from '../../proxy/status-server.js';
import { createRedactor, type ExitCode } from '../../report/index.js';
import { ASKING, isOfApi, namesAt } from '../../traffic/index.js';
import { dialectSettings, saveDialect } from '../../cli/options/dialect-option.js';
import type { Io } from '../../cli/io.js';
import { areClientsJudged, codeWithClients } from '../../cli/report/client-code.js';
import { printReport } from '../../cli/report/print-report.js';
import type { ProxySettings } from './index.js';
import { readState, writeState, type KeptState } from './state-file.js';
import { statusToken, tlsOf } from './listen-option.js';
import { recordOption } from './record-option.js';
import { webhookOptions } from './webhooks-option.js';
import { Watch } from './watch.js';

/** Calls under way are waited for at the end, and then alerts that are not sent yet. */
const END_MS = 2_000;
const SAVED_EVERY_MS = 10_000;

export type Usable = ReturnType<typeof usableOf>;

export async function proxy(settings: ProxySettings, io: Io): Promise<ExitCode> {
  const usable = usableOf(settings, io);
  const watch = new Watch(settings, usable, await createProxyMetrics(), io);
  const running = await passingOn(usable, watch, settings);
  const status = await showing(usable, watch, running);
  watch.begin(status.localUrl);
  io.note(
    `${running.url} passes calls on to ${usable.upstream.href}; Ctrl-C ends the proxy and prints a report\n`,
  );
  io.note(`status page: ${status.localUrl}\n`);
  const save = saver(settings.state, usable, watch, io);
  save();
  const saving = setInterval(save, SAVED_EVERY_MS);
  await interrupted(io);
  clearInterval(saving);
  await Promise.all([running.close(END_MS), status.close(0)]);
  const finished = await watch.finish(END_MS);
  save();
  if (finished === null) {
    io.note(`${watch.trouble ?? 'no call of the API has passed: nothing was judged'}\n`);
    return watch.trouble === null ? 6 : 3;
  }
  const { report, files } = finished;
  saveDialect(report, usable.dialect, io);
  const { out } = settings;
  if (out !== undefined) for (const { file, content } of files) write(resolve(io.cwd, out), file, content);
  const code = printReport(report, { redactor: createRedactor([]), folder: out ?? null }, settings, io);
  return codeWithClients(code, report, settings);
}

/** What the settings say, once it is known that all of it can be used. @throws {UsageError} */
function usableOf(settings: ProxySettings, io: Io) {
  if (settings.upstream === undefined)
    throw new UsageError('--upstream requires the address of the service, such as https://api.example.test');
  const upstream = new URL(settings.upstream);
  const { listen = { host: '127.0.0.1', port: 8_090 }, edition = 'document', state, out } = settings;
  const { host, port } = listen;
  const dialect = dialectSettings(settings, io.cwd, settings.edition ?? null);
  const kept: KeptState = state === undefined ? { findings: [] } : readState(resolve(io.cwd, state), state);
  const { rewriteWebhooks, allowPrivateWebhooks } = settings;
  const webhooks = webhookOptions(rewriteWebhooks, upstream, host, kept.webhookKey, allowPrivateWebhooks);
  const tls = tlsOf(settings, io.cwd);
  const { statusListen: statusAt = { host: '127.0.0.1', port: port === 0 ? 0 : port + 1 } } = settings;
  const token = statusToken(statusAt, io);
  // Whether it can be written shows now, and not after a week of calls.
  if (out !== undefined) openFolder(resolve(io.cwd, out));
  const record = recordOption(settings, io);
  return { upstream, edition, listen, dialect, kept, webhooks, tls, statusAt, token, record };
}

/** Starts to pass calls on. */
async function passingOn(
  { listen, upstream, webhooks, tls, edition }: Usable,
  watch: Watch,
  settings: ProxySettings,
): Promise<RunningProxy> {
  const callers = areClientsJudged(settings) ? new Callers(settings.clientBy?.toLowerCase()) : undefined;
  return startProxy({
    ...{ ...listen, upstream, webhooks, tls, callers },
    tap: (exchange) => watch.take(exchange),
    namesOf(method, target) {
      watch.passes(target);
      const names = namesAt(method, watch.base + target, edition);
      // A client that uses the wrong method breaks a rule for clients.
      return isOfApi(method, names) || (callers !== undefined && !ASKING.has(method)) ? names : null;
    },
  }).catch((error: Error) => {
    const { host, port } = listen;
    throw new UsageError(`--listen ${host}:${port}: ${whyNotListening(error, listen) ?? error.message}`);
  });
}

/** Starts the page and the metrics. */
function showing(
  { statusAt, token }: Usable,
  watch: Watch,
  running: RunningProxy,
): ReturnType<typeof startStatus> {
  return startStatus({
    ...{ ...statusAt, token },
    answer: (request) => answerOwn(request, watch.state(), watch.failing, watch.metrics),
  }).catch(async (error: Error) => {
    await running.close(0);
    const why = whyNotListening(error, statusAt) ?? error.message;
    throw new UsageError(`--status-listen ${statusAt.host}:${statusAt.port}: ${why}`);
  });
}

/** Writes what the next proxy goes on with. */
function saver(file: string | undefined, { kept, webhooks }: Usable, watch: Watch, io: Io): () => void {
  let hasFailed = false;
  return () => {
    if (file === undefined) return;
    try {
      const { findings } = watch.live ?? kept;
      writeState(resolve(io.cwd, file), { findings, webhookKey: webhooks?.key });
    } catch (error) {
      // Calls pass all the same.
      if (!hasFailed) io.err(`--state ${file} ${whyUnusable(error)}\n`);
      hasFailed = true;
    }
  };
}

const interrupted = (io: Io): Promise<void> =>
  new Promise((end) => {
    const forget = io.onInterrupt(() => {
      forget();
      end();
    }, true);
  });

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
