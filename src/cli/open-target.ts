/** Opens the target for one command, and closes it afterwards in any case. */
import { randomBytes } from 'node:crypto';
import type { BasePath } from '../history/served-path.js';
import { formatDuration } from '../report/formatting.js';
import { createRedactor } from '../report/index.js';
import { startServer, type ServerOptions } from '../server/index.js';
import type { Dialect } from '../spec/index.js';
import {
  httpTarget,
  TargetError,
  type HttpTarget,
  type HttpTargetOptions,
  type TargetProblem,
} from '../target/http/index.js';
import { InterruptedError, UnreachableError, UsageError } from '../util/errors.js';
import { abandonedCalls, leftBehindInWords } from '../checking/run-warnings.js';
import { playerThreads } from '../checking/embedded/player-threads.js';
import { sharingScripts } from '../checking/embedded/share-scripts.js';
import { openCreatedJobsFile, type CreatedJobsFile } from '../files/created-jobs.js';
import { withFound } from './found-control.js';
import type { Io } from './io.js';
import { refuseNeededWords } from './needed-words.js';
import { knownFault } from './known-fault.js';
import { redactedError, redacting, secretsOf } from './secrets.js';
import { JUDGED_AFTER_SIGNAL_MS } from '../judging/deadlines.js';
import { PROFILE_WAIT_MS } from '../judging/profiles.js';
import type { TargetSettings } from './options/settings.js';

export interface OpenedTarget {
  readonly target: HttpTarget;
  /** `{base_url}` for reports; null for the embedded endpoint, which no longer exists when they are read. */
  readonly url: string | null;
  readonly endpoint: string | null;
  readonly basePath: BasePath | null;
  /** Test control that was found at its usual address, and is not used. */
  readonly unusedControlUrl?: string | undefined;
  /** Arguments of `replay` after the file, to reach the target again. */
  readonly replayArguments: readonly string[];
  /** Jobs created on a shared endpoint; unused if every script has its own endpoint. */
  readonly createdJobs: CreatedJobsFile;
  /** Values that no output may contain. */
  readonly secrets: readonly string[];
  /** Aborted by Ctrl-C, also during the probes, because their jobs have to be ended too. */
  readonly interrupted: AbortSignal;
}

/** Our own receiver answers immediately or never, so there is no need to wait the usual ten seconds. */
const EMBEDDED_WEBHOOK_MS = 3_000;
const EMBEDDED_NAME = 'the embedded endpoint';

/** Probing may take this long whatever the budget, or the report could not say what was left out. */
const PROBED_MS = 2_000;
/** Share of the budget that the probe of the worker may take. */
const PROBE_SHARE = 0.25;
/** The same while it waits for a worker to start: the rest has to do for the plan (half of the budget) and the run. */
const WORKER_START_SHARE = 0.4;

/** The `io` that it gets masks every secret. */
type Use<T> = (opened: OpenedTarget, io: Io) => Promise<T>;

const STOPPING = `
stopping: ending unfinished jobs, then judging the calls so far, for up to ${formatDuration(JUDGED_AFTER_SIGNAL_MS)}. Press Ctrl-C again to exit now, without a report
`;

/**
 * Opens the target of the settings, or an embedded endpoint that follows the dialect, and passes it to `use`.
 */
export async function withTarget<T>(
  settings: TargetSettings,
  io: Io,
  use: Use<T>,
  dialect: Dialect = {},
): Promise<T> {
  const stop = new AbortController();
  const forget = io.onInterrupt(() => {
    if (!stop.signal.aborted) io.note(STOPPING);
    stop.abort();
  });
  try {
    return settings.address === undefined
      ? await withEmbedded(settings, io, use, stop.signal, dialect)
      : await withRemote(await withFound(settings, io), io, use, settings.address.baseUrl, stop.signal);
  } finally {
    forget();
  }
}

async function withEmbedded<T>(
  settings: TargetSettings,
  io: Io,
  use: Use<T>,
  interrupted: AbortSignal,
  dialect: Dialect,
): Promise<T> {
  const fault = settings.mutant === undefined ? null : await knownFault(settings.mutant);
  // All threads have the same, so that every output masks them.
  const [apiKey, otherApiKey, unpermittedKey] = [newKey(), newKey(), newKey()];
  const options: ServerOptions = {
    apiKeys: [apiKey, otherApiKey],
    unpermittedKeys: [unpermittedKey],
    clock: 'controlled',
    webhookTimeoutMs: EMBEDDED_WEBHOOK_MS,
    endpoints: [],
    edition: settings.edition,
    dialect,
  };
  const server = await startServer({ ...options, rules: fault?.rules });
  const name =
    fault === null ? EMBEDDED_NAME : `${EMBEDDED_NAME} with the planted bug ${fault.id} (${fault.title})`;
  const remote: TargetSettings = {
    ...settings,
    apiKey,
    // Test control provides them.
    unpermittedApiKey: undefined,
    otherApiKey: undefined,
    address: { baseUrl: server.url, endpoint: null },
    controlUrl: server.controlUrl!,
    worker: 'scripted',
    dedicated: true,
    executionTimeoutDefaultMs: settings.executionTimeoutDefaultMs ?? defaultBy(dialect),
  };
  const connection = httpOptions(remote, server.url);
  const others = () => playerThreads({ server: options, fault: fault?.id ?? null, connection });
  try {
    return await withRemote(
      remote,
      io,
      async ({ target, ...opened }, safeIo) => {
        const sharing = sharingScripts(target, others);
        const replayArguments = [
          ...(fault === null ? [] : ['--mutant', fault.id]),
          ...settings.replayOptions,
        ];
        try {
          // Reports must not contain the port, which differs from run to run.
          return await use({ ...opened, target: { ...sharing, name }, url: null, replayArguments }, safeIo);
        } finally {
          await sharing.close();
        }
      },
      server.url,
      interrupted,
    );
  } finally {
    await server.close();
  }
}

const newKey = (): string => randomBytes(16).toString('hex');

/** The embedded endpoint has the default of the document, unless the dialect changes it. */
function defaultBy(dialect: Dialect): null | undefined {
  return (dialect['2.2/execution-timeout-default'] ?? 'ten-minutes') === 'ten-minutes' ? undefined : null;
}

async function withRemote<T>(
  settings: TargetSettings,
  io: Io,
  use: Use<T>,
  baseUrl: string,
  interrupted: AbortSignal,
): Promise<T> {
  const configured = secretsOf(settings);
  const createdJobs = openCreatedJobsFile();
  const target = await open(settings, baseUrl, createdJobs, interrupted).catch((error: unknown) => {
    throw redactedError(error, createRedactor(configured));
  });
  const secrets = [...new Set([...configured, ...target.keys])];
  const redactor = createRedactor(secrets);
  const opened: OpenedTarget = {
    target,
    url: baseUrl,
    endpoint: settings.endpoint ?? null,
    basePath:
      settings.basePath === undefined ? null : { endpoint: settings.endpoint!, path: settings.basePath },
    replayArguments: replayArgumentsOf(settings, baseUrl),
    unusedControlUrl: settings.unusedControlUrl,
    createdJobs,
    secrets,
    interrupted,
  };
  try {
    const isConfigured = (key: string): boolean => configured.includes(key);
    refuseNeededWords(target.keys.filter(isConfigured), 'an API key');
    const told = target.keys.filter((key) => !isConfigured(key));
    refuseNeededWords(told, 'a key that test control tells by GET CONTROL/keys');
    return await use(opened, redacting(io, redactor));
  } catch (error) {
    throw redactedError(translated(error), redactor);
  } finally {
    await target.close();
  }
}

async function open(
  settings: TargetSettings,
  baseUrl: string,
  createdJobs: CreatedJobsFile,
  signal: AbortSignal,
): Promise<HttpTarget> {
  const { budgetMs } = settings;
  // AbortSignal.any and AbortSignal.timeout do not work here: Node may collect such signals before they fire.
  const over = new AbortController();
  const end = (): void => over.abort();
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  if (budgetMs !== undefined) setTimeout(end, Math.max(budgetMs, PROBED_MS)).unref();
  try {
    return await httpTarget({
      ...httpOptions(settings, baseUrl),
      createdJobs: createdJobs,
      signal: over.signal,
    });
  } catch (error) {
    if (signal.aborted)
      throw new InterruptedError([
        ...leftBehindInWords(createdJobs.open()),
        ...abandonedCalls(createdJobs.unansweredCount, 'run'),
      ]);
    throw translated(error);
  }
}

/** What is wrong is what the user gave, or deployed. */
const USAGE: readonly TargetProblem[] = ['configuration', 'control', 'sample-refused', 'plan-refused'];

function translated(error: unknown): unknown {
  if (!(error instanceof TargetError)) return error;
  const { message, problem } = error;
  const isUsage = USAGE.includes(problem);
  // Messages of the command line begin in lower case.
  const told = message.charAt(0).toLowerCase() + message.slice(1);
  return isUsage ? new UsageError(told) : new UnreachableError(told);
}

function httpOptions({ budgetMs, ...settings }: TargetSettings, url: string): HttpTargetOptions {
  return {
    ...settings,
    url,
    apiKey: settings.apiKey ?? null,
    // Ignored if the clock can be advanced: waiting then costs nothing.
    maxWaitMs: PROFILE_WAIT_MS[settings.profile],
    probeMs: budgetMs && PROBE_SHARE * budgetMs,
    workerStartMs: budgetMs && WORKER_START_SHARE * budgetMs,
  };
}

function replayArgumentsOf(
  { endpoint, basePath, replayOptions }: TargetSettings,
  baseUrl: string,
): readonly string[] {
  const hasId = endpoint !== undefined && basePath === undefined;
  return [hasId ? `${baseUrl}/v2/${encodeURIComponent(endpoint)}` : baseUrl, ...replayOptions];
}
