import type { Socket } from 'node:net';
import { stopReading } from '../../wire/early-answers.js';

/** Chunks up to this size cost more to parse than to store. */
const SMALL_CHUNK_BYTES = 64;
/** Small chunks of one body that are read before it has to wait for its turn. */
const CHUNKS_PER_TURN = 8_000;
/** Bodies that wait take turns at this interval, which leaves time for other work. */
const TURN_MS = 20;

/** Throttles bodies that arrive in tiny chunks, so that parsing them cannot occupy the whole event loop. */
export interface SmallChunkThrottle {
  /** Registers a body; `took` is called for each chunk that arrives over the socket. */
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
