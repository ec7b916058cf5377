import type { DurableService } from '../../core/service.js';
import type { Store } from './store.js';

/**
 * Holds back what must not be seen before it is on disk. All that happens while one write is under way shares the
 * next one, so that many calls pay for one sync.
 */
export interface Journal {
  /** Whether something is not on disk yet: whatever is said now has to be held. */
  hasPending(): boolean;
  /** Something may have happened that is to be written. */
  markDirty(): void;
  /** Calls back when all that has happened until now is on disk; in the order of the calls of `hold`. */
  defer(release: () => void): void;
  /** Resolves when nothing is owed any more, or it cannot be written. */
  settled(): Promise<void>;
}

export interface JournalPorts {
  readonly service: DurableService;
  readonly store: Store;
  /** Hears of a write that failed: from then on nothing that is held is released, and nothing owed. */
  readonly onFailure: (error: unknown) => void;
  /** Hears of what was released and threw. */
  readonly onError: (error: unknown) => void;
}

export function createJournal({ service, store, onFailure, onError }: JournalPorts): Journal {
  let deferred: (() => void)[] = [];
  let working: Promise<void> | null = null;
  let broken = false;

  async function work(): Promise<void> {
    // One turn of the event loop: the calls that came together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (!broken && (deferred.length > 0 || service.hasChanges())) {
      const released = deferred;
      deferred = [];
      try {
        const changes = service.takeChanges();
        if (changes !== null) await store.write(changes);
      } catch (error) {
        broken = true;
        onFailure(error);
        break;
      }
      for (const release of released) runRelease(release);
    }
    working = null;
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
    if (!broken && (deferred.length > 0 || service.hasChanges())) working ??= work();
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
