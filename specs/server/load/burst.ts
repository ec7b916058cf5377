import { connect } from 'node:net';

export interface Calls {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key: string;
  readonly body?: string;
}

const CONNECTIONS = 8;

/** Sends the call `count` times, as fast as sockets allow, and gives the status codes. */
export async function burst(port: number, calls: Calls, times: number): Promise<readonly number[]> {
  const shares = Array.from({ length: Math.min(CONNECTIONS, times) }, (_, at) =>
    Math.floor((times + at) / Math.min(CONNECTIONS, times)),
  );
  return (await Promise.all(shares.map((share) => pipeline(port, calls, share)))).flat();
}

/** On one connection, the next call without waiting for the answer to the one before. */
function pipeline(port: number, calls: Calls, times: number): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const { method, path, key, body = '' } = calls;
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: ${key}`,
      'Content-Type: application/json',
      ...(method === 'POST' ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
    ];
    const one = (last: boolean): string =>
      `${[...head, ...(last ? ['Connection: close'] : [])].join('\r\n')}\r\n\r\n${body}`;
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => {
      const codes = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
      if (codes.length === times) resolve(codes);
      else reject(new Error(`${codes.length} answers to ${times} calls`));
    });
    socket.write(one(false).repeat(times - 1) + one(true));
  });
}

/** How many of the codes are 429, and how many are not. */
export function counted(codes: readonly number[]): { readonly served: number; readonly refused: number } {
  const refused = codes.filter((code) => code === 429).length;
  return { served: codes.length - refused, refused };
}
