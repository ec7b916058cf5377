import { setMaxListeners } from 'node:events';
import type { HistorySink, PlayOptions, PlaySummary } from '../port.js';
import type { Script } from '../../scenario/script.js';
import { Bell } from './wake-signal.js';
import { ControlError } from './control.js';
import { learnWhatGoesOn } from './ending.js';
import { preparePlace, removePlace, stageOf, Tally } from './target-context.js';
import type { Ground } from './target-context.js';
import { LagWatch } from '../session/event-loop-lag.js';
import type { Manners, RealClockPump } from './real-time-driver.js';
import { rehearse } from './rehearsal.js';
import { ScriptSession } from '../session/script-session.js';
import type { Stage } from '../session/script-session.js';
import { sweepJobs } from './cleanup.js';
import { entryOf, Timetable } from './timetable.js';
import { WorkerSlots } from '../../schedule/worker-slots.js';

/** How many scripts are under way at once; they mostly sleep. */
const CONCURRENCY = 64;
/** How often to look whether time alone has made room for a script. */
const LOOK_EVERY_MS = 250;

interface Numbered {
  readonly script: Script;
  readonly number: number;
}

/** Plays scripts in real time, all waits side by side: the longest begin first. */
export async function playReal(
  ground: Ground,
  pump: RealClockPump,
  scripts: readonly Script[],
  sink: HistorySink,
  options: PlayOptions,
): Promise<PlaySummary> {
  // Every script under way listens to it.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  return new RealRun(ground, pump, sink, options, scripts.length).play(scripts);
}

class RealRun {
  readonly #ground: Ground;
  readonly #pump: RealClockPump;
  readonly #options: PlayOptions;
  readonly #stage: Stage;
  readonly #tally: Tally;
  readonly #concurrency: number;
  readonly #lag: LagWatch;
  readonly #played: ScriptSession[] = [];

  constructor(ground: Ground, pump: RealClockPump, sink: HistorySink, options: PlayOptions, total: number) {
    this.#ground = ground;
    this.#pump = pump;
    this.#options = options;
    this.#lag = new LagWatch(pump.nowMs);
    this.#stage = stageOf(ground, sink, options.createPlayer, this.#lag);
    this.#tally = new Tally(options, total, () => ground.carrier.calls);
    this.#concurrency = Math.max(1, options.concurrency ?? CONCURRENCY);
  }

  async play(scripts: readonly Script[]): Promise<PlaySummary> {
    const first = this.#options.firstScript ?? 0;
    const numbered = scripts.map((script, index) => ({ script, number: first + index }));
    const play = this.#ground.ownEndpoints ? this.#playApart(numbered) : this.#playTogether(numbered);
    const startMs = this.#pump.nowMs;
    await play;
    if (!this.#ground.ownEndpoints) await this.#endLateJobs();
    return { ...this.#tally.summary(this.#pump.nowMs - startMs), harnessLagMs: this.#lag.stop() };
  }

  /** Each on an endpoint of its own, where none can disturb another. */
  async #playApart(numbered: readonly Numbered[]): Promise<void> {
    // As rehearsed, for `expectedMs` takes every wait for a state to last as long as it may.
    const lastsMs = ({ script }: Numbered): number =>
      rehearse(script, this.#options.createPlayer, this.#ground.pace).lastsMs;
    const queue = [...numbered].sort((a, b) => lastsMs(b) - lastsMs(a));
    const oneAfterTheOther = async (): Promise<void> => {
      for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
        if (this.#options.signal?.aborted) return;
        await this.#playOne(entry, { lease: null, driven: [] });
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#concurrency, queue.length) }, oneAfterTheOther));
  }

  async #playTogether(numbered: readonly Numbered[]): Promise<void> {
    const { signal, createPlayer } = this.#options;
    const { allowance, workers, pace } = this.#ground;
    const news = new Bell();
    const slots = new WorkerSlots(workers ?? 1, news.ring);
    const entries = numbered.map(({ script, number }) => entryOf(script, number, createPlayer, pace));
    const table = new Timetable(entries, { slots, allowance, nowMs: () => this.#pump.nowMs });
    const playing = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | null = null;
    signal?.addEventListener('abort', news.ring);
    while (!table.isEmpty && !signal?.aborted && failure === null) {
      const next = table.underWay < this.#concurrency ? table.next() : null;
      if (next === null) {
        await news.wait(LOOK_EVERY_MS);
        continue;
      }
      const { entry, lease, end } = next;
      const played: Promise<void> = this.#playOne(entry, { lease, driven: entry.driven })
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          lease.give();
          end();
          playing.delete(played);
          news.ring();
        });
      playing.add(played);
    }
    await Promise.all(playing);
    signal?.removeEventListener('abort', news.ring);
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
  }

  async #playOne({ script, number }: Numbered, manners: Manners): Promise<void> {
    if (this.#options.signal?.aborted) return;
    this.#tally.started(number, script);
    let session: ScriptSession | null = null;
    let reason: string | null;
    let failure: { readonly error: unknown } | null = null;
    try {
      const place = await preparePlace(this.#ground, script, number);
      session = new ScriptSession(this.#stage, script, number, place, this.#pump.nowMs);
      reason = await this.#pump.play(session, manners, this.#options.signal);
    } catch (error) {
      // Also after an error of our own no job of the script is left alive.
      if (!(error instanceof ControlError)) failure = { error };
      reason = error instanceof Error ? error.message : String(error);
    }
    if (reason !== null && session !== null && !this.#ground.ownEndpoints) {
      await learnWhatGoesOn(session.flights, this.#pump.nowMs, this.#options.signal);
    }
    await session?.end(() => this.#pump.byNowMs, reason);
    if (session !== null) await this.#leave(session);
    this.#tally.ended(number, script, reason);
    if (failure !== null) throw failure.error;
  }

  async #leave(session: ScriptSession): Promise<void> {
    if (this.#ground.ownEndpoints) {
      await removePlace(this.#ground, session.place).catch(() => undefined);
      return;
    }
    this.#played.push(session);
    await this.#sweep(session, session.jobsToEnd());
  }

  /** Of calls that were given up, the answers of most have come meanwhile. */
  async #endLateJobs(): Promise<void> {
    for (const session of this.#played) {
      const late = session.lateJobs();
      if (late.length > 0) await this.#sweep(session, late);
    }
  }

  async #sweep(session: ScriptSession, jobIds: readonly string[]): Promise<void> {
    const { endpoint } = session.place;
    const left = await sweepJobs(this.#ground.sweep, endpoint, jobIds, this.#options.signal);
    session.closeLedger(left);
    this.#tally.leftBehind.push(...left.map((id) => `${endpoint}/${id}`));
  }
}
