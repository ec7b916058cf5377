import { connect } from 'node:net';
import type { BadRequest } from './draw-request.js';

export interface Outcome {
  /** Codes of all answers on the connection, `100 Continue` left out. */
  readonly statuses: readonly number[];
  /** What is wrong with the answers; null when they are clear. */
  readonly complaint: string | null;
  /** How long it took until the connection was closed, in ms; null when it was not. */
  readonly closedAfterMs: number | null;
}

/** A connection on which nothing happens for that long is half-closed by the client, and then has to end. */
const QUIET_MS = 300;
/** No connection may outlast this; generous, as the machine may be busy. */
const HANG_MS = 20_000;
const FLOOD_CHUNK = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
const FLOOD_BYTES_MAX = 40_000_000;

/** Sends a bad request, and gives the outcome. */
export function exchange(port: number, bad: BadRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    const startMs = performance.now();
    const socket = connect({ port, host: '127.0.0.1' });
    const received: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const hung = setTimeout(() => end(null), HANG_MS);
    const end = (closedAfterMs: number | null) => {
      clearTimeout(quiet);
      clearTimeout(hung);
      socket.destroy();
      resolve({ ...read(Buffer.concat(received).toString('latin1')), closedAfterMs });
    };
    const listen = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), QUIET_MS);
    };
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      listen();
    });
    // What the system refuses to send on is a connection that the server has closed.
    socket.on('error', () => undefined);
    socket.on('close', () => end(performance.now() - startMs));
    void send();

    async function send(): Promise<void> {
      for (const [at, piece] of bad.pieces.entries()) {
        if (at > 0) await new Promise((done) => setTimeout(done, 5));
        socket.write(piece);
      }
      if (bad.ending === 'flood') await flood();
      if (bad.ending === 'destroy') socket.destroySoon();
      else if (bad.ending === 'half-close') socket.end();
      else listen();
    }

    async function flood(): Promise<void> {
      for (
        let sent = 0;
        sent < FLOOD_BYTES_MAX && !socket.destroyed && received.length === 0;
        sent += FLOOD_CHUNK.length
      ) {
        await new Promise<void>((done) => socket.write(FLOOD_CHUNK, () => done()));
      }
    }
  });
}

/** Takes the answers apart, as a client would. */
function read(text: string): Pick<Outcome, 'statuses' | 'complaint'> {
  const statuses: number[] = [];
  for (let rest = text; rest !== '';) {
    const head = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n/.exec(rest);
    if (head === null)
      return { statuses, complaint: `no answer of HTTP: ${JSON.stringify(rest.slice(0, 100))}` };
    rest = rest.slice(head[0].length);
    const status = Number(head[1]);
    if (status === 100) continue;
    statuses.push(status);
    const length = Number(/\r\ncontent-length: *(\d+)\r\n/i.exec(head[0])?.[1] ?? 0);
    // The answer to HEAD has the length of a body that is not sent.
    const body = rest.startsWith('HTTP/1.1 ') ? '' : rest.slice(0, length);
    rest = rest.slice(body.length);
    const complaint = status >= 400 && body !== '' ? complaintAbout(head[0], body) : null;
    if (complaint !== null) return { statuses, complaint };
  }
  return { statuses, complaint: null };
}

function complaintAbout(head: string, body: string): string | null {
  if (!/\r\ncontent-type: application\/json/i.test(head)) return `a refusal that is not JSON: ${head}`;
  try {
    JSON.parse(Buffer.from(body, 'latin1').toString());
    return null;
  } catch {
    return `a refusal with a broken body: ${body.slice(0, 200)}`;
  }
}
