import { startServer, type RunningServer, type ServerOptions } from '../../../src/server/index.js';
import { createCaller, type Caller } from '../caller.js';
import { until } from '../../support/until.js';
import { createSdkWorker, type SdkWorker } from './sdk-worker.js';

/** A server with two remote workers, and helpers for specs. */
export interface PullServer {
  readonly server: RunningServer;
  readonly api: Caller;
  readonly worker: SdkWorker;
  readonly other: SdkWorker;
  advance(byMs: number): Promise<unknown>;
  /** `/run`; gives the id. */
  run(input?: unknown, more?: object): Promise<string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- records of every shape
  status(id: string): Promise<any>;
  stateOf(id: string): Promise<string>;
  workers(): Promise<unknown>;
  /** Resolves when this many polls of workers have arrived, in all. */
  pollsArrived(count: number): Promise<void>;
  /** Resolves when no poll of a worker is open. */
  noPollsOpen(): Promise<void>;
}

export async function startPullServer(options: ServerOptions = {}): Promise<PullServer> {
  const server = await startServer({ apiKeys: ['k'], ...options });
  const base = `${server.url}/v2/test`;
  const api = createCaller(base, 'k');
  const status = async (id: string) => (await api.get(`/status/${id}`)).json;
  const polls = async () => {
    const page = await createCaller(server.url, 'k').get('/_page/state');
    const calls = page.json.calls as readonly { readonly path: string; readonly status: number | null }[];
    return calls.filter(({ path }) => /\/job-(take|stop)/.test(path));
  };
  return {
    server,
    api,
    worker: createSdkWorker(base, 'pod', 'k'),
    other: createSdkWorker(base, 'other', 'k'),
    advance: (byMs) => createCaller(server.controlUrl!, 'k').post('/clock/advance', { byMs }),
    run: async (input = {}, more = {}) => (await api.post('/run', { input, ...more })).json.id as string,
    status,
    stateOf: async (id) => (await status(id)).status as string,
    workers: async () => (await api.get('/health')).json.workers as unknown,
    pollsArrived: (count) => until(async () => (await polls()).length >= count),
    noPollsOpen: () => until(async () => (await polls()).every(({ status: code }) => code !== null)),
  };
}
