/** How much of replies that have not ended is held at once: when it is full, one of them goes on and the others wait. */

/** A reply that is coming in. */
export interface Incoming {
  /** Takes no more from the socket, so that the sender has to wait. */
  pause(): void;
  resume(): void;
}

const ROOM_BYTES = 128 * 1024 * 1024;

export class ReplyMemory {
  /** Bytes held of each, in the order in which they began. */
  private readonly held = new Map<Incoming, number>();
  private readonly paused = new Set<Incoming>();
  private bytes = 0;
  private readonly bytesMax: number;

  constructor(bytesMax = ROOM_BYTES) {
    this.bytesMax = bytesMax;
  }

  take(reply: Incoming, bytes: number): void {
    this.held.set(reply, (this.held.get(reply) ?? 0) + bytes);
    this.bytes += bytes;
    if (this.bytes <= this.bytesMax || this.first === reply || this.paused.has(reply)) return;
    this.paused.add(reply);
    reply.pause();
  }

  /** It has ended, or is no longer needed. */
  leave(reply: Incoming): void {
    this.bytes -= this.held.get(reply) ?? 0;
    this.held.delete(reply);
    this.paused.delete(reply);
    const { first } = this;
    const free = this.bytes <= this.bytesMax ? [...this.paused] : first === undefined ? [] : [first];
    for (const one of free) if (this.paused.delete(one)) one.resume();
  }

  private get first(): Incoming | undefined {
    return this.held.keys().next().value;
  }
}
