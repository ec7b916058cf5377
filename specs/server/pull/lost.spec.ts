/** The pull protocol where something gets lost: workers that vanish or fall silent, jobs that are theirs no more. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../../src/server/index.js';
import { createCaller } from '../caller.js';
import { createStage, until, type Stage } from './stage.js';

let stage: Stage;
async function serve(options: ServerOptions = {}): Promise<void> {
  await stage?.server.close();
  stage = await createStage({ workers: 0, ...options });
}
beforeEach(() => serve());
afterEach(() => stage.server.close());

describe('a worker that vanishes just then', () => {
  /** A call whose socket the spec can close in the middle of things. */
  async function openTake() {
    const socket = connect(stage.server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET /v2/test/job-take/pod?gpu=SIM HTTP/1.1\r\nhost: x\r\nauthorization: k\r\n\r\n');
    await until(async () => ((await stage.workers()) as { idle: number }).idle >= 1);
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
            () => stage.run(),
          );
          const taken = await stage.other.take({ signal: AbortSignal.timeout(3_000) });
          expect(taken.json.id).toBe(id);
          expect((await stage.other.done(id, { output: 1 })).status).toBe(200);
          expect((await stage.api.get('/health')).json.jobs).toMatchObject({ completed: 1, retried: 0 });
        }
      }
    },
    60_000,
  );
});

describe('a job that is not, or no longer, the worker’s', () => {
  const refused = async (id: string, of = stage.pod) => {
    expect((await of.done(id, { output: 'wrong' })).status).toBe(404);
    expect((await of.done(id, { error: 'wrong' })).status).toBe(404);
    expect((await of.stream(id, { output: 'wrong' })).status).toBe(404);
    expect((await of.done(id, { status: 'IN_PROGRESS', output: 'wrong' })).status).toBe(404);
  };

  it('cancelled', async () => {
    const id = await stage.run();
    await stage.pod.take();
    await stage.api.post(`/cancel/${id}`);
    await refused(id);
    expect(await stage.status(id)).toMatchObject({ status: 'CANCELLED' });
    expect((await stage.status(id)).output).toBeUndefined();
  });

  it('another worker’s, nobody’s, and one that never was', async () => {
    const [mine, waiting] = [await stage.run(), await stage.run()];
    await stage.pod.take();
    await refused(mine, stage.other);
    await refused(waiting);
    await refused('no-such-job');
    expect([await stage.stateOf(mine), await stage.stateOf(waiting)]).toEqual(['IN_PROGRESS', 'IN_QUEUE']);
    expect((await stage.api.get(`/stream/${mine}`)).json).toEqual([]);
  });

  it('deleted, timed out, or given to another after a retry', async () => {
    await serve({ clock: 'controlled' });
    const deleted = await stage.run({}, { policy: { ttl: 10_000 } });
    const slow = await stage.run({}, { policy: { executionTimeout: 5_000 } });
    await stage.pod.takeBatch(2);
    await stage.advance(10_000);
    await refused(deleted);
    await refused(slow);
    expect((await stage.api.get(`/status/${deleted}`)).status).toBe(404);
    expect(await stage.stateOf(slow)).toBe('TIMED_OUT');
    await stage.api.post(`/retry/${slow}`);
    expect((await stage.other.take()).json.id).toBe(slow);
    await refused(slow);
    expect(await stage.stateOf(slow)).toBe('IN_PROGRESS');
    await stage.other.done(slow, { output: 'right' });
    expect(await stage.status(slow)).toMatchObject({ status: 'COMPLETED', output: 'right' });
  });
});

describe('job-stop', () => {
  it('tells at once what to stop, each job once, to the worker that holds it', async () => {
    await serve({ clock: 'controlled' });
    const ids = [
      await stage.run(),
      await stage.run({}, { policy: { ttl: 10_000 } }),
      await stage.run({}, { policy: { executionTimeout: 5_000 } }),
    ];
    await stage.pod.takeBatch(3);
    const strangers = stage.other.stops();
    const first = stage.pod.stops();
    await sleep(50);
    await stage.api.post(`/cancel/${ids[0]}`);
    expect((await first).json).toEqual({ jobsToStop: [ids[0]] });
    const second = stage.pod.stops();
    await sleep(50);
    await stage.advance(5_000);
    expect((await second).json).toEqual({ jobsToStop: [ids[2]] });
    await stage.advance(5_000);
    expect((await stage.pod.stops()).json).toEqual({ jobsToStop: [ids[1]] });
    await stage.server.close();
    expect((await strangers).status).toBe(204);
  });

  it('says nothing of jobs that have ended, that wait, or that run again', async () => {
    await serve({ clock: 'controlled', pollMs: 50 });
    const [ended, cancelled] = [await stage.run(), await stage.run()];
    await stage.pod.take();
    await stage.pod.done(ended, { output: 1 });
    await stage.api.post(`/cancel/${cancelled}`);
    expect((await stage.pod.stops()).status).toBe(204);
    const again = await stage.run({}, { policy: { executionTimeout: 5_000 } });
    await stage.pod.take();
    await stage.advance(5_000);
    await stage.api.post(`/retry/${again}`);
    expect((await stage.pod.take()).json.id).toBe(again);
    expect((await stage.pod.stops()).status).toBe(204);
  });
});

describe('ping', () => {
  it('keeps the jobs it names with their worker; those of a silent one are taken from it', async () => {
    await serve({ clock: 'controlled', edition: 'runpod' });
    const [named, forgotten] = [await stage.run(), await stage.run()];
    expect((await stage.pod.takeBatch(2)).json).toHaveLength(2);
    for (let pings = 0; pings < 6; pings++) {
      expect((await stage.pod.ping(named)).status).toBe(200);
      await stage.advance(10_000);
    }
    expect([await stage.stateOf(named), await stage.stateOf(forgotten)]).toEqual(['IN_PROGRESS', 'IN_QUEUE']);
    expect((await stage.api.get('/health')).json.jobs.retried).toBe(1);
    expect((await stage.pod.done(forgotten, { output: 1 })).status).toBe(404);
    expect((await stage.pod.done(named, { output: 1 })).status).toBe(200);
  });
});

describe('a worker that was started anew under its old name', () => {
  it.each([
    [0, 'IN_QUEUE'],
    [1, 'IN_PROGRESS'],
  ])('says job_in_progress=%i: its old job is %s when its silence is over', async (inProgress, state) => {
    await serve({ clock: 'controlled', edition: 'runpod' });
    const job = await stage.run();
    await stage.pod.take();
    await stage.advance(30_000);
    const calls = createCaller(`${stage.server.url}/v2/test`, 'k');
    const asked = calls.get(`/job-take/pod?gpu=SIM&job_in_progress=${inProgress}`);
    await sleep(50);
    await stage.advance(14_000);
    if (inProgress === 0) expect((await asked).json.id).toBe(job);
    else expect(await stage.stateOf(job)).toBe(state);
    await stage.server.close();
    await asked;
  });
});

describe('stopPod', () => {
  it('the worker is gone after its last job', async () => {
    const [one, two] = [await stage.run(), await stage.run()];
    await stage.pod.takeBatch(2);
    await stage.pod.done(one, { output: 1, stopPod: true });
    expect(await stage.workers()).toEqual({ idle: 0, running: 1 });
    await stage.pod.done(two, { output: 2 });
    expect(await stage.workers()).toEqual({ idle: 0, running: 0 });
    expect([await stage.stateOf(one), await stage.stateOf(two)]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('a worker that goes on asking is given its next job at once', async () => {
    const id = await stage.run();
    await stage.pod.take();
    const asking = (async () => {
      for (;;) {
        const answer = await stage.pod.take();
        if (answer.status === 200) return answer.json.id as string;
      }
    })();
    await stage.pod.done(id, { output: { refresh_worker: true }, stopPod: true });
    await until(async () => ((await stage.workers()) as { idle: number }).idle === 1);
    const next = await stage.run();
    expect(await asking).toBe(next);
  });
});

describe('a stop that the worker learnt of too early', () => {
  it('is repeated while the worker names the job in its pings, and not afterwards', async () => {
    const id = await stage.run();
    const first = stage.pod.stops();
    await stage.pod.take();
    await stage.api.post(`/cancel/${id}`);
    expect((await first).json).toEqual({ jobsToStop: [id] });
    await stage.pod.ping(`${id},another`);
    expect((await stage.pod.stops()).json).toEqual({ jobsToStop: [id] });
    await stage.pod.ping('another');
    await stage.run();
    const { json } = await stage.pod.take();
    await stage.pod.ping(json.id);
    const held = stage.pod.stops();
    await stage.api.post(`/cancel/${json.id}`);
    expect((await held).json).toEqual({ jobsToStop: [json.id] });
  });

  it('goes to no worker but the one that was told', async () => {
    const id = await stage.run();
    const first = stage.pod.stops();
    await stage.pod.take();
    await stage.api.post(`/cancel/${id}`);
    expect((await first).json).toEqual({ jobsToStop: [id] });
    await stage.other.ping(id);
    const strangers = stage.other.stops();
    const next = await stage.run();
    await stage.other.take();
    await stage.api.post(`/cancel/${next}`);
    expect((await strangers).json).toEqual({ jobsToStop: [next] });
  });
});
