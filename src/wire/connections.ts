import type { Socket } from 'node:net';

/** Numbers connections, and counts those that carry no call. */
export class Connections {
  /** The most at the same time. */
  idleMax = 0;
  #made = 0;
  readonly #open = new Map<Socket, { readonly number: number; calls: number }>();

  opened(socket: Socket): void {
    this.#open.set(socket, { number: ++this.#made, calls: 0 });
    this.#count();
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Gives the number of the connection. */
  begun(socket: Socket): number {
    const open = this.#open.get(socket);
    if (open !== undefined) open.calls += 1;
    return open?.number ?? 0;
  }

  ended(socket: Socket): void {
    const open = this.#open.get(socket);
    if (open !== undefined) open.calls -= 1;
    this.#count();
  }

  #count(): void {
    const idle = [...this.#open.values()].filter(({ calls }) => calls === 0).length;
    this.idleMax = Math.max(this.idleMax, idle);
  }
}
