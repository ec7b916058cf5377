import type { CoreReply } from '../core/api.js';
import type { PendingWork } from './pending-work.js';

/** A call that the service answers later. */
export interface WaitingCall {
  readonly reply: Promise<CoreReply>;
  /** The answer has been handed to the client, or cannot be any more. */
  done(): void;
  /** The client went away before it was answered. */
  hangUp(): void;
}

/** The calls that have no answer yet. */
export interface WaitingCalls {
  /** @param onHangUp the client has gone, and nobody has answered it */
  add(callId: number, onHangUp: () => void): WaitingCall;
  /** False when no such call waits. */
  answer(callId: number, reply: CoreReply): boolean;
  answerAll(reply: CoreReply): void;
}

/** @param outstanding told of answers on their way: from then on the instant stays open until the client has them */
export function createWaitingCalls(pendingWork: PendingWork): WaitingCalls {
  const waiting = new Map<number, (reply: CoreReply) => void>();
  return {
    add(callId, onHangUp) {
      let answer: (reply: CoreReply) => void;
      let done: () => void;
      const reply = new Promise<CoreReply>((resolve) => (answer = resolve));
      const handedOver = new Promise<void>((resolve) => (done = resolve));
      waiting.set(callId, (late) => {
        pendingWork.add(handedOver);
        answer(late);
      });
      return {
        reply,
        done: () => done(),
        hangUp: () => {
          done();
          if (waiting.delete(callId)) onHangUp();
        },
      };
    },
    answer(callId, reply) {
      const answer = waiting.get(callId);
      waiting.delete(callId);
      answer?.(reply);
      return answer !== undefined;
    },
    answerAll(reply) {
      for (const callId of [...waiting.keys()]) this.answer(callId, reply);
    },
  };
}
