/**
 * A second implementation of the job API, written from its document alone, as plainly as can be: the conformance
 * suite is tried on it, on its legal variants and on its faults. It shares no code with the project's own simulator.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerCall } from './api.js';
import { refuse, type Call, type Reply } from './call.js';
import { DEFAULT_CHOICES, type Choices } from './choices.js';
import { controlledClock, realClock, type Clock } from './clock.js';
import { answerControl, type Control } from './control.js';
import { Endpoint, type Service } from './endpoint.js';
import { hooksOf, type FaultId } from './faults/index.js';
import { idGiver } from './ids.js';
import { webhookCaller } from './webhooks.js';
import { readBody, writeReply } from './http-io.js';

export interface NaiveOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly apiKey?: string;
  /** Further keys that pass, each a user of its own. */
  readonly otherKeys?: readonly string[];
  /** A key that is known and has no permission for any endpoint. */
  readonly unpermittedKey?: string;
  /** The endpoint that exists from the start. */
  readonly endpointId?: string;
  readonly workers?: number;
  /** `controlled` offers test control's feature `clock`. */
  readonly clock?: 'real' | 'controlled';
  /** Whether test control's feature `endpoints` is offered; true unless said otherwise. */
  readonly endpoints?: boolean;
  readonly choices?: Partial<Choices>;
  readonly fault?: FaultId;
}

export interface Naive extends AsyncDisposable {
  /** {base_url} of the document. */
  readonly url: string;
  readonly controlUrl: string;
  readonly apiKey: string;
  readonly endpointId: string;
  close(): Promise<void>;
}

const CONTROL = '_control';
/** More than any limit of the document; what is longer need not be kept. */
const BODY_BYTES_MAX = 64 * 1_048_576;
const START_MS = 1_000_000;

export async function startNaive(options: NaiveOptions = {}): Promise<Naive> {
  const choices: Choices = { ...DEFAULT_CHOICES, ...options.choices };
  const hooks = hooksOf(options.fault ?? null);
  const apiKey = options.apiKey ?? 'naive-key-7f3A';
  const endpointId = options.endpointId ?? 'naive';
  const keys = [apiKey, ...(options.otherKeys ?? ['other-naive-key-51cB'])];
  const unpermittedKey = options.unpermittedKey ?? 'naive-key-without-permission-90dE';

  const answers = new Set<Promise<void>>();
  const settled = async (): Promise<void> => {
    while (answers.size > 0 || service.webhooks.underWay.size > 0) {
      await Promise.all([...answers, ...service.webhooks.underWay]);
    }
  };
  const controlled = options.clock === 'controlled' ? controlledClock(START_MS, settled) : null;
  const clock: Clock = controlled ?? realClock();
  const service: Service = {
    clock,
    choices,
    hooks,
    ids: idGiver(choices),
    webhooks: webhookCaller(clock, choices, hooks),
    endpoints: new Map(),
    unpermittedKey,
  };
  service.endpoints.set(endpointId, new Endpoint(endpointId, options.workers ?? 1, service));
  const control: Control = {
    service,
    keys,
    clock: controlled,
    endpoints: options.endpoints ?? true,
    unsettled: () => answers.size > 0 || service.webhooks.underWay.size > 0,
  };
  const controlIsOn = controlled !== null || control.endpoints;
  const written = hooks.written(choices);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request, response);
    const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    let answered = false;
    const write = (reply: Reply): Promise<void> | undefined => {
      if (answered || response.destroyed) return undefined;
      answered = true;
      return writeReply(response, reply, written, acceptsGzip);
    };
    if (call === null) return void write(refuse(400, 'malformed path'));
    if (call.path[0] === CONTROL && controlIsOn) {
      return answerControl(call, call.path.slice(1), control, (reply) => void write(reply));
    }
    answerCall(call, service, keys, (reply) => {
      const writing = write(reply);
      if (writing === undefined) return;
      const done = writing.finally(() => answers.delete(done));
      answers.add(done);
    });
  };

  const server = createServer((request, response) => {
    if (choices.cutsOversize && declaredTooLarge(request, choices)) {
      const refused = refuse(choices.oversizeCode, 'too large');
      void writeReply(response, refused, choices, false).then(() => request.socket.destroy());
      return;
    }
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent && !response.destroyed) response.writeHead(500).end(String(error));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    clock.close();
    for (const endpoint of service.endpoints.values()) endpoint.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url,
    controlUrl: `${url}/${CONTROL}`,
    apiKey,
    endpointId,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function declaredTooLarge({ url = '', headers }: IncomingMessage, { megabyte }: Choices): boolean {
  const limit = url.includes('/runsync') ? 20 : 10;
  return /\/run(sync)?\b/.test(url) && Number(headers['content-length']) > limit * megabyte;
}

/** The call, or null when its path cannot be decoded. */
async function readCall(request: IncomingMessage, response: ServerResponse): Promise<Call | null> {
  const { body, bodyBytes } = await readBody(request, BODY_BYTES_MAX);
  const url = new URL(request.url ?? '/', 'http://naive');
  let path: string[];
  try {
    path = url.pathname.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
  return {
    method: request.method ?? 'GET',
    path: path.length === 1 && path[0] === '' ? [] : path,
    query: url.searchParams,
    body,
    bodyBytes,
    contentType: request.headers['content-type'] ?? '',
    authorization: request.headers.authorization,
    onGone: (gone) =>
      response.once('close', () => {
        if (!response.writableFinished) gone();
      }),
  };
}
