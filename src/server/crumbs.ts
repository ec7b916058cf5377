import type { Socket } from 'node:net';
import { stopReading } from './unread.js';

/** A piece of a body that is no larger costs more to take apart than to keep. */
const CRUMB_BYTES = 64;
/** So many of one body are taken in one go. */
const AT_ONCE = 8_000;
/** Then one body after the other has its turn, at this distance: so others find time in between. */
const TURN_MS = 20;

/** Bodies in tiny pieces take turns: together they never take all the time there is. */
export interface Crumbs {
  /** To be told of each piece that comes over the socket. */
  enter(socket: Socket): { took(pieceBytes: number): void; leave(): void };
}

export function createCrumbs(): Crumbs {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;

  function nextTurn(): void {
    timer = null;
    const [goOn] = waiting;
    if (goOn !== undefined) {
      waiting.delete(goOn);
      goOn();
    }
    watch();
  }

  function watch(): void {
    if (timer === null && waiting.size > 0) timer = setTimeout(nextTurn, TURN_MS).unref();
  }

  return {
    enter(socket) {
      let crumbs = 0;
      let goOn: (() => void) | null = null;
      return {
        took(pieceBytes) {
          if (pieceBytes > CRUMB_BYTES || ++crumbs < AT_ONCE || goOn !== null) return;
          const read = stopReading(socket);
          waiting.add(
            (goOn = () => {
              goOn = null;
              crumbs = 0;
              read();
            }),
          );
          watch();
        },
        leave() {
          if (goOn === null) return;
          waiting.delete(goOn);
          goOn();
        },
      };
    },
  };
}
