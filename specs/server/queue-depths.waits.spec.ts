import { describe, expect, it } from 'vitest';
import type { EndpointSnapshot } from '../../src/core/saved/snapshot.js';
import { createQueueDepths, type DepthPoint } from '../../src/server/page/queue-depths.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import { createCaller } from './caller.js';
import { askPage } from './page/page-caller.js';

const endpoint = (id: string, waiting: number, running: number): EndpointSnapshot =>
  ({ id, held: { IN_QUEUE: waiting, IN_PROGRESS: running } }) as EndpointSnapshot;
const service = (...endpoints: readonly EndpointSnapshot[]) => ({ snapshot: () => endpoints });

describe('the depths of queues', () => {
  let realMs = 0;
  const watched = (spacingMs = 0) => {
    const depths = createQueueDepths(spacingMs, () => realMs);
    depths.look(0, [endpoint('a', 0, 0)]);
    return depths;
  };

  it('are kept at each change, the last one of an instant', () => {
    const depths = watched();
    depths.changed(5, service(endpoint('a', 1, 0)));
    depths.changed(5, service(endpoint('a', 0, 1)));
    depths.changed(7, service(endpoint('a', 0, 1)));
    depths.changed(9, service(endpoint('a', 3, 1)));
    expect(depths.of('a')).toEqual([
      [0, 0, 0],
      [5, 0, 1],
      [9, 3, 1],
    ]);
  });

  it('are bounded: the last 200 changes of the endpoints that exist', () => {
    const depths = watched();
    for (let ms = 1; ms <= 1_000; ms += 1)
      depths.changed(ms, service(endpoint('a', ms, 0), endpoint('b', 0, ms)));
    expect(depths.of('a')).toHaveLength(200);
    expect(depths.of('b').at(-1)).toEqual([1_000, 0, 1_000]);
    depths.changed(1_001, service(endpoint('a', 1, 1)));
    expect(depths.of('b')).toEqual([]);
  });

  it('have no finer steps than the spacing, but what is looked at is up to date', () => {
    const depths = watched(250);
    depths.changed(100, service(endpoint('a', 1, 1)));
    depths.changed(250, service(endpoint('a', 2, 2)));
    depths.look(260, [endpoint('a', 3, 3)]);
    expect(depths.of('a').map(([, waiting]) => waiting)).toEqual([0, 2, 3]);
  });

  it('cost nothing while nobody looks, and begin anew', () => {
    const depths = watched();
    realMs += 60_000;
    const unasked = {
      snapshot: () => {
        throw new Error('nobody looks');
      },
    };
    depths.changed(5, unasked);
    depths.look(9, [endpoint('a', 2, 0)]);
    expect(depths.of('a')).toEqual([[9, 2, 0]]);
  });
});

it('the page gets what happened between two of its looks', async () => {
  await using server = await startServer({ clock: 'controlled', workers: 1 });
  const depth = async (): Promise<readonly DepthPoint[]> => {
    const { text } = await askPage(server.port, '/_page/state', {});
    return (JSON.parse(text) as { endpoints: { depth: readonly DepthPoint[] }[] }).endpoints[0]!.depth;
  };
  expect(await depth()).toEqual([[0, 0, 0]]);
  const api = createCaller(`${server.url}/v2/test`, LOCAL_API_KEY);
  for (let job = 0; job < 3; job += 1) await api.post('/run', { input: { plan: [{ sleepMs: 10_000 }] } });
  await server.advance('40s');
  expect(await depth()).toEqual([
    [0, 2, 1],
    [10_000, 1, 1],
    [20_000, 0, 1],
    [30_000, 0, 0],
  ]);
});
