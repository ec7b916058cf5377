/** Bytes of memory that bodies on their way in may take, all together. */
export interface BodyBudget {
  /**
   * Takes so many bytes, or calls back later, in the order of asking, when others have given theirs back.
   * More than there is altogether is taken when nobody else holds any.
   */
  take(bytes: number, granted: () => void): Share;
}

export interface Share {
  /** Gives it back, or gives up waiting for it. */
  giveBack(): void;
}

export function createBodyBudget(bytesMax: number): BodyBudget {
  const waiting = new Set<{ bytes: number; granted: () => void }>();
  let taken = 0;

  function admit(): void {
    for (const share of waiting) {
      if (taken > 0 && taken + share.bytes > bytesMax) return;
      waiting.delete(share);
      taken += share.bytes;
      share.granted();
    }
  }

  return {
    take(bytes, granted) {
      let state: 'waiting' | 'held' | 'over' = 'waiting';
      const share = {
        bytes,
        granted: () => {
          state = 'held';
          granted();
        },
      };
      waiting.add(share);
      admit();
      return {
        giveBack() {
          if (state === 'held') taken -= bytes;
          waiting.delete(share);
          state = 'over';
          admit();
        },
      };
    },
  };
}
