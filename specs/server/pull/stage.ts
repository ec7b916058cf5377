import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type RunningServer, type ServerOptions } from '../../../src/server/index.js';
import { createCaller, type Caller } from '../caller.js';
import { createPod, type Pod } from './pod.js';

/** A server whose workers come from outside, two of them, and what a spec wants to know of it. */
export interface Stage {
  readonly server: RunningServer;
  readonly api: Caller;
  readonly pod: Pod;
  readonly other: Pod;
  advance(byMs: number): Promise<unknown>;
  /** `/run`; gives the id. */
  run(input?: unknown, more?: object): Promise<string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- records of every shape
  status(id: string): Promise<any>;
  stateOf(id: string): Promise<string>;
  workers(): Promise<unknown>;
}

export async function createStage(options: ServerOptions = {}): Promise<Stage> {
  const server = await startServer({ apiKeys: ['k'], ...options });
  const base = `${server.url}/v2/test`;
  const api = createCaller(base, 'k');
  const status = async (id: string) => (await api.get(`/status/${id}`)).json;
  return {
    server,
    api,
    pod: createPod(base, 'pod', 'k'),
    other: createPod(base, 'other', 'k'),
    advance: (byMs) => createCaller(server.controlUrl!, 'k').post('/clock/advance', { byMs }),
    run: async (input = {}, more = {}) => (await api.post('/run', { input, ...more })).json.id as string,
    status,
    stateOf: async (id) => (await status(id)).status as string,
    workers: async () => (await api.get('/health')).json.workers as unknown,
  };
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}
