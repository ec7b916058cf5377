import { onTestFinished } from 'vitest';
import type { InjectedFault } from '../../src/server/faults/faults.js';
import { startServer, type LoggedCall, type ServerOptions } from '../../src/server/index.js';
import { createCaller } from './caller.js';

/** A server under controlled time with these faults; it records its calls and what it injected. */
export async function serveFaulty(faults: readonly string[], options: ServerOptions = {}) {
  const calls: LoggedCall[] = [];
  const injected: InjectedFault[] = [];
  const server = await startServer({
    clock: 'controlled',
    apiKeys: ['k'],
    faults,
    onCall: (call) => calls.push({ ...call }),
    onFault: (fault) => injected.push(fault),
    ...options,
  });
  onTestFinished(() => server.close());
  const api = createCaller(`${server.url}/v2/test`, 'k');
  const control = createCaller(server.controlUrl ?? '', 'k');
  return {
    server,
    api,
    calls,
    injected,
    advance: (byMs: number) => control.post('/clock/advance', { byMs }),
  };
}
