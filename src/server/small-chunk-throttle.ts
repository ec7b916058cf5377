import type { Socket } from 'node:net';
import { stopReading } from './unread.js';

/** A piece of a body that is no larger costs more to take apart than to keep. */
const SMALL_CHUNK_BYTES = 64;
/** So many of one body are taken in one go. */
const CHUNKS_PER_TURN = 8_000;
/** Then one body after the other has its turn, at this distance: so others find time in between. */
const TURN_MS = 20;

/** Bodies in tiny pieces take turns: together they never take all the time there is. */
export interface SmallChunkThrottle {
  /** To be told of each piece that comes over the socket. */
  enter(socket: Socket): { took(pieceBytes: number): void; leave(): void };
}

export function createSmallChunkThrottle(): SmallChunkThrottle {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;

  function nextTurn(): void {
    timer = null;
    const [resume] = waiting;
    if (resume !== undefined) {
      waiting.delete(resume);
      resume();
    }
    watch();
  }

  function watch(): void {
    if (timer === null && waiting.size > 0) timer = setTimeout(nextTurn, TURN_MS).unref();
  }

  return {
    enter(socket) {
      let chunks = 0;
      let resume: (() => void) | null = null;
      return {
        took(pieceBytes) {
          if (pieceBytes > SMALL_CHUNK_BYTES || ++chunks < CHUNKS_PER_TURN || resume !== null) return;
          const read = stopReading(socket);
          waiting.add(
            (resume = () => {
              resume = null;
              chunks = 0;
              read();
            }),
          );
          watch();
        },
        leave() {
          if (resume === null) return;
          waiting.delete(resume);
          resume();
        },
      };
    },
  };
}
