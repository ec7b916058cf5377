/** The pull protocol where something gets lost: workers that vanish or fall silent, jobs that are theirs no more. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../../src/server/index.js';
import { createCaller } from '../caller.js';
import { until } from '../../support/until.js';
import { startPullServer, type PullServer } from './pull-server.js';

let pullServer: PullServer;
async function serve(options: ServerOptions = {}): Promise<void> {
  await pullServer?.server.close();
  pullServer = await startPullServer({ workers: 0, ...options });
}
beforeEach(() => serve());
afterEach(() => pullServer.server.close());

describe('a worker that disconnects at that moment', () => {
  /** A call whose socket the spec can close in the middle of things. */
  async function openTake() {
    const socket = connect(pullServer.server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET /v2/test/job-take/pod?gpu=SIM HTTP/1.1\r\nhost: x\r\nauthorization: k\r\n\r\n');
    await until(async () => ((await pullServer.workers()) as { idle: number }).idle >= 1);
    return socket;
  }

  it.each([
    ['before', (close: () => void, submit: () => Promise<string>) => (close(), submit())],
    [
      'after',
      async (close: () => void, submit: () => Promise<string>) => {
        const submitted = submit();
        close();
        return submitted;
      },
    ],
    [
      'a turn after',
      async (close: () => void, submit: () => Promise<string>) => {
        const submitted = submit();
        setImmediate(close);
        return submitted;
      },
    ],
  ])(
    '%s the job was submitted loses no job',
    async (_when, race) => {
      for (const way of ['destroy', 'resetAndDestroy'] as const) {
        for (let round = 0; round < 8; round++) {
          await serve();
          const socket = await openTake();
          const id = await race(
            () => socket[way](),
            () => pullServer.run(),
          );
          const taken = await pullServer.other.take({ signal: AbortSignal.timeout(3_000) });
          expect(taken.json.id).toBe(id);
          expect((await pullServer.other.done(id, { output: 1 })).status).toBe(200);
          expect((await pullServer.api.get('/health')).json.jobs).toMatchObject({ completed: 1, retried: 0 });
        }
      }
    },
    60_000,
  );
});

describe('a job that the worker is not, or no longer, running', () => {
  const refused = async (id: string, of = pullServer.worker) => {
    expect((await of.done(id, { output: 'wrong' })).status).toBe(404);
    expect((await of.done(id, { error: 'wrong' })).status).toBe(404);
    expect((await of.stream(id, { output: 'wrong' })).status).toBe(404);
    expect((await of.done(id, { status: 'IN_PROGRESS', output: 'wrong' })).status).toBe(404);
  };

  it('cancelled', async () => {
    const id = await pullServer.run();
    await pullServer.worker.take();
    await pullServer.api.post(`/cancel/${id}`);
    await refused(id);
    expect(await pullServer.status(id)).toMatchObject({ status: 'CANCELLED' });
    expect((await pullServer.status(id)).output).toBeUndefined();
  });

  it('another worker’s, a finished one, and one that never existed', async () => {
    const [mine, waiting] = [await pullServer.run(), await pullServer.run()];
    await pullServer.worker.take();
    await refused(mine, pullServer.other);
    await refused(waiting);
    await refused('no-such-job');
    expect([await pullServer.stateOf(mine), await pullServer.stateOf(waiting)]).toEqual([
      'IN_PROGRESS',
      'IN_QUEUE',
    ]);
    expect((await pullServer.api.get(`/stream/${mine}`)).json).toEqual([]);
  });

  it('deleted, timed out, or given to another after a retry', async () => {
    await serve({ clock: 'controlled' });
    const deleted = await pullServer.run({}, { policy: { ttl: 10_000 } });
    const slow = await pullServer.run({}, { policy: { executionTimeout: 5_000 } });
    await pullServer.worker.takeBatch(2);
    await pullServer.advance(10_000);
    await refused(deleted);
    await refused(slow);
    expect((await pullServer.api.get(`/status/${deleted}`)).status).toBe(404);
    expect(await pullServer.stateOf(slow)).toBe('TIMED_OUT');
    await pullServer.api.post(`/retry/${slow}`);
    expect((await pullServer.other.take()).json.id).toBe(slow);
    await refused(slow);
    expect(await pullServer.stateOf(slow)).toBe('IN_PROGRESS');
    await pullServer.other.done(slow, { output: 'right' });
    expect(await pullServer.status(slow)).toMatchObject({ status: 'COMPLETED', output: 'right' });
  });
});

describe('job-stop', () => {
  it('notifies the worker that runs the job at once, and once only', async () => {
    await serve({ clock: 'controlled' });
    const ids = [
      await pullServer.run(),
      await pullServer.run({}, { policy: { ttl: 10_000 } }),
      await pullServer.run({}, { policy: { executionTimeout: 5_000 } }),
    ];
    await pullServer.worker.takeBatch(3);
    const strangers = pullServer.other.stops();
    const first = pullServer.worker.stops();
    await pullServer.pollsArrived(3);
    await pullServer.api.post(`/cancel/${ids[0]}`);
    expect((await first).json).toEqual({ jobsToStop: [ids[0]] });
    const second = pullServer.worker.stops();
    await pullServer.pollsArrived(4);
    await pullServer.advance(5_000);
    expect((await second).json).toEqual({ jobsToStop: [ids[2]] });
    await pullServer.advance(5_000);
    expect((await pullServer.worker.stops()).json).toEqual({ jobsToStop: [ids[1]] });
    await pullServer.server.close();
    expect((await strangers).status).toBe(204);
  });

  it('names no jobs that have ended, wait, or run again', async () => {
    await serve({ clock: 'controlled', pollMs: 50 });
    const [ended, cancelled] = [await pullServer.run(), await pullServer.run()];
    await pullServer.worker.take();
    await pullServer.worker.done(ended, { output: 1 });
    await pullServer.api.post(`/cancel/${cancelled}`);
    expect((await pullServer.worker.stops()).status).toBe(204);
    const again = await pullServer.run({}, { policy: { executionTimeout: 5_000 } });
    await pullServer.worker.take();
    await pullServer.advance(5_000);
    await pullServer.api.post(`/retry/${again}`);
    expect((await pullServer.worker.take()).json.id).toBe(again);
    expect((await pullServer.worker.stops()).status).toBe(204);
  });
});

describe('ping', () => {
  it('keeps the jobs it names with their worker; a silent worker loses its jobs', async () => {
    await serve({ clock: 'controlled', edition: 'runpod' });
    const [named, forgotten] = [await pullServer.run(), await pullServer.run()];
    expect((await pullServer.worker.takeBatch(2)).json).toHaveLength(2);
    for (let pings = 0; pings < 6; pings++) {
      expect((await pullServer.worker.ping(named)).status).toBe(200);
      await pullServer.advance(10_000);
    }
    expect([await pullServer.stateOf(named), await pullServer.stateOf(forgotten)]).toEqual([
      'IN_PROGRESS',
      'IN_QUEUE',
    ]);
    expect((await pullServer.api.get('/health')).json.jobs.retried).toBe(1);
    expect((await pullServer.worker.done(forgotten, { output: 1 })).status).toBe(404);
    expect((await pullServer.worker.done(named, { output: 1 })).status).toBe(200);
  });
});

describe('a worker that restarts under its old name', () => {
  it.each([
    [0, 'IN_QUEUE'],
    [1, 'IN_PROGRESS'],
  ])('says job_in_progress=%i: its old job is %s when its silence is over', async (inProgress, state) => {
    await serve({ clock: 'controlled', edition: 'runpod' });
    const job = await pullServer.run();
    await pullServer.worker.take();
    await pullServer.advance(30_000);
    const calls = createCaller(`${pullServer.server.url}/v2/test`, 'k');
    const asked = calls.get(`/job-take/pod?gpu=SIM&job_in_progress=${inProgress}`);
    await pullServer.pollsArrived(2);
    await pullServer.advance(14_000);
    if (inProgress === 0) expect((await asked).json.id).toBe(job);
    else expect(await pullServer.stateOf(job)).toBe(state);
    await pullServer.server.close();
    await asked;
  });
});

describe('stopPod', () => {
  it('the worker is gone after its last job', async () => {
    const [one, two] = [await pullServer.run(), await pullServer.run()];
    await pullServer.worker.takeBatch(2);
    await pullServer.worker.done(one, { output: 1, stopPod: true });
    expect(await pullServer.workers()).toEqual({ idle: 0, running: 1 });
    await pullServer.worker.done(two, { output: 2 });
    expect(await pullServer.workers()).toEqual({ idle: 0, running: 0 });
    expect([await pullServer.stateOf(one), await pullServer.stateOf(two)]).toEqual([
      'COMPLETED',
      'COMPLETED',
    ]);
  });

  it('a worker that keeps polling gets its next job at once', async () => {
    const id = await pullServer.run();
    await pullServer.worker.take();
    const asking = (async () => {
      for (;;) {
        const answer = await pullServer.worker.take();
        if (answer.status === 200) return answer.json.id as string;
      }
    })();
    await pullServer.worker.done(id, { output: { refresh_worker: true }, stopPod: true });
    await until(async () => ((await pullServer.workers()) as { idle: number }).idle === 1);
    const next = await pullServer.run();
    expect(await asking).toBe(next);
  });
});

describe('a stop notice that came before the worker had begun the job', () => {
  it('is repeated while the worker names the job in its pings, and not afterwards', async () => {
    const id = await pullServer.run();
    const first = pullServer.worker.stops();
    await pullServer.worker.take();
    await pullServer.api.post(`/cancel/${id}`);
    expect((await first).json).toEqual({ jobsToStop: [id] });
    await pullServer.worker.ping(`${id},another`);
    expect((await pullServer.worker.stops()).json).toEqual({ jobsToStop: [id] });
    await pullServer.worker.ping('another');
    await pullServer.run();
    const { json } = await pullServer.worker.take();
    await pullServer.worker.ping(json.id);
    const held = pullServer.worker.stops();
    await pullServer.api.post(`/cancel/${json.id}`);
    expect((await held).json).toEqual({ jobsToStop: [json.id] });
  });

  it('goes only to the worker that runs the job', async () => {
    const id = await pullServer.run();
    const first = pullServer.worker.stops();
    await pullServer.worker.take();
    await pullServer.api.post(`/cancel/${id}`);
    expect((await first).json).toEqual({ jobsToStop: [id] });
    await pullServer.other.ping(id);
    const strangers = pullServer.other.stops();
    const next = await pullServer.run();
    await pullServer.other.take();
    await pullServer.api.post(`/cancel/${next}`);
    expect((await strangers).json).toEqual({ jobsToStop: [next] });
  });
});
