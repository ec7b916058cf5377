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

/** After a write that took longer, in ms, the next one waits for the calls of the clients that were just answered. */
const SLOW_MS = 5;
const GATHER_MS_MAX = 25;
/** So many of them are enough. */
const GATHERED = 0.9;

export function createJournal({ service, store, onFailure, onError }: JournalPorts): Journal {
  let deferred: (() => void)[] = [];
  let working: Promise<void> | null = null;
  let broken = false;
  let lastWriteMs = 0;
  let expected = 0;
  let onAllGathered: () => void = () => undefined;

  async function work(): Promise<void> {
    while (!broken && hasMore()) {
      await gatherCalls();
      const released = deferred;
      deferred = [];
      const beganMs = performance.now();
      try {
        await writeChanges();
      } catch (error) {
        broken = true;
        onFailure(error);
        break;
      }
      lastWriteMs = performance.now() - beganMs;
      // Most of those that wait already, and of those whose clients may call again.
      expected = GATHERED * (deferred.length + released.length);
      for (const release of released) runRelease(release);
    }
    working = null;
  }

  /** Waits for calls to share the next write with. */
  async function gatherCalls(): Promise<void> {
    // The first turn ends the present one, in which nothing more is read.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (lastWriteMs < SLOW_MS || deferred.length >= expected) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(lastWriteMs / 2, GATHER_MS_MAX));
      onAllGathered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
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
      if (deferred.length >= expected) onAllGathered();
      markDirty();
    },
    async settled() {
      while (hasPending()) await (working ??= work());
    },
  };
}
