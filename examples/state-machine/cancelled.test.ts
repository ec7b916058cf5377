/**
 * A model-based test with fast-check: any sequence of calls, and any pauses between them, on the endpoint itself; a model of
 * a few lines says what must hold after each. Put your own implementation in the place of `createApp`.
 */
import fc from 'fast-check';
import { createApp, LOCAL_API_KEY, type App } from 'runproof';
import { expect, test } from 'vitest';

interface Real {
  readonly app: App;
  readonly ids: string[];
}
/** What must hold of each job, in order of submission: whether it was cancelled, and how it was last seen. */
interface Model {
  readonly jobs: { cancelled: boolean; seen: string }[];
}

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
const DAY_MS = 86_400_000;

async function call({ app }: Real, path: string, body?: object) {
  const headers = { authorization: LOCAL_API_KEY, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const reply = await app.fetch(new Request(`http://localhost/v2/test${path}`, init));
  return { status: reply.status, body: (await reply.json()) as { id: string; status: string } };
}

class Submit implements fc.AsyncCommand<Model, Real> {
  readonly sleepMs: number;
  constructor(sleepMs: number) {
    this.sleepMs = sleepMs;
  }
  check = () => true;
  async run(model: Model, real: Real) {
    const input = { plan: [{ sleepMs: this.sleepMs }, { return: 1 }] };
    const { body } = await call(real, '/run', { input, policy: { ttl: 7 * DAY_MS } });
    real.ids.push(body.id);
    model.jobs.push({ cancelled: false, seen: body.status });
  }
  toString = () => `submit a job of ${this.sleepMs} ms`;
}

/** The jobs of a model are chosen by a number: which of those that exist then. */
abstract class OnJob implements fc.AsyncCommand<Model, Real> {
  readonly nth: number;
  constructor(nth: number) {
    this.nth = nth;
  }
  check = (model: Readonly<Model>) => model.jobs.length > 0;
  abstract on(job: Model['jobs'][number], id: string, real: Real): Promise<void>;
  run(model: Model, real: Real) {
    const at = this.nth % model.jobs.length;
    return this.on(model.jobs[at]!, real.ids[at]!, real);
  }
}

class Cancel extends OnJob {
  override async on(job: Model['jobs'][number], id: string, real: Real) {
    const { status, body } = await call(real, `/cancel/${id}`, {});
    if (status === 200 && body.status === 'CANCELLED') job.cancelled = true;
  }
  override toString = () => `cancel ${this.nth}`;
}

class Look extends OnJob {
  override async on(job: Model['jobs'][number], id: string, real: Real) {
    const { status, body } = await call(real, `/status/${id}`);
    // Results are kept for 30 minutes.
    const now = status === 404 ? 'gone' : body.status;
    if (job.cancelled) expect(['CANCELLED', 'gone']).toContain(now);
    if (ENDED.includes(job.seen)) expect([job.seen, 'gone']).toContain(now);
    job.seen = now;
  }
  override toString = () => `look at ${this.nth}`;
}

class Pass implements fc.AsyncCommand<Model, Real> {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = () => true;
  async run(_: Model, { app }: Real) {
    await app.advance(this.ms);
  }
  toString = () => `${this.ms} ms pass`;
}

test('what has ended stays as it ended, whatever clients do', async () => {
  const ms = fc.integer({ min: 0, max: 120_000 });
  const commands = fc.commands(
    [
      ms.map((sleepMs) => new Submit(sleepMs)),
      fc.nat(9).map((nth) => new Cancel(nth)),
      fc.nat(9).map((nth) => new Look(nth)),
      ms.map((passed) => new Pass(passed)),
    ],
    { maxCommands: 40 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const app = createApp({ clock: 'controlled', workers: 2 });
      await fc.asyncModelRun(() => ({ model: { jobs: [] }, real: { app, ids: [] } }), sequence);
      await app.close();
    }),
    { numRuns: 50, seed: 1 },
  );
});
