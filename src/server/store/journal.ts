import type { DurableService } from '../../core/service.js';
import type { Store } from './store.js';

/**
 * Delays replies and effects until the changes behind them are on disk. Everything that happens during one
 * write shares the next, so that many calls share one sync.
 */
export interface Journal {
  /** Whether anything is not on disk yet; replies and effects then have to be deferred. */
  hasPending(): boolean;
  /** Starts a write if there are changes. */
  markDirty(): void;
  /** Calls back when all changes so far are on disk, in the order of the calls of `defer`. */
  defer(release: () => void): void;
  /** Resolves when nothing is pending, or a write has failed. */
  settled(): Promise<void>;
}

export interface JournalPorts {
  readonly service: DurableService;
  readonly store: Store;
  /** Called when a write fails: from then on nothing deferred is released, and nothing is pending. */
  readonly onFailure: (error: unknown) => void;
  /** Called when a released callback throws. */
  readonly onError: (error: unknown) => void;
}

/** The first turn ends the present one, in which nothing more is read. */
async function afterNextCalls(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export function createJournal({ service, store, onFailure, onError }: JournalPorts): Journal {
  let deferred: (() => void)[] = [];
  let working: Promise<void> | null = null;
  let broken = false;

  async function work(): Promise<void> {
    // Waits one turn of the event loop, so that calls that came together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (!broken && hasMore()) {
      const released = deferred;
      deferred = [];
      try {
        await writeChanges();
      } catch (error) {
        broken = true;
        onFailure(error);
        break;
      }
      for (const release of released) runRelease(release);
      // The calls that have arrived meanwhile are read first: they share the next write.
      if (hasMore()) await afterNextCalls();
    }
    working = null;
  }

  const hasMore = (): boolean => deferred.length > 0 || service.hasChanges();

  /** Not part of `work`, which would hold the changes in memory until they are on disk. */
  function writeChanges(): Promise<void> | null {
    const changes = service.takeChanges();
    return changes === null ? null : store.write(changes);
  }

  function runRelease(release: () => void): void {
    try {
      release();
    } catch (error) {
      onError(error);
    }
  }

  const hasPending = (): boolean => !broken && (working !== null || service.hasChanges());

  const markDirty = (): void => {
    if (!broken && hasMore()) working ??= work();
  };

  return {
    hasPending: hasPending,
    markDirty: markDirty,
    defer(release) {
      if (broken) return;
      deferred.push(release);
      markDirty();
    },
    async settled() {
      while (hasPending()) await (working ??= work());
    },
  };
}
