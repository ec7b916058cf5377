import { startServer, type ServerOptions } from '../../src/server/index.js';
import { httpTarget, type HttpTarget, type HttpTargetOptions } from '../../src/target/http/index.js';

/** A server of our own as a target with test control, for as long as it is used. */
export async function onServer<T>(
  server: Pick<ServerOptions, 'clock' | 'rules' | 'edition' | 'control'>,
  how: Pick<HttpTargetOptions, 'maxWaitMs'> & { readonly isDefaultKnown?: boolean },
  use: (target: HttpTarget) => Promise<T>,
): Promise<T> {
  const { isDefaultKnown = true, ...options } = how;
  const started = await startServer({ ...server, endpoints: [], onError: () => {} });
  try {
    const target = await httpTarget({
      ...(isDefaultKnown ? {} : { executionTimeoutDefaultMs: null }),
      url: started.url,
      apiKey: started.apiKeys[0]!,
      controlUrl: started.controlUrl!,
      worker: 'scripted',
      ...options,
    });
    try {
      return await use(target);
    } finally {
      await target.close();
    }
  } finally {
    await started.close();
  }
}
