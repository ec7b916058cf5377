import type { CoreReply } from '../../core/api.js';
import type { PendingWork } from '../pending-work.js';

/** A call that the service answers later. */
export interface WaitingCall {
  readonly reply: Promise<CoreReply>;
  /** The answer was handed to the client, or no longer can be. */
  done(): void;
  /** The client disconnected before the answer. */
  hangUp(): void;
}

/** The calls that have not been answered yet. */
export interface WaitingCalls {
  /** @param onHangUp called when the client disconnects before an answer */
  add(callId: number, onHangUp: () => void): WaitingCall;
  /** False when no such call is waiting. */
  answer(callId: number, reply: CoreReply): boolean;
  /** A reply that is known already, and that the client gets once it is released. */
  hold(reply: CoreReply): { readonly held: Promise<CoreReply>; readonly release: () => void };
  /** Also takes the place of all replies that are held. */
  answerAll(reply: CoreReply): void;
}

/** @param pendingWork holds answers being written: the instant stays open until the client has them */
export function createWaitingCalls(pendingWork: PendingWork): WaitingCalls {
  const waiting = new Map<number, (reply: CoreReply) => void>();
  const held = new Set<(reply: CoreReply) => void>();
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
    hold(reply) {
      let give!: (reply: CoreReply) => void;
      const given = new Promise<CoreReply>((resolve) => (give = resolve));
      held.add(give);
      return {
        held: given,
        release() {
          if (held.delete(give)) give(reply);
        },
      };
    },
    answerAll(reply) {
      for (const callId of [...waiting.keys()]) this.answer(callId, reply);
      for (const give of held) give(reply);
      held.clear();
    },
  };
}
