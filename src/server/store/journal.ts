import type { KeptService } from '../../core/service.js';
import type { Store } from './store.js';

/**
 * Holds back what must not be seen before it is on disk. All that happens while one write is under way shares the
 * next one, so that many calls pay for one sync.
 */
export interface Journal {
  /** Whether something is not on disk yet: whatever is said now has to be held. */
  owes(): boolean;
  /** Something may have happened that is to be written. */
  stir(): void;
  /** Calls back when all that has happened until now is on disk; in the order of the calls of `hold`. */
  hold(release: () => void): void;
  /** Resolves when nothing is owed any more, or it cannot be written. */
  settled(): Promise<void>;
}

export interface JournalPorts {
  readonly service: KeptService;
  readonly store: Store;
  /** Hears of a write that failed: from then on nothing that is held is released, and nothing owed. */
  readonly onFailure: (error: unknown) => void;
  /** Hears of what was released and threw. */
  readonly onError: (error: unknown) => void;
}

export function createJournal({ service, store, onFailure, onError }: JournalPorts): Journal {
  let held: (() => void)[] = [];
  let working: Promise<void> | null = null;
  let broken = false;

  async function work(): Promise<void> {
    // One turn of the event loop: the calls that came together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (!broken && (held.length > 0 || service.hasChanges())) {
      const released = held;
      held = [];
      try {
        const changes = service.takeChanges();
        if (changes !== null) await store.write(changes);
      } catch (error) {
        broken = true;
        onFailure(error);
        break;
      }
      for (const release of released) carefully(release);
    }
    working = null;
  }

  function carefully(release: () => void): void {
    try {
      release();
    } catch (error) {
      onError(error);
    }
  }

  const owes = (): boolean => !broken && (working !== null || service.hasChanges());

  const stir = (): void => {
    if (!broken && (held.length > 0 || service.hasChanges())) working ??= work();
  };

  return {
    owes,
    stir,
    hold(release) {
      if (broken) return;
      held.push(release);
      stir();
    },
    async settled() {
      while (owes()) await (working ??= work());
    },
  };
}
