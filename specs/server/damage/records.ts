import { startServer } from '../../../src/server/index.js';
import type { RandomStream } from '../../../src/time/random.js';

/** Time stands still and there are no workers, so a record is the same whenever it is read. */
export const SERVED = { clock: 'controlled', workers: 0 } as const;
const HEADERS = { authorization: 'runproof-local', 'content-type': 'application/json' };

export async function call(url: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: HEADERS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export const record = async (url: string, id: string): Promise<string> => {
  let response = await call(url, `/v2/test/status/${id}`);
  for (; response.status === 429; response = await call(url, `/v2/test/status/${id}`))
    await new Promise((resolve) => setTimeout(resolve, 500));
  const told = (await response.json()) as { status?: string; delayTime?: number };
  // How long a job has waited depends on the time, which is part of other rows.
  if (told.status === 'IN_QUEUE') delete told.delayTime;
  return `${response.status} ${JSON.stringify(told)}`;
};

/** Fills the folder with jobs of every kind, some of which are purged again. Gives the ids of all. */
export async function fillFolder(data: string, random: RandomStream, jobs: number): Promise<string[]> {
  const server = await startServer({ data, clock: 'controlled', workers: 3 });
  const advance = (byMs: number): Promise<Response> => call(server.url, '/_control/clock/advance', { byMs });
  const plans: readonly (() => unknown[])[] = [
    () => [{ return: 'x'.repeat(random.intBetween(0, 3_000)) }],
    () => [{ sleepMs: random.intBetween(1, 5_000) }, { echo: true }],
    () => [{ stream: { part: 1 } }, { sleepMs: 100 }, { stream: 'two' }, { return: [1, 2] }],
    () => [{ fail: 'as asked' }],
    () => [{ returnBytes: random.intBetween(1, 20_000) }],
    () => [{ sleepMs: 3_600_000 }],
  ];
  const ids: string[] = [];
  for (let n = 0; n < jobs; n++) {
    const webhook = random.chance(200) ? { webhook: 'http://127.0.0.1:9/' } : {};
    const input = { plan: random.pick(plans)(), text: 'ä'.repeat(random.intBetween(0, 200)) };
    const response = await call(server.url, '/v2/test/run', { input, ...webhook });
    if (response.status !== 200) throw new Error(`/run is answered with ${response.status}`);
    ids.push(((await response.json()) as { id: string }).id);
    if (random.chance(300)) await advance(random.intBetween(1, n === jobs >> 2 ? 3_600_000 : 20_000));
  }
  await server.close();
  return ids;
}
