/** The implementation under test, opened for one command and closed after it, whatever happens. */
import { randomBytes } from 'node:crypto';
import { startServer } from '../server/index.js';
import { httpTarget, TargetError, type HttpTarget, type HttpTargetOptions } from '../target/http/index.js';
import { UnreachableError, UsageError } from './errors.js';
import { createFileLedger, type FileLedger } from './job-ledger.js';
import type { Io } from './io.js';
import { PROFILE_WAIT_MS, secretsOf, type TargetSettings } from './settings.js';

export interface OpenedTarget {
  readonly target: HttpTarget;
  /** `{base_url}` to tell people; null for the embedded endpoint, whose port is gone when they read it. */
  readonly url: string | null;
  readonly endpoint: string | null;
  /** What `replay` needs besides the file to reach it again. */
  readonly replayArguments: readonly string[];
  /** Jobs on an endpoint that others may use; unused where every script has one of its own. */
  readonly ledger: FileLedger;
  /** Values that no output may hold. */
  readonly secrets: readonly string[];
}

const EMBEDDED_NAME = 'the embedded endpoint';

type Use<T> = (opened: OpenedTarget) => Promise<T>;

/** Opens the target that the settings name, or an embedded endpoint, and hands it on. */
export function withTarget<T>(settings: TargetSettings, io: Io, use: Use<T>): Promise<T> {
  return settings.address === null
    ? withEmbedded(settings, use)
    : withRemote(settings, use, settings.address.baseUrl);
}

async function withEmbedded<T>(settings: TargetSettings, use: Use<T>): Promise<T> {
  const apiKey = randomBytes(16).toString('hex');
  const server = await startServer({
    apiKeys: [apiKey],
    clock: 'controlled',
    endpoints: [],
    edition: settings.edition,
  });
  const remote: TargetSettings = {
    ...settings,
    apiKey,
    address: { baseUrl: server.url, endpoint: null },
    control: server.controlUrl,
    worker: 'scripted',
    dedicated: true,
  };
  try {
    return await withRemote(
      remote,
      // Its port differs from run to run and is nobody's business; the name stays.
      ({ target, ...opened }) =>
        use({ ...opened, target: { ...target, name: EMBEDDED_NAME }, url: null, replayArguments: [] }),
      server.url,
    );
  } finally {
    await server.close();
  }
}

async function withRemote<T>(settings: TargetSettings, use: Use<T>, baseUrl: string): Promise<T> {
  const secrets = secretsOf(settings);
  const ledger = createFileLedger(secrets);
  const target = await open(settings, baseUrl, ledger);
  try {
    return await use({
      target,
      url: baseUrl,
      endpoint: settings.endpoint,
      replayArguments: replayArgumentsOf(settings, baseUrl),
      ledger,
      secrets,
    });
  } catch (error) {
    throw translated(error);
  } finally {
    await target.close();
  }
}

async function open(settings: TargetSettings, baseUrl: string, ledger: FileLedger): Promise<HttpTarget> {
  try {
    return await httpTarget({ ...httpOptions(settings, baseUrl), ledger });
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof TargetError)) return error;
  const { message, problem } = error;
  return problem === 'unreachable' || problem === 'key-refused'
    ? new UnreachableError(message)
    : new UsageError(message);
}

function httpOptions(settings: TargetSettings, url: string): HttpTargetOptions {
  const { endpoint, control, sampleInput, webhookListen, webhookUrl, caPem, proxy, graceMs, timeoutMs } =
    settings;
  return {
    url,
    apiKey: settings.apiKey,
    auth: settings.auth,
    worker: settings.worker ?? 'probe',
    dedicated: settings.dedicated,
    headers: settings.headers,
    insecure: settings.insecure,
    ...(endpoint === null ? {} : { endpoint }),
    // Not binding where the clock can be advanced: there a wait costs nothing.
    maxWaitMs: PROFILE_WAIT_MS[settings.profile],
    ...(control === null ? {} : { controlUrl: control }),
    ...(sampleInput === undefined ? {} : { sampleInput }),
    ...(webhookListen === null ? {} : { webhookListen: `${webhookListen.host}:${webhookListen.port}` }),
    ...(webhookUrl === null ? {} : { webhookUrl }),
    ...(caPem === null ? {} : { caCert: caPem }),
    ...(proxy === null ? {} : { proxy }),
    ...(graceMs === null ? {} : { graceMs }),
    ...(timeoutMs === null ? {} : { timeoutMs }),
  };
}

function replayArgumentsOf(settings: TargetSettings, baseUrl: string): readonly string[] {
  const { endpoint, control, edition } = settings;
  return [
    endpoint === null ? baseUrl : `${baseUrl}/v2/${encodeURIComponent(endpoint)}`,
    ...(control === null ? [] : ['--control', control]),
    ...(settings.dedicated && control === null ? ['--dedicated'] : []),
    ...(settings.worker === null ? [] : ['--worker', settings.worker]),
    ...(edition === 'document' ? [] : ['--edition', edition]),
  ];
}
