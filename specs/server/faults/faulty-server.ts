import type { InjectedFault } from '../../../src/server/faults/faults.js';
import type { LoggedCall, ServerOptions } from '../../../src/server/index.js';
import { serveEndpoint } from '../../support/servers.js';

/** A server under controlled time with these faults; it records its calls and what it injected. */
export async function serveFaulty(faults: readonly string[], options: ServerOptions = {}) {
  const calls: LoggedCall[] = [];
  const injected: InjectedFault[] = [];
  const endpoint = await serveEndpoint({
    faults,
    onCall: (call) => calls.push({ ...call }),
    onFault: (fault) => injected.push(fault),
    ...options,
  });
  return { ...endpoint, calls, injected };
}
