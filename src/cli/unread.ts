/** When standard output has no reader any more: Node tells only who writes, which a log that is quiet does not do. */
import { constants, fstatSync, openSync } from 'node:fs';
import net, { type Socket } from 'node:net';

/** A handle of Node's own, which waits for events of any descriptor. */
interface Handle {
  readonly constructor: new (type: number) => Handle & { open(descriptor: number): number };
  close(): void;
}

/**
 * Calls back once the reader of the pipe that is standard output has ended. Only Linux tells: elsewhere, or if this Node has no such
 * handles, nothing happens. Returns a function that stops listening.
 */
export function onUnread(callback: () => void): () => void {
  if (process.platform !== 'linux') return () => {};
  let socket: Socket | null = null;
  try {
    if (!fstatSync(process.stdout.fd).isFIFO()) return () => {};
    // A descriptor of its own: standard output has one that blocks.
    const own = openSync(`/dev/fd/${process.stdout.fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
    const { _createServerHandle: create } = net as unknown as {
      readonly _createServerHandle: (address: string, port: number, family: number) => Handle;
    };
    const any = create('127.0.0.1', 0, 4);
    any.close();
    const handle = new any.constructor(0);
    // Of a pipe that can only be written, an event is the end of its last reader.
    if (handle.open(own) === 0)
      socket = new net.Socket({ handle, readable: true } as net.SocketConstructorOpts);
    socket?.once('error', callback).unref().resume();
  } catch {
    // Then the next line that is written tells.
  }
  return () => void socket?.destroy();
}
