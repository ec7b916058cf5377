/** `serve`: the endpoint itself, until Ctrl-C. */
import { resolve } from 'node:path';
import type { Options } from 'yargs';
import type { ExitCode } from '../report/index.js';
import {
  isLoopback,
  LOCAL_API_KEY,
  OptionsError,
  startServer,
  workerEnvironment,
  type RunningServer,
  type ServerOptions,
} from '../server/index.js';
import { findApiKey, findOtherKeys } from './api-key.js';
import type { RawOptions } from './config-file.js';
import { loadDialect, notFollowed } from './dialect-option.js';
import { UsageError } from '../app/errors.js';
import type { Io } from './io.js';
import { flag, text, texts } from './settings.js';
import { integer, oneOf } from './values.js';
import { WORKER_OPTIONS, workerOptions } from './worker-options.js';

const PORT_DEFAULT = '8080';

export const SERVE_OPTIONS: { readonly [name: string]: Options } = {
  port: {
    type: 'string',
    requiresArg: true,
    describe: 'Port; 0 for any free one',
    defaultDescription: PORT_DEFAULT,
  },
  host: {
    type: 'string',
    requiresArg: true,
    describe: 'Address to listen on',
    defaultDescription: '127.0.0.1',
  },
  endpoint: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Endpoint id; may be repeated',
    defaultDescription: 'test',
  },
  'api-key': {
    type: 'string',
    requiresArg: true,
    describe: 'Key that is accepted (visible to other users of this machine)',
  },
  'api-key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File that holds the key; the variable RUNPROOF_API_KEY is read otherwise',
  },
  'other-api-key': { type: 'string', requiresArg: true, describe: 'Key of another user, accepted as well' },
  'other-api-key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File that holds it; else the variable RUNPROOF_OTHER_API_KEY',
  },
  'unpermitted-api-key': {
    type: 'string',
    requiresArg: true,
    describe: 'Key that is known and refused everywhere: it has no permission',
  },
  'unpermitted-api-key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File that holds it; else the variable RUNPROOF_UNPERMITTED_API_KEY',
  },
  ...WORKER_OPTIONS,
  clock: {
    type: 'string',
    requiresArg: true,
    describe: 'real, or controlled by test control',
    defaultDescription: 'real',
  },
  control: { type: 'boolean', describe: 'Offer test control at /_control with a real clock too' },
  edition: {
    type: 'string',
    requiresArg: true,
    describe: 'Behave as: document or runpod',
    defaultDescription: 'document',
  },
  dialect: {
    type: 'string',
    requiresArg: true,
    describe: 'Behave as check --save-dialect observed; or JSON {"question": "reading"}',
  },
  page: {
    type: 'boolean',
    describe: 'Show the live page at / beyond this machine too; it then wants the key',
    defaultDescription: 'on loopback only',
  },
  metrics: { type: 'boolean', describe: "Offer /metrics in Prometheus' text format, without a key" },
  handler: {
    type: 'string',
    requiresArg: true,
    describe: 'Module whose default export works off the jobs',
    defaultDescription: 'the scripted worker',
  },
  'allow-host': {
    type: 'string',
    array: true,
    nargs: 1,
    describe:
      'Name that it is called by beside localhost, without port; may be repeated. A key of your own needs none',
  },
  'allow-private-webhooks': {
    type: 'boolean',
    describe:
      'Webhooks may call private addresses; loopback they may where the server listens on loopback only',
  },
  data: {
    type: 'string',
    requiresArg: true,
    describe: 'Folder to keep jobs in; after a restart the server goes on with them',
    defaultDescription: 'memory only',
  },
  salvage: {
    type: 'boolean',
    describe: 'Go on with what can be read of a damaged data folder; the damaged file is kept beside it',
  },
  verbose: { type: 'boolean', alias: 'v', describe: 'Show where an error came from' },
};

function serverOptions(raw: RawOptions, io: Io): ServerOptions {
  const read = (name: string): string | undefined => text(raw, name);
  const apiKey = findApiKey(raw, io);
  const { otherApiKey, unpermittedApiKey } = findOtherKeys(raw, apiKey, io);
  if (apiKey === null && otherApiKey !== undefined)
    throw new UsageError('a key of another user wants one of the first: give --api-key-file FILE as well');
  const endpoints = texts(raw, 'endpoint').flatMap((value) => value.split(','));
  const allowedHosts = texts(raw, 'allowHost').flatMap((value) => value.split(','));
  const handler = read('handler');
  const file = read('dialect');
  const loaded = file === undefined ? null : loadDialect(file, io.cwd);
  for (const line of loaded === null ? [] : notFollowed(loaded)) io.err(`${line}\n`);
  const host = read('host');
  const data = read('data');
  if (data === '') throw new UsageError('--data wants the name of a folder');
  if (flag(raw, 'salvage') && data === undefined)
    throw new UsageError('--salvage wants the folder that is damaged: add --data DIR');
  return {
    port: integer('port', read('port') ?? PORT_DEFAULT, 0, 65_535),
    ...workerOptions(raw),
    clock: oneOf('clock', read('clock') ?? 'real', ['real', 'controlled']),
    edition: oneOf('edition', read('edition') ?? loaded?.edition ?? 'document', ['document', 'runpod']),
    ...(flag(raw, 'control') ? { control: true } : {}),
    ...(flag(raw, 'page') && host !== undefined && !isLoopback(host) ? { page: 'keyed' } : {}),
    ...(flag(raw, 'metrics') ? { metrics: true } : {}),
    ...(flag(raw, 'allowPrivateWebhooks') ? { webhookReach: 'anywhere' } : {}),
    onOutOfReach: (host) =>
      io.err(`webhooks to ${host} are not called: the address is private (see --allow-private-webhooks)\n`),
    ...(endpoints.length === 0 ? {} : { endpoints }),
    ...(apiKey === null ? {} : { apiKeys: [apiKey, ...(otherApiKey === undefined ? [] : [otherApiKey])] }),
    ...(unpermittedApiKey === undefined ? {} : { unpermittedKeys: [unpermittedApiKey] }),
    ...(host === undefined ? {} : { host }),
    ...(allowedHosts.length === 0 ? {} : { allowedHosts }),
    ...(data === undefined ? {} : { data: resolve(io.cwd, data) }),
    ...(flag(raw, 'salvage') ? { salvage: true } : {}),
    ...(handler === undefined ? {} : { handler: resolve(io.cwd, handler) }),
    dialect: {
      // What a worker of one's own says is meant, also where it streams.
      ...(flag(raw, 'pull') ? { '4.4/final-output': 'handler-return' } : {}),
      ...loaded?.dialect,
    },
  };
}

export async function serve(raw: RawOptions, io: Io): Promise<ExitCode> {
  const options = serverOptions(raw, io);
  const server = await start(options);
  const endpoint = options.endpoints?.[0] ?? 'test';
  if (server.salvaged !== null) io.err(`${server.salvaged}\n`);
  else if (options.salvage === true) io.err('nothing is damaged in the data folder: nothing was changed\n');
  // The default key is public; a key of the user's own is his secret.
  const key = options.apiKeys === undefined ? LOCAL_API_KEY : '$RUNPROOF_API_KEY';
  io.out(
    `serving ${server.url}/v2/${endpoint}  (edition ${options.edition ?? 'document'}, ${options.clock ?? 'real'} clock)\n`,
  );
  if (server.controlUrl !== null) io.out(`test control at ${server.controlUrl}\n`);
  if (server.pageUrl !== null) io.out(`look at ${server.pageUrl}\n`);
  if (options.metrics === true) io.out(`metrics at ${server.url}/metrics\n`);
  io.out(`try: curl -H "authorization: ${key}" ${server.url}/v2/${endpoint}/health\n`);
  if (options.edition !== 'runpod')
    io.out('official clients, such as runpod-sdk, expect the replies of: runproof serve --edition runpod\n');
  io.out(
    'a worker of your own (such as one of the official Python SDK) works off the jobs in this environment:\n',
  );
  const quotedKey = options.apiKeys === undefined ? `'${key}'` : `"${key}"`;
  for (const line of workerEnvironment({ url: server.url, endpoint, workerId: 'pod-1', quotedKey }))
    io.out(`${line}\n`);
  return new Promise((done, failed) => {
    const forget = io.onInterrupt(() => {
      server
        .close()
        .then(() => done(0), failed)
        .finally(() => forget());
    });
  });
}

async function start(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `port ${options.port ?? 0} is taken: choose another with --port, or 0 for any free one`,
      );
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UsageError(`cannot listen on ${options.host ?? '127.0.0.1'}:${options.port ?? 0} (${code})`);
    }
    if (error instanceof Error && error.message.startsWith('the handler'))
      throw new UsageError(error.message);
    throw error;
  }
}
