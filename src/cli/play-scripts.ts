import { createPlayer } from '../runner/player.js';
import type { HistoryEvent, RunEvent } from '../history/events.js';
import type { Ending } from '../report/index.js';
import type { Script } from '../scenario/index.js';
import type { PlayProgress, PlaySummary, Target } from '../target/port.js';
import type { Edition } from '../spec/types.js';
import type { Io } from './io.js';
import { packageVersion } from './package-files.js';

export interface PlayWish {
  readonly target: Target;
  readonly scripts: readonly Script[];
  readonly seed: number;
  readonly edition: Edition;
  readonly concurrency: number | null;
  readonly budgetMs: number | null;
  readonly onEvent: (event: HistoryEvent) => void;
  readonly onProgress: (progress: PlayProgress) => void;
}

export interface Played {
  readonly events: readonly HistoryEvent[];
  readonly summary: PlaySummary;
  readonly ending: Ending;
  readonly wallMs: number;
}

function runEvent({ target, seed, edition }: PlayWish): RunEvent {
  return {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof: packageVersion(),
    seed,
    edition,
    target: { kind: target.kind, name: target.name },
    capabilities: target.capabilities,
    clock: target.clock,
    graceMs: target.limits.graceMs,
    earlyMs: target.earlyMs,
  };
}

/** Plays the scripts until they are over, the budget is spent or the user has had enough. */
export async function playScripts(wish: PlayWish, io: Io): Promise<Played> {
  const stop = new AbortController();
  let ending: Ending = 'finished';
  const end = (because: Ending): void => {
    if (!stop.signal.aborted) ending = because;
    stop.abort();
  };
  const forget = io.onInterrupt(() => {
    io.err('\nstopping: ending the jobs that are still alive, then writing the partial report\n');
    end('interrupted');
  });
  const budget = wish.budgetMs === null ? null : setTimeout(() => end('budget'), wish.budgetMs);

  const events: HistoryEvent[] = [];
  const append = (event: HistoryEvent): void => {
    events.push(event);
    wish.onEvent(event);
  };
  const startMs = io.monotonicMs();
  append(runEvent(wish));
  try {
    const summary = await wish.target.play(
      wish.scripts,
      { append },
      {
        createPlayer,
        signal: stop.signal,
        onProgress: wish.onProgress,
        ...(wish.concurrency === null ? {} : { concurrency: wish.concurrency }),
      },
    );
    return { events, summary, ending, wallMs: Math.round(io.monotonicMs() - startMs) };
  } finally {
    if (budget !== null) clearTimeout(budget);
    forget();
  }
}
