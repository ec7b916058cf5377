import { setTimeout as sleep } from 'node:timers/promises';
import type { HistorySink, PlayOptions, PlaySummary } from '../port.js';
import type { Script } from '../../scenario/script.js';
import type { Operation } from '../../spec/types.js';
import { drivenOperations } from './allowance.js';
import { ControlError } from './control.js';
import { preparePlace, removePlace, stageOf, Tally } from './ground.js';
import type { Ground } from './ground.js';
import { LagWatch } from './lag.js';
import type { RealClockPump } from './real-pump.js';
import { ScriptSession } from './script-session.js';
import type { Stage } from './script-session.js';
import { sweepJobs } from './sweep.js';
import { WorkerSlots } from './worker-slots.js';
import type { Lease } from './worker-slots.js';

/** How many scripts are under way at once; they mostly sleep. */
const CONCURRENCY = 64;

interface Numbered {
  readonly script: Script;
  readonly number: number;
}

/**
 * Plays scripts in real time, all waits side by side: the longest begin first. On a shared endpoint those that
 * want it for themselves come afterwards, one by one.
 */
export async function playReal(
  ground: Ground,
  pump: RealClockPump,
  scripts: readonly Script[],
  sink: HistorySink,
  options: PlayOptions,
): Promise<PlaySummary> {
  return new RealRun(ground, pump, sink, options, scripts.length).play(scripts);
}

class RealRun {
  readonly #ground: Ground;
  readonly #pump: RealClockPump;
  readonly #options: PlayOptions;
  readonly #stage: Stage;
  readonly #tally: Tally;
  readonly #slots: WorkerSlots | null;

  constructor(ground: Ground, pump: RealClockPump, sink: HistorySink, options: PlayOptions, total: number) {
    this.#ground = ground;
    this.#pump = pump;
    this.#options = options;
    this.#stage = stageOf(ground, sink, options.createPlayer);
    this.#tally = new Tally(options, total, () => ground.carrier.calls);
    this.#slots = ground.ownEndpoints ? null : new WorkerSlots(ground.workers ?? 1);
  }

  async play(scripts: readonly Script[]): Promise<PlaySummary> {
    const startMs = this.#pump.nowMs;
    const lag = new LagWatch();
    const first = this.#options.firstScript ?? 0;
    const numbered = scripts.map((script, index) => ({ script, number: first + index }));
    const alone = this.#ground.ownEndpoints ? [] : numbered.filter(({ script }) => script.exclusive);
    // Whoever comes after a script that uses up a limit would have to wait until it is whole again.
    alone.sort((a, b) => drivenOperations(a.script).length - drivenOperations(b.script).length);
    const together = numbered.filter((entry) => !alone.includes(entry));
    await this.#playTogether(together.sort((a, b) => b.script.expectedMs - a.script.expectedMs));
    for (const entry of alone) await this.#playAlone(entry);
    return { ...this.#tally.summary(this.#pump.nowMs - startMs), harnessLagMs: lag.stop() };
  }

  async #playTogether(queue: Numbered[]): Promise<void> {
    const concurrency = Math.max(1, this.#options.concurrency ?? CONCURRENCY);
    const oneAfterTheOther = async (): Promise<void> => {
      for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
        if (this.#options.signal?.aborted) return;
        const lease = (await this.#slots?.admit(entry.script.workers)) ?? null;
        await this.#playOne(entry, lease, []);
        lease?.give();
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, oneAfterTheOther));
  }

  async #playAlone(entry: Numbered): Promise<void> {
    const { signal } = this.#options;
    // What drives a limit to its end begins with the whole of it, and is not held back.
    const driven = drivenOperations(entry.script);
    const quietMs = this.#ground.allowance?.quietInMs(driven) ?? 0;
    if (!signal?.aborted) await sleep(quietMs, undefined, signal ? { signal } : {}).catch(() => undefined);
    if (!signal?.aborted) await this.#playOne(entry, null, driven);
  }

  async #playOne(
    { script, number }: Numbered,
    lease: Lease | null,
    driven: readonly Operation[],
  ): Promise<void> {
    if (this.#options.signal?.aborted) return;
    this.#tally.started(number, script);
    let session: ScriptSession | null = null;
    let reason: string | null;
    try {
      const place = await preparePlace(this.#ground, script, number);
      session = new ScriptSession(this.#stage, script, number, place, this.#pump.nowMs);
      reason = await this.#pump.play(session, { lease, driven }, this.#options.signal);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      reason = error.message;
    }
    await session?.end(() => this.#pump.byNowMs, reason);
    if (session !== null) await this.#leave(session);
    this.#tally.ended(number, script, reason);
  }

  async #leave(session: ScriptSession): Promise<void> {
    const { endpoint } = session.place;
    if (this.#ground.ownEndpoints) {
      await removePlace(this.#ground, session.place).catch(() => undefined);
      return;
    }
    const left = await sweepJobs(this.#ground.sweep, endpoint, session.player.openJobs());
    this.#tally.leftBehind.push(...left.map((id) => `${endpoint}/${id}`));
  }
}
