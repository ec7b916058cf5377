/**
 * The embedded endpoint several times, each in a thread of its own with the calls made to it. Scripts have endpoints of
 * their own and a clock that only they move, so the history is the one of scripts played one after the other.
 */
import type { HistoryEvent } from '../../history/events.js';
import type { Script } from '../../scenario/index.js';
import { InOrder } from '../../target/in-order.js';
import type { HistorySink, RunOptions, RunSummary, Target } from '../../target/port.js';

/** Plays scripts one at a time. */
export interface Player {
  /** Resolves when the script has ended, at the latest about a second after the signal. */
  play(script: Script, number: number, signal: AbortSignal | undefined): Promise<Played>;
  close(): Promise<void>;
}

export interface Played {
  readonly events: readonly HistoryEvent[];
  readonly summary: RunSummary;
}

const NOT_BEGUN: Played = {
  events: [],
  summary: { finished: 0, aborted: [], calls: 0, elapsedMs: 0, leftBehind: [] },
};

/** Fewer scripts are over before a thread has started. */
const SHARED_FROM = 40;

/**
 * The same target, whose scripts are shared out among it and others like it.
 *
 * @param others makes them; called at the first run that is worth it
 */
export function sharingScripts<T extends Target>(first: T, others: () => readonly Player[]): T {
  let players: readonly Player[] | null = null;
  return {
    ...first,
    // Each has a receiver of its own, on this machine.
    ...(first.webhooksAt === undefined ? {} : { webhooksAt: first.webhooksAt.replace(/:\d+\/.*$/, ':') }),
    async run(scripts, sink, options = {}) {
      if (scripts.length < SHARED_FROM || options.concurrency === 1 || options.createRunner !== undefined)
        return first.run(scripts, sink, options);
      players ??= [playerOf(first), ...others()];
      return shareOut(players, scripts, sink, options);
    },
    async close() {
      await Promise.all((players ?? [first]).map((player) => player.close()));
    },
  };
}

/** @internal */
export const playerOf = (target: Pick<Target, 'run' | 'close'>): Player => ({
  async play(script, number, signal) {
    const events: HistoryEvent[] = [];
    const sink = { append: (event: HistoryEvent) => void events.push(event) };
    return { summary: await target.run([script], sink, { firstScript: number, signal }), events };
  },
  close: () => target.close(),
});

async function shareOut(
  players: readonly Player[],
  scripts: readonly Script[],
  sink: HistorySink,
  { firstScript = 0, signal, onProgress }: RunOptions,
): Promise<RunSummary> {
  const inOrder = new InOrder(sink);
  const summaries: RunSummary[] = [];
  let begun = 0;
  let ended = 0;
  const tell = (kind: 'script-started' | 'script-ended', script: number, { scenario }: Script): void =>
    onProgress?.({ kind, script, scenario, ended, total: scripts.length });
  const playOn = async (player: Player): Promise<void> => {
    while (begun < scripts.length && signal?.aborted !== true) {
      const index = begun++;
      const script = scripts[index]!;
      tell('script-started', firstScript + index, script);
      const played = await player.play(script, firstScript + index, signal).catch((error: unknown) => {
        // Stopped before its endpoint was ready: the script has not begun.
        if (signal?.aborted === true) return NOT_BEGUN;
        throw error;
      });
      inOrder.put(index, played.events);
      summaries[index] = played.summary;
      ended += 1;
      tell('script-ended', firstScript + index, script);
    }
  };
  await Promise.all(players.map(playOn));
  return summed(summaries);
}

const summed = (summaries: readonly RunSummary[]): RunSummary => ({
  finished: sum(summaries.map(({ finished }) => finished)),
  aborted: summaries.flatMap(({ aborted }) => aborted),
  calls: sum(summaries.map(({ calls }) => calls)),
  elapsedMs: sum(summaries.map(({ elapsedMs }) => elapsedMs)),
  leftBehind: summaries.flatMap(({ leftBehind }) => leftBehind),
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
