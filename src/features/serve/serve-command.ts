/** `serve`: runs the endpoint itself until Ctrl-C. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ExitCode } from '../../report/index.js';
import {
  LOCAL_API_KEY,
  OptionsError,
  startServer,
  workerEnvironment,
  type RunningServer,
  type ServerOptions,
} from '../../server/index.js';
import { shownUrl } from '../../server/server-log.js';
import { handlerErrorText, logText, timeOfDay } from '../../cli/request-log.js';
import { watchHandler } from './handler-file.js';
import { findApiKey, findOtherKeys, KEY_VARIABLE, keyInShell } from '../../cli/options/api-key.js';
import { RecordFile } from './record-file.js';
import { loadDialect, notFollowed } from '../../cli/options/dialect-option.js';
import { whyNotListening } from '../../wire/listen.js';
import { UsageError } from '../../util/errors.js';
import { isLoopback } from '../../util/address.js';
import type { CallFilter } from '../../util/call-filter.js';
import type { Io } from '../../cli/io.js';
import { knownFault } from '../../cli/known-fault.js';
import type { Edition } from '../../spec/index.js';
import type { Mutant } from '../../mutants/index.js';
import type { ServeSettings } from './index.js';
import { limitedRules } from './limits/options.js';
import { workerOptions } from './worker-options.js';
import type { LOGS } from '../../cli/options/option-values.js';
import { SEED_MAX } from '../../checking/plan/seed.js';
import { exactDuration } from '../../util/duration.js';
import { program } from '../../program-name.js';

const HOUR_MS = 3_600_000;

function serverOptions(settings: ServeSettings, io: Io): ServerOptions {
  const { host, port, clock, speed, data, handler, pull, logOnly, record, dialect, edition } = settings;
  const log = settings.log ?? (logOnly && 'lines');
  const { endpoints, allowedHosts, forwardWebhooks, faults, salvage, metrics, control } = settings;
  const keys = keysIn(settings, io);
  const loaded = dialect === undefined ? null : loadDialect(dialect, io.cwd);
  for (const line of loaded === null ? [] : notFollowed(loaded)) io.err(`${line}\n`);
  const isLocal = host === undefined || isLoopback(host);
  checkTogether(settings, keys.apiKeys !== undefined || isLocal, io.cwd);
  return {
    ...{ port, host, endpoints, allowedHosts, forwardWebhooks, faults, clock, speed, salvage },
    ...keys,
    ...workerOptions(settings),
    edition: edition ?? loaded?.edition ?? 'document',
    control: control || undefined,
    page: settings.page && !isLocal ? 'keyed' : undefined,
    metrics: metrics || undefined,
    webhookReach: settings.allowPrivateWebhooks ? 'anywhere' : undefined,
    onOutOfReach: (unreached) =>
      io.err(
        `webhooks to ${unreached} are not called: the address is private (see --allow-private-webhooks)\n`,
      ),
    data: data && resolve(io.cwd, data),
    handler: handler === undefined ? undefined : resolve(io.cwd, handler),
    seed: settings.seed ?? Math.floor(Math.random() * SEED_MAX),
    ...(log === undefined ? {} : logTo(io, log, logOnly)),
    // The page opens calls.
    bodies: log === 'bodies' || log === 'json' || isLocal,
    // The page saves what was called.
    record: record !== undefined || isLocal,
    dialect: {
      // The user's own worker means what it returns, even if it also streams.
      ...(pull ? { '4.4/final-output': 'handler-return' } : {}),
      ...loaded?.dialect,
    },
  };
}

function keysIn(settings: ServeSettings, io: Io): Pick<ServerOptions, 'apiKeys' | 'unpermittedKeys'> {
  const apiKey = findApiKey(settings, io);
  const { otherApiKey, unpermittedApiKey } = findOtherKeys(settings, apiKey, io);
  if (apiKey === undefined && otherApiKey !== undefined)
    throw new UsageError('the key of another user requires a key of your own: add --api-key-file FILE');
  return {
    apiKeys: apiKey === undefined ? undefined : [apiKey, otherApiKey].filter((key) => key !== undefined),
    unpermittedKeys: unpermittedApiKey === undefined ? undefined : [unpermittedApiKey],
  };
}

/** @param isGuarded it has a key of its own, or other machines do not reach it */
function checkTogether(
  { host, data, speed, clock, watch, handler, salvage }: ServeSettings,
  isGuarded: boolean,
  cwd: string,
): void {
  if (!isGuarded)
    throw new UsageError(
      `--host ${host}: other machines can reach it, so it requires a key: set RUNPROOF_API_KEY, or add --api-key-file FILE`,
    );
  if (data === '') throw new UsageError('--data requires the name of a folder');
  if (speed !== undefined && clock === 'controlled')
    throw new UsageError(
      '--speed requires time that runs by itself: a controlled clock moves only when it is advanced, so leave out --clock controlled',
    );
  if (watch && handler === undefined)
    throw new UsageError('--watch requires the handler to load again: add --handler FILE');
  if (handler !== undefined && !existsSync(resolve(cwd, handler)))
    throw new UsageError(`--handler ${handler} does not exist`);
  if (salvage && data === undefined)
    throw new UsageError('--salvage requires the damaged folder: add --data DIR');
}

function logTo(
  io: Io,
  log: (typeof LOGS)[number],
  isShown: CallFilter = () => true,
): Pick<ServerOptions, 'onLog' | 'onHandlerError'> {
  return {
    onLog(entry) {
      const text = logText(entry, log, isShown);
      if (text !== '') io.out(text);
    },
    onHandlerError: (error, job) => io.err(handlerErrorText(timeOfDay(new Date()), error, job)),
  };
}

export async function serve(settings: ServeSettings, io: Io): Promise<ExitCode> {
  const { mutant, record: recordName, quiet } = settings;
  const planted = mutant === undefined ? null : await knownFault(mutant);
  const read = serverOptions(settings, io);
  const recordFile = recordName === undefined ? null : new RecordFile(recordName, io);
  const onCall = recordFile === null ? undefined : (): void => recordFile.called();
  const limited = limitedRules(settings);
  const rules: ServerOptions['rules'] = (usual) => (planted?.rules ?? ((same) => same))(limited(usual));
  const fromCommandLine: ServerOptions = { ...read, rules, onCall };
  const { handler } = fromCommandLine;
  const watched = settings.watch && typeof handler === 'string' ? await watchHandler(handler, io) : null;
  const options = watched === null ? fromCommandLine : { ...fromCommandLine, handler: watched.handler };
  const server = await start(options).catch((error: unknown) => {
    watched?.close();
    throw error;
  });
  if (server.salvaged !== null) io.err(`${server.salvaged}\n`);
  else if (options.salvage === true) io.note('the data folder is not damaged: nothing was changed\n');
  recordFile?.begin(server.recordedScript);
  const endpoint = encodeURIComponent(options.endpoints?.[0] ?? 'test');
  const { edition = 'document', clock = 'real' } = options;
  io.out(`serving ${server.url}/v2/${endpoint}  (edition ${edition}, ${clock} clock)\n`);
  if (!quiet)
    for (const line of whatElse(server, endpoint, options, planted, settings, io)) io.out(`${line}\n`);
  return new Promise((done, failed) => {
    const forget = io.onInterrupt(() => {
      watched?.close();
      recordFile?.write();
      server
        .close()
        .then(() => {
          recordFile?.close(replayOptions(edition, settings));
          done(0);
        })
        .catch(failed)
        .finally(() => forget());
    }, options.onLog !== undefined);
  });
}

/** What a user may want to know, or to type. */
function whatElse(
  { url, controlUrl, pageUrl }: RunningServer,
  endpoint: string,
  { apiKeys, edition, faults = [], forwardWebhooks, metrics, seed, speed = 1 }: ServerOptions,
  planted: Mutant | null,
  settings: ServeSettings,
  io: Io,
): readonly string[] {
  // The default key is public; the user's own key is secret.
  const key = apiKeys === undefined ? LOCAL_API_KEY : keyInShell(settings, io.cwd);
  const quotedKey = apiKeys === undefined ? `'${key}'` : `"${key}"`;
  const otherwise = [
    ...(edition === undefined || edition === 'document' ? [] : ['--edition', edition]),
    ...(speed === 1 ? [] : ['--speed', speed]),
  ];
  const mustExport = key === KEY_VARIABLE && (io.env[KEY_VARIABLE.slice(1)] ?? '') === '';
  return [
    ...(speed === 1
      ? []
      : [`time runs ${speed} times as fast: an hour takes ${exactDuration(HOUR_MS / speed)}`]),
    ...(controlUrl === null ? [] : [`test control at ${controlUrl}`]),
    ...(pageUrl === null ? [] : [`live page at ${pageUrl}`]),
    ...(planted === null ? [] : [`planted bug ${planted.id}: ${planted.title}`]),
    ...(faults.length === 0
      ? []
      : [`faults: seed ${seed} (--seed ${seed} repeats them for the same requests)`]),
    ...(forwardWebhooks === undefined
      ? []
      : [`webhooks go to ${shownUrl(forwardWebhooks)} instead of the addresses of the jobs`]),
    ...(metrics === true ? [`metrics at ${url}/metrics`] : []),
    ...(mustExport ? ['to call it, first put the key into the environment: export RUNPROOF_API_KEY=…'] : []),
    // Without these options a check fails what is right.
    ...(otherwise.length === 0
      ? []
      : [`to check it: ${program()} check ${url}/v2/${endpoint} ${otherwise.join(' ')}`]),
    `try: curl -H "authorization: ${key}" ${url}/v2/${endpoint}/health`,
    edition === 'runpod'
      ? `official clients: baseUrl '${url}/v2' (JavaScript), RUNPOD_ENDPOINT_BASE_URL=${url}/v2 (Python)`
      : `official clients such as runpod-sdk need: ${program()} serve --edition runpod`,
    ...(settings.pull
      ? [
          'to let your own worker process the jobs, start it with:',
          ...workerEnvironment({ url, endpoint, workerId: 'pod-1', quotedKey }),
        ]
      : [`your own worker: "${program()} serve --pull" prints what it needs`]),
  ];
}

/** What `replay` needs to hold an endpoint to the same. */
function replayOptions(edition: Edition, { dialect }: ServeSettings): readonly string[] {
  return [
    ...(edition === 'document' ? [] : ['--edition', edition]),
    ...(dialect === undefined ? [] : ['--dialect', dialect]),
  ];
}

async function start(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message);
    const address = { host: options.host ?? '127.0.0.1', port: options.port ?? 0 };
    const why = whyNotListening(error, address);
    if (why !== null) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      throw new UsageError(
        isTaken
          ? `${why} with --port, or 0 for any free port`
          : `cannot listen on ${address.host}:${address.port}: ${why}`,
      );
    }
    if (error instanceof Error && error.message.startsWith('the handler'))
      throw new UsageError(error.message);
    throw error;
  }
}
