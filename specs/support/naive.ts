import { startNaive, type Naive, type NaiveOptions } from '../naive/server.js';
import { forThisTest } from './servers.js';

/** The naive server under controlled time, right or with a fault, for this test. */
export async function serveNaive(fault?: NaiveOptions['fault']): Promise<Naive> {
  return forThisTest(await startNaive({ apiKey: 'k', clock: 'controlled', ...(fault && { fault }) }));
}
