import type { CoreReply } from '../../core/api.js';
import type { WaitingCall } from '../calls/waiting-calls.js';

/** A worker's call that is held open until there is something to answer. */
export interface LongPoll {
  /** The call as the HTTP layer sees it. */
  readonly call: WaitingCall;
  /**
   * Answers the call; a second answer is ignored. Resolves when the answer was handed over or no longer can
   * be.
   * @param onLost called when the worker will not have read the answer
   */
  answer(reply: CoreReply, onLost?: () => void): Promise<void>;
}

/**
 * @param holdMs how long it is held, in real time, since the worker's own timeout runs in real time
 * @param onOver called when the call ends without an answer: the worker disconnected, or the time is up
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
      // The worker disconnected before the answer was noticed.
      if (gone) onLost?.();
      return handedOver;
    },
  };
}
