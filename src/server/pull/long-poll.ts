import type { CoreReply } from '../../core/api.js';
import type { WaitingCall } from '../waiting-calls.js';

/** A call that a worker waits at until there is something to tell it. */
export interface LongPoll {
  /** What HTTP needs of it. */
  readonly call: WaitingCall;
  /**
   * Answers it; a second answer changes nothing. Resolves when the answer was handed over or cannot be any more.
   * @param onLost the worker will not have read the answer
   */
  answer(reply: CoreReply, onLost?: () => void): Promise<void>;
}

/**
 * @param holdMs real time: the worker's patience is not the endpoint's clock
 * @param onOver nobody waits any more, and nothing was answered: the worker has gone, or its time is over
 */
export function createLongPoll(holdMs: number, onOver: (why: 'gone' | 'elapsed') => void): LongPoll {
  let answered: { readonly onLost: (() => void) | undefined } | null = null;
  let resolveReply!: (reply: CoreReply) => void;
  let resolveHandedOver!: () => void;
  const reply = new Promise<CoreReply>((resolve) => (resolveReply = resolve));
  const handedOver = new Promise<void>((resolve) => (resolveHandedOver = resolve));
  let gone = false;
  const timer = setTimeout(() => onOver('elapsed'), holdMs).unref();

  return {
    call: {
      reply,
      done: () => resolveHandedOver(),
      hangUp() {
        if (gone) return;
        gone = true;
        clearTimeout(timer);
        resolveHandedOver();
        if (answered === null) onOver('gone');
        else answered.onLost?.();
      },
    },
    answer(toAnswer, onLost) {
      if (answered !== null) return handedOver;
      clearTimeout(timer);
      answered = { onLost };
      resolveReply(toAnswer);
      // It went just now, unseen.
      if (gone) onLost?.();
      return handedOver;
    },
  };
}
